#include "cli/watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli/process.hpp"

namespace lacuna::cli {

Watch::Watch(bool bar) : bar_(bar && isatty(STDERR_FILENO) != 0) { ask_on_interrupt(); }

// Ctrl-C goes on asking only: while results are being written it lets them be written whole.
Watch::~Watch() { clear(); }

Observer Watch::observer() {
  return [this](const Progress& progress) { return show(progress); };
}

bool Watch::stopped() const { return interrupt_requested(); }

void Watch::clear() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
  drawn_ = false;
}

// By the pace so far in this stage; "" until that says something.
std::string Watch::time_left(const Progress& progress, std::chrono::steady_clock::time_point now) {
  if (stage_ != progress.stage || progress.done < before_) {
    stage_ = progress.stage;
    began_ = now;
    before_ = progress.done;
  }
  const double elapsed = std::chrono::duration<double>(now - began_).count();
  const long done = progress.done - before_;
  if (elapsed < 1.0 || done < 1 || progress.done >= progress.total) return "";
  const auto left = long(std::ceil(elapsed * double(progress.total - progress.done) / double(done)));
  if (left < 60) return fmt::format("  {} s left", left);
  if (left < 3600) return fmt::format("  {} min {:02} s left", left / 60, left % 60);
  return fmt::format("  {} h {:02} min left", left / 3600, left / 60 % 60);
}

bool Watch::show(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (bar_ && !progress.stage.empty() && !stopped() && now - last_ > std::chrono::milliseconds(100)) {
    last_ = now;
    drawn_ = true;
    std::string line = fmt::format("\r\033[K{} ", progress.stage);
    if (progress.total > 0) {
      constexpr long width = 24;
      const long full = std::clamp(width * progress.done / progress.total, 0L, width);
      line += fmt::format("[{:#<{}}{:.<{}}] {}/{}", "", full, "", width - full, progress.done, progress.total);
      line += time_left(progress, now);
    } else {
      line += fmt::format("{}", progress.done);
    }
    if (std::isfinite(progress.best)) line += fmt::format("  best {:.4g}", progress.best);
    std::cerr << line << std::flush;
  }
  return !stopped();
}

}  // namespace lacuna::cli
