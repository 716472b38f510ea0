// watch.hpp -- work without the interpreter's lock that Ctrl-C still stops, and that tells how far it is.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>

#include "lacuna/base/observer.hpp"
#include "lacuna/base/stopping.hpp"

namespace lacuna::python {

/// Looks for signals some twenty times a second, and calls `progress(stage, done, total, best)` unless it is None.
class Watch {
 public:
  explicit Watch(nanobind::object progress) : progress_(std::move(progress)), shows_(!progress_.is_none()) {}

  Observer observer() {
    return [this](const Progress& at) { return ask(at); };
  }
  /// Runs `work` with the lock released. What Python raised meanwhile (KeyboardInterrupt) is raised again after it.
  template <class Work>
  auto run(Work&& work) {
    auto result = [&] {
      const nanobind::gil_scoped_release released;
      try {
        const StopScope stopping(observer());
        return std::optional(work());
      } catch (const Stopped&) {
        return std::optional<decltype(work())>();
      } catch (...) {
        if (!raised_) throw;  // it failed because it was stopped
        return std::optional<decltype(work())>();
      }
    }();
    if (raised_) {
      nanobind::python_error error(std::move(*raised_));
      raised_.reset();
      throw error;
    }
    return std::move(*result);
  }

 private:
  bool ask(const Progress& at) {
    const auto now = std::chrono::steady_clock::now();
    if (raised_) return false;
    const bool show = shows_ && !at.stage.empty() && now - shown_ > std::chrono::milliseconds(100);
    if (!show && now - asked_ < std::chrono::milliseconds(50)) return true;
    asked_ = now;
    const nanobind::gil_scoped_acquire held;
    try {
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
      if (show) {
        shown_ = now;
        progress_(nanobind::str(at.stage.data(), at.stage.size()), at.done, at.total, at.best);
      }
    } catch (nanobind::python_error& error) {
      raised_.emplace(std::move(error));
    }
    return !raised_;
  }

  nanobind::object progress_;
  std::optional<nanobind::python_error> raised_;
  bool shows_;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now(), shown_{};
};

}  // namespace lacuna::python
