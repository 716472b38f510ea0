#include "lacuna/data/detail/bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "lacuna/base/error.hpp"

namespace lacuna::detail {
namespace {

struct Descriptor {
  int number = -1;
  bool ours = false;
  Descriptor(int n, bool close_it) : number(n), ours(close_it) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (ours && number >= 0) close(number);
  }
};

struct Inflate {
  z_stream stream{};
  Inflate() {
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();  // 16: gzip only
  }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;
  ~Inflate() { inflateEnd(&stream); }
};

}  // namespace

void Bytes::Free::operator()(char* p) const { std::free(p); }

char* Bytes::room(std::size_t more) {
  if (size_ + more > capacity_) {
    const std::size_t wanted = std::max(size_ + more, capacity_ + capacity_ / 2);
    // realloc() moves pages instead of copying them when the buffer is large.
    char* grown = static_cast<char*>(std::realloc(data_.get(), wanted));
    if (!grown) throw std::bad_alloc();
    data_.release();  // NOLINT: realloc() has taken it over
    data_.reset(grown);
    capacity_ = wanted;
  }
  return data_.get() + size_;
}

Bytes read_bytes(const std::string& path) {
  const bool standard_input = path == "-";
  const Descriptor file(standard_input ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC), !standard_input);
  const int reason = errno;
  const std::string source = standard_input ? "standard input" : path;
  if (file.number < 0) fail_data(fmt::format("read: cannot open {}: {}", source, std::strerror(reason)));
  constexpr std::size_t block = std::size_t(4) << 20;
  std::size_t step = block;
  struct stat about {};
  if (fstat(file.number, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
    step = std::size_t(about.st_size) + 1;  // one read for the file, and one byte more to meet its end
  Bytes bytes;
  for (;;) {
    const ssize_t got = read(file.number, bytes.room(step), std::min<std::size_t>(step, std::size_t(1) << 30));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_data(fmt::format("read: cannot read {}: {}", source, std::strerror(errno)));
    if (got == 0) break;
    bytes.grown(std::size_t(got));
    step = step > std::size_t(got) ? step - std::size_t(got) : block;
  }
  return bytes;
}

bool is_gzip(std::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

Bytes gunzip(std::string_view packed, const std::string& source) {
  constexpr std::size_t most = std::numeric_limits<uInt>::max();
  constexpr std::size_t block = std::size_t(1) << 20;
  Bytes out;
  Inflate z;
  // zlib's interface predates const; it does not write to its input.
  z.stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  std::size_t left = packed.size();
  for (;;) {
    const uInt given = uInt(std::min(left, most));
    z.stream.avail_in = given;
    z.stream.next_out = reinterpret_cast<Bytef*>(out.room(block));
    z.stream.avail_out = uInt(block);
    const int code = inflate(&z.stream, Z_NO_FLUSH);
    left -= given - z.stream.avail_in;
    out.grown(block - z.stream.avail_out);
    if (code == Z_STREAM_END) {
      const std::string_view rest(reinterpret_cast<const char*>(z.stream.next_in), left);
      if (!is_gzip(rest)) return out;  // padding after the last member is allowed
      inflateReset(&z.stream);
    } else if (code == Z_BUF_ERROR || (code == Z_OK && left == 0 && z.stream.avail_out != 0)) {
      fail_data(fmt::format("read: {}: the gzip data end early; the file is truncated", source));
    } else if (code != Z_OK) {
      fail_data(
          fmt::format("read: {}: damaged gzip data ({})", source, z.stream.msg ? z.stream.msg : "no reason given"));
    }
  }
}

}  // namespace lacuna::detail
