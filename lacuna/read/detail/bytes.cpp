#include "lacuna/read/detail/bytes.hpp"

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

constexpr std::size_t ahead_bytes = std::size_t(1) << 18;

bool is_gzip(const char* bytes, std::size_t count) { return count >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

}  // namespace

struct ByteReader::Inflate {
  z_stream stream{};
  bool between_members = false;  // a member has ended, and another may follow
  bool ended = false;
  Inflate() {
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();  // 16: gzip only
  }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;
  ~Inflate() { inflateEnd(&stream); }
};

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

void Bytes::drop_front(std::size_t count) {
  size_ -= count;
  if (size_ > 0) std::memmove(data_.get(), data_.get() + count, size_);
}

ByteReader::ByteReader(const std::string& path) : source_(path == "-" ? "standard input" : path), ours_(path != "-") {
  descriptor_ = ours_ ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
  if (descriptor_ < 0) fail_data(fmt::format("read: cannot open {}: {}", source_, std::strerror(errno)));
  struct stat about {};
  if (fstat(descriptor_, &about) == 0 && S_ISREG(about.st_mode)) file_bytes_ = std::int64_t(about.st_size);
  try {
    while (end_ < 2 && fill()) {
    }
    if (is_gzip(ahead_.data(), end_)) inflate_ = std::make_unique<Inflate>();
  } catch (...) {
    if (ours_) close(descriptor_);
    throw;
  }
}

ByteReader::~ByteReader() {
  if (ours_) close(descriptor_);
}

std::size_t ByteReader::read_file(char* to, std::size_t most) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, std::min<std::size_t>(most, std::size_t(1) << 30));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_data(fmt::format("read: cannot read {}: {}", source_, std::strerror(errno)));
    consumed_ += got;
    return std::size_t(got);
  }
}

// More of the file behind what is left of ahead_; false at its end.
bool ByteReader::fill() {
  ahead_.resize(ahead_bytes);
  std::copy(ahead_.begin() + std::ptrdiff_t(begin_), ahead_.begin() + std::ptrdiff_t(end_), ahead_.begin());
  end_ -= begin_;
  begin_ = 0;
  const std::size_t got = read_file(ahead_.data() + end_, ahead_.size() - end_);
  end_ += got;
  return got > 0;
}

std::size_t ByteReader::read(char* to, std::size_t most) {
  if (inflate_) return unpack(to, most);
  if (begin_ == end_) return read_file(to, most);
  const std::size_t count = std::min(most, end_ - begin_);
  std::memcpy(to, ahead_.data() + begin_, count);
  begin_ += count;
  return count;
}

std::size_t ByteReader::unpack(char* to, std::size_t most) {
  z_stream& z = inflate_->stream;
  z.next_out = reinterpret_cast<Bytef*>(to);
  z.avail_out = uInt(std::min<std::size_t>(most, std::numeric_limits<uInt>::max()));
  const uInt room = z.avail_out;
  while (!inflate_->ended && z.avail_out == room) {
    const bool more = end_ - begin_ >= 2 || fill() || begin_ < end_;
    if (inflate_->between_members) {
      inflate_->ended = !is_gzip(ahead_.data() + begin_, end_ - begin_);
      if (inflate_->ended) {
        require_padding();
        break;
      }
      inflateReset(&z);
      inflate_->between_members = false;
    }
    if (!more) fail_data(fmt::format("read: {}: the gzip data end early; the file is truncated", source_));
    z.next_in = reinterpret_cast<Bytef*>(ahead_.data() + begin_);
    z.avail_in = uInt(end_ - begin_);
    const int code = ::inflate(&z, Z_NO_FLUSH);
    begin_ = end_ - z.avail_in;
    if (code == Z_STREAM_END)
      inflate_->between_members = true;
    else if (code != Z_OK && code != Z_BUF_ERROR)
      fail_data(fmt::format("read: {}: damaged gzip data ({})", source_, z.msg ? z.msg : "no reason given"));
  }
  return room - z.avail_out;
}

// Zeros after the last member fill up blocks of a tape or disk; anything else would be data that nobody reads.
void ByteReader::require_padding() {
  do {
    for (; begin_ < end_; ++begin_)
      if (ahead_[begin_] != '\0')
        fail_data(
            fmt::format("read: {}: something that is no gzip data follows the gzip data, from byte {} of the file on; "
                        "cut it off, or pack all of the text",
                        source_, consumed() + 1));
  } while (fill());
}

}  // namespace lacuna::detail
