#include "lacuna/report/options.hpp"

#include <algorithm>

namespace lacuna {
namespace {

// "name" or "name=value"; "" when it is neither.
std::string flag(std::string_view mention) {
  const std::size_t equals = std::min(mention.find('='), mention.size());
  std::string out = "--";
  for (const char c : mention.substr(0, equals)) {
    if (!(c >= 'a' && c <= 'z') && c != '_') return "";
    out += c == '_' ? '-' : c;
  }
  if (out.size() == 2) return "";
  if (equals < mention.size()) out.append(" ").append(mention.substr(equals + 1));
  return out;
}

}  // namespace

std::string with_flags(std::string_view message) {
  std::string out;
  for (;;) {
    const std::size_t open = message.find('`');
    const std::size_t close = open == std::string_view::npos ? open : message.find('`', open + 1);
    if (close == std::string_view::npos) return out.append(message);
    const std::string as_flag = flag(message.substr(open + 1, close - open - 1));
    out.append(message.substr(0, open));
    out.append(as_flag.empty() ? message.substr(open, close - open) : std::string_view(as_flag));
    message.remove_prefix(as_flag.empty() ? close : close + 1);  // a stray backquote may open the next mention
  }
}

std::vector<std::string> with_flags(const Warnings& warnings) {
  std::vector<std::string> out;
  for (const Warning& w : warnings) out.push_back(with_flags(w.text));
  return out;
}

}  // namespace lacuna
