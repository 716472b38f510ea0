// read/detail/sniff.hpp -- what a text is, guessed from its first hundred rows: sparse LIBSVM lines or a table, which
// delimiter, whether the first row holds names. Every guess can be overruled in ReadOptions.
//
//   LIBSVM     most rows are `label index:value index:value ...`
//   delimiter  the one of tab ; , | that cuts most rows into as many fields as the first (at least two); the blank only
//              when none of these does so for more than half the rows; a single column when nothing does
//   header     no cell of the first row is a number, and below it some cell is one; in a table without any number,
//              when no cell of the first row occurs again in its column
#pragma once

#include <string_view>

#include "lacuna/read/table.hpp"

namespace lacuna::detail {

/// As asked for, or as it looks.
bool is_libsvm(std::string_view text, const ReadOptions& options);
char guess_delimiter(std::string_view text, char decimal);

struct HeaderGuess {
  bool header = false;
  bool sure = true;  ///< false: there is no number in sight to tell names from values
};
HeaderGuess guess_header(std::string_view text, char delimiter, char decimal);

}  // namespace lacuna::detail
