// gzip without a packer, for the tests of reading.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace lacuna::test {

inline void append_little_endian(std::string& out, std::uint32_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) out += char((value >> (8 * k)) & 0xff);
}

/// A gzip member of stored (not compressed) blocks: RFC 1951 and 1952 in a few lines, so that no packer is needed.
inline std::string gzipped(const std::string& text) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? (crc >> 1) ^ 0xedb88320U : crc >> 1;
  }
  std::string out("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  constexpr std::size_t longest = 65535;
  for (std::size_t start = 0; start < text.size(); start += longest) {
    const std::size_t length = std::min(longest, text.size() - start);
    out += start + length == text.size() ? '\1' : '\0';
    append_little_endian(out, std::uint32_t(length), 2);
    append_little_endian(out, ~std::uint32_t(length), 2);
    out += text.substr(start, length);
  }
  append_little_endian(out, ~crc, 4);
  append_little_endian(out, std::uint32_t(text.size()), 4);
  return out;
}

}  // namespace lacuna::test
