#include "lacuna/read/detail/windows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lacuna/base/error.hpp"

namespace lacuna::detail {
namespace {

// What else tables come as, by the first bytes. A text may begin so too: only what is none is asked.
struct Format {
  std::string_view begins, said;
};
constexpr Format formats[] = {{"PAR1", "Parquet, which Python reads (docs/guide/data.md#files)"},
                              {"ARROW1", "an Arrow file, which Python reads (docs/guide/data.md#files)"},
                              {"PK", "a zip file, as spreadsheets are; save it as CSV"},
                              {"\xfd", "packed by xz; `xz -dc` unpacks it, and - is standard input"},
                              {"\x28\xb5", "packed by zstd; `zstd -dc` unpacks it, and - is standard input"},
                              {"BZh", "packed by bzip2; `bzip2 -dc` unpacks it, and - is standard input"}};

}  // namespace

std::string_view plain_text(std::string_view text, const std::string& source) {
  if (text.substr(0, 2) == "\xff\xfe" || text.substr(0, 2) == "\xfe\xff")
    fail_data(fmt::format("read: {}: the text is UTF-16; save it as UTF-8", source));
  if (text.substr(0, 4096).find('\0') != std::string_view::npos) {
    for (const Format& format : formats)
      if (text.starts_with(format.begins))
        fail_data(fmt::format("read: {}: not a text file but {}", source, format.said));
    fail_data(fmt::format("read: {}: not a text file (it holds zero bytes)", source));
  }
  return text.substr(text.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0);
}

Windows::Windows(const std::string& path, std::size_t window_bytes, const ReadOptions& options)
    : reader_(path, options), window_(window_bytes) {
  fill(usual_bytes);
  skip(bytes_.size() - plain_text(bytes_.view(), reader_.source()).size());
}

// Reads until that many bytes wait, or to the end.
void Windows::fill(std::size_t wanted) {
  dropped_ += std::int64_t(begin_);
  bytes_.drop_front(begin_);
  begin_ = 0;
  while (!ended_ && bytes_.size() < wanted) {
    const std::size_t most = wanted - bytes_.size();
    const std::size_t got = reader_.read(bytes_.room(most), most);
    bytes_.grown(got);
    ended_ = got == 0;
  }
}

std::string_view Windows::next(const std::function<std::size_t(std::string_view)>& whole_rows) {
  for (std::size_t wanted = window_;; wanted *= 2) {
    if (!ended_ && head().size() < wanted) fill(std::max(wanted, usual_bytes));
    const std::string_view window = head().substr(0, wanted);
    const bool last = ended_ && window.size() == head().size();
    std::size_t rows = last ? window.size() : whole_rows(window);
    too_long_ = !last && rows == 0 && window.size() >= longest_row;
    if (too_long_) rows = window.size();
    if (rows == 0 && !last) continue;
    skip(rows);
    return window.substr(0, rows);
  }
}

}  // namespace lacuna::detail
