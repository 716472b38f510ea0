// read/libsvm.hpp -- LIBSVM's sparse text to a Table; read_table() is the usual door.
//
//   label index:value index:value ...   # comment
//
// One row a line; indices ascend; what is not listed is 0. Indices count from 1, or from 0 when index 0 occurs
// anywhere in the file (a note says so). Labels are numbers or words and become the column "target"; ?, NA and the
// other spellings of a missing cell are missing labels. The number of columns is the largest index seen: no memory is
// spent on indices that do not occur, so a stray index of two thousand million costs nothing.
//
// Refused, with line and value: indices that do not ascend, are no whole numbers or exceed 2^31 - 2; values that are
// no finite numbers; a line without label; ranking data (qid).
#pragma once

#include <string>
#include <string_view>

#include "lacuna/read/table.hpp"

namespace lacuna {

/// Requires: `text` is unpacked and without byte-order mark. Throws Error(data) as above.
Table parse_libsvm(std::string_view text, const std::string& source, const ReadOptions& options);

}  // namespace lacuna
