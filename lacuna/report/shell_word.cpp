#include "lacuna/report/shell_word.hpp"

#include <fmt/format.h>

#include "lacuna/base/shown.hpp"

namespace lacuna {
namespace {

// For words that hold what a terminal or a page would obey: their bytes as escapes, as bash and zsh read them.
std::string escaped(const std::string& word) {
  std::string out = "$'";
  for (std::size_t at = 0; at < word.size();) {
    std::size_t end = at + 1;
    while (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) ++end;
    const std::string character = word.substr(at, end - at);
    if (character == "'" || character == "\\")
      out += "\\" + character;
    else if (shown(character) == character)
      out += character;
    else
      for (const char c : character) out += fmt::format("\\x{:02x}", unsigned(static_cast<unsigned char>(c)));
    at = end;
  }
  return out + "'";
}

}  // namespace

std::string shell_word(const std::string& word) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
      "0123456789_-+.,:/=@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  if (shown(word) != word) return escaped(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace lacuna
