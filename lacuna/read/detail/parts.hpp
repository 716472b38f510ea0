// read/detail/parts.hpp -- the text of a file, or of all files of a folder as one text: parts of one table, as Spark,
// Dask and `split` write them.
//
// Parts follow each other in the order of their names. A name that begins with "." or "_" is an engine's mark and no
// part; a part may be empty. When the first begins with names of columns (as asked for, or as it looks), every other
// must begin with the same names, and blank lines take their place. So lines are those of `cat folder/*`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/read/detail/bytes.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna::detail {

/// The files of a folder that are parts, by name. Throws Error(data) when there is none, or anything but files.
std::vector<std::string> parts_of(const std::string& folder);

/// A ByteReader for both.
class TextReader {
 public:
  /// Of one file.
  explicit TextReader(const std::string& path);
  /// Throws Error(data) as ByteReader does, and when a part has other names than the first, by then or in read().
  TextReader(const std::string& path, const ReadOptions& options);

  std::size_t read(char* to, std::size_t most);
  const std::string& source() const { return source_; }
  bool is_packed() const { return packed_; }               ///< the first part
  std::int64_t file_bytes() const { return file_bytes_; }  ///< of all parts
  std::int64_t consumed() const;                           ///< of them, turned into text

 private:
  bool next_part();
  void fill_head();
  void look_at_first();
  void drop_names();

  std::unique_ptr<ByteReader> part_;  // the one that is open
  std::string source_;
  ReadOptions options_{};
  std::vector<std::string> parts_{};  // of a folder
  std::size_t opened_ = 0;
  bool packed_ = false;
  std::int64_t file_bytes_ = 0, before_ = 0;
  std::string head_{};         // the beginning of a part that has not been handed on
  std::size_t handed_on_ = 0;  // of it
  bool at_line_end_ = true;
  bool looked_ = false;  // at a part that is not empty
  char delimiter_ = ',';
  std::vector<std::string> names_{};  // none: parts begin with rows
  std::string named_in_{};
};

/// What can be done where there is too much of it.
inline constexpr const char* less_text =
    "raise `memory`, take a part of the rows, or save it to a file, of which fit with `basis=auto` and predict keep "
    "the "
    "rows on disk";

/// The whole text. Throws Error(data) when it is longer than `most`.
Bytes read_text(TextReader& reader, std::optional<double> most = {});

}  // namespace lacuna::detail
