// report/shell_word.hpp -- words of a command as a shell reads them.
#pragma once

#include <string>

namespace lacuna {

/// The word, in single quotes where a shell would read one of its characters in another way.
std::string shell_word(const std::string& word);

}  // namespace lacuna
