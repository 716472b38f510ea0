#include "lacuna/read/detail/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "lacuna/base/error.hpp"
#include "lacuna/read/detail/field_scanner.hpp"
#include "lacuna/read/detail/sniff.hpp"
#include "lacuna/read/detail/windows.hpp"

namespace lacuna::detail {
namespace {

constexpr std::size_t head_bytes = std::size_t(1) << 20;  // names and what tells them from rows are within

struct FirstRow {
  std::vector<std::string> fields;
  std::size_t bytes;   ///< to the end of the row
  std::int64_t lines;  ///< ends of lines within
};

FirstRow first_row(std::string_view text, char delimiter) {
  FieldScanner scanner(text, delimiter);
  FirstRow out{};
  if (!scanner.next_row()) return out;
  std::string storage;
  Field field;
  do {
    scanner.next(field);  // what is malformed differs, or is refused with its line later
    out.fields.emplace_back(field.text(storage));
  } while (!scanner.row_done());
  out.bytes = std::size_t(scanner.position() - text.data());
  out.lines = scanner.line() - 1;
  return out;
}

}  // namespace

std::vector<std::string> parts_of(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (auto at = std::filesystem::directory_iterator(folder, error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name[0] == '.' || name[0] == '_') continue;
    std::error_code ignored;
    if (!at->is_regular_file(ignored))
      fail_data(fmt::format("read: {} is no file; a folder of data holds the parts of one table, and nothing else",
                            at->path().string()));
    out.push_back(at->path().string());
  }
  if (error) fail_data(fmt::format("read: cannot read {}: {}", folder, error.message()));
  if (out.empty()) fail_data(fmt::format("read: {}: there is no file in the folder", folder));
  std::ranges::sort(out);
  return out;
}

TextReader::TextReader(const std::string& path)
    : part_(std::make_unique<ByteReader>(path)),
      source_(part_->source()),
      packed_(part_->is_packed()),
      file_bytes_(part_->file_bytes()) {}

TextReader::TextReader(const std::string& path, const ReadOptions& options) : source_(path), options_(options) {
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_directory(path, ignored)) {
    *this = TextReader(path);
    return;
  }
  parts_ = parts_of(path);
  for (const std::string& part : parts_) file_bytes_ += std::int64_t(std::filesystem::file_size(part, ignored));
  next_part();
  packed_ = part_->is_packed();
}

// False: there is none. Only folders have more than the one that is open.
bool TextReader::next_part() {
  if (opened_ == parts_.size()) return false;
  if (part_) before_ += part_->consumed();
  part_ = std::make_unique<ByteReader>(parts_[opened_++]);
  fill_head();
  if (!head_.empty()) {
    if (!looked_)
      look_at_first();
    else if (!names_.empty())
      drop_names();
    looked_ = true;
  }
  if (!at_line_end_ && !head_.empty()) head_.insert(0, 1, '\n');  // the part before ended within a line
  return true;
}

void TextReader::fill_head() {
  head_.resize(head_bytes);
  handed_on_ = 0;
  std::size_t filled = 0;
  while (filled < head_.size())
    if (const std::size_t got = part_->read(head_.data() + filled, head_.size() - filled); got > 0)
      filled += got;
    else
      break;
  head_.resize(filled);
  head_.erase(0, filled - plain_text(head_, parts_[opened_ - 1]).size());
}

void TextReader::look_at_first() {
  if (is_libsvm(head_, options_)) return;
  delimiter_ = options_.delimiter.value_or(guess_delimiter(head_, options_.decimal));
  if (!options_.header.value_or(guess_header(head_, delimiter_, options_.decimal).header)) return;
  names_ = first_row(head_, delimiter_).fields;
  named_in_ = parts_[opened_ - 1];
}

void TextReader::drop_names() {
  const FirstRow row = first_row(head_, delimiter_);
  if (row.fields.empty()) return;  // blank lines
  if (row.fields != names_)
    fail_data(
        fmt::format("read: {} does not begin with the names of columns that {} begins with; parts of a table have "
                    "the same columns in the same order",
                    parts_[opened_ - 1], named_in_));
  head_.replace(0, row.bytes, std::size_t(row.lines), '\n');
}

std::int64_t TextReader::consumed() const {
  const auto waiting = std::int64_t(head_.size() - handed_on_);
  return before_ + part_->consumed() - (part_->is_packed() ? 0 : waiting);
}

std::size_t TextReader::read(char* to, std::size_t most) {
  std::size_t got = 0;
  do {
    if (handed_on_ < head_.size()) {
      got = std::min(most, head_.size() - handed_on_);
      std::memcpy(to, head_.data() + handed_on_, got);
      handed_on_ += got;
    } else {
      got = part_->read(to, most);
    }
  } while (got == 0 && next_part());
  if (got > 0) at_line_end_ = to[got - 1] == '\n';
  return got;
}

Bytes read_text(TextReader& reader, std::optional<double> most) {
  constexpr std::size_t block = std::size_t(4) << 20;
  if (most && !reader.is_packed() && double(reader.file_bytes()) > *most)
    fail_data(fmt::format("read: {}: {:.3g} MB of text are too much: {:.3g} MB of memory are allowed; {}",
                          reader.source(), double(reader.file_bytes()) / 1e6, *most / 1e6, less_text));
  // A plain file in one read, with one byte more to meet its end.
  std::size_t step = !reader.is_packed() && reader.file_bytes() > 0 ? std::size_t(reader.file_bytes()) + 1 : block;
  Bytes bytes;
  while (const std::size_t got = reader.read(bytes.room(step), step)) {
    if (bytes.size() == 0) (void)plain_text({bytes.room(0), got}, reader.source());  // refused before all of it is read
    bytes.grown(got);
    if (most && double(bytes.size()) > *most)
      fail_data(fmt::format("read: {}: more than {:.3g} MB of text are too much for the memory allowed; {}",
                            reader.source(), *most / 1e6, less_text));
    step = step > got ? step - got : block;
  }
  return bytes;
}

}  // namespace lacuna::detail
