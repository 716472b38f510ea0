#include "lacuna/base/shown.hpp"

#include <cstdint>

namespace lacuna {
namespace {

constexpr char digits[] = "0123456789abcdef";

// One character of UTF-8 and how many bytes it takes; 0 bytes: this is none.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(k) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // longer than need be is no UTF-8
  if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
  return {code, bytes};
}

bool is_obeyed(std::uint32_t c) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return true;                 // control characters of both sets
  if (c == 0x061c || c == 0x200e || c == 0x200f) return true;           // marks of direction
  return (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);  // line ends, overrides, isolates
}

std::string escaped(std::uint32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '\r') return "\\r";
  std::string out = c < 0x80 ? "\\x" : "\\u";
  for (int shift = c < 0x80 ? 4 : 12; shift >= 0; shift -= 4) out += digits[c >> shift & 0xfU];
  return out;
}

std::string escape(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    if (c.bytes == 0) {
      const auto byte = static_cast<unsigned char>(text[0]);
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 0xfU]};
      text.remove_prefix(1);
      continue;
    }
    if (is_obeyed(c.code) && !(lines && c.code == '\n'))
      out += escaped(c.code);
    else
      out += text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
  }
  return out;
}

}  // namespace

std::string shown(std::string_view text) { return escape(text, false); }
std::string shown_lines(std::string_view text) { return escape(text, true); }

}  // namespace lacuna
