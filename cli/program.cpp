#include "cli/program.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "lacuna/base/error.hpp"
#include "lacuna/base/shown.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/report/options.hpp"

namespace lacuna::cli {

void warn(const std::string& text) { say("warning: " + text); }

void warn(const Warnings& warnings) {
  for (const Warning& w : warnings) warn(w.text);
}

void say(const std::string& text) { std::cerr << "lacuna: " << shown(with_flags(text)) << '\n'; }

void require_written() {
  if (!std::cout.flush()) fail_data("write: standard output cannot be written to");
}

Output::Output(std::string path, const Files& files) : path_(path == "-" ? "" : std::move(path)) {
  files.check();
  if (!path_.empty()) require_writable(path_);
}

std::string Output::folder() const {
  if (!is_file()) return "";
  const auto folder = std::filesystem::path(path_).parent_path();
  return folder.empty() ? "." : folder.string();
}

void Output::write(const std::string& bytes) const {
  write([&](const WriteMore& more) { more(bytes); });
}

void Output::write(const std::function<void(const WriteMore& more)>& produce) const {
  if (is_file()) return write_file_atomically(path_, produce);
  produce([](std::string_view bytes) {
    std::cout << bytes;
    require_written();
  });
}

}  // namespace lacuna::cli
