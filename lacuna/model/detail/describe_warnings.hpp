// model/detail/describe_warnings.hpp -- warnings in files: their texts, as ever, and beside them the names of their
// codes, which older files do not have.
#pragma once

#include "lacuna/base/warning.hpp"
#include "lacuna/model/detail/fields.hpp"

namespace lacuna::detail {

template <class At>
void describe_warnings(At& at, Warnings& warnings) {
  std::vector<std::string> text = warning_texts(warnings), code = warning_code_names(warnings);
  at.texts("warnings", text, Texts::any);
  const bool coded = at.optional("warning_codes", !warnings.empty());
  if (coded) at.texts("warning_codes", code, Texts::any);
  at.require(!coded || code.size() == text.size(), "there is not one code for each warning");
  if constexpr (At::reading) {
    warnings.clear();
    for (std::size_t k = 0; k < text.size(); ++k)
      warnings.push_back({coded ? warning_code(code[k]) : Warning::Code::other, std::move(text[k])});
  }
}

}  // namespace lacuna::detail
