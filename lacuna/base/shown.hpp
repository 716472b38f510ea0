// base/shown.hpp -- text that came from elsewhere (column names, labels, file names, options) as it is shown to people.
// A terminal obeys control characters and a log is read line by line, so a name could erase what stands above it or
// forge a message of the program. Here every character that is obeyed rather than shown becomes an escape:
//
//   \n \t \r \x1b          control characters, and bytes that are not UTF-8
//   \u0085 \u202e          control characters of the second set, marks that turn the direction of writing, line ends
//
// Files of data (CSV, JSON) do not pass through here: they are exact, with quotes and escapes of their own.
#pragma once

#include <string>
#include <string_view>

namespace lacuna {

/// One line, whatever the text holds. What was shown once stays as it is.
std::string shown(std::string_view text);

/// Several lines of a report: line feeds stay, all else is as above. Names go through shown() when they enter it, since
/// here theirs could not be told from the report's own.
std::string shown_lines(std::string_view text);

}  // namespace lacuna
