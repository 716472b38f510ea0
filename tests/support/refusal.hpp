// What a refusal says.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/base/warning.hpp"

namespace lacuna::test {

/// The message of the lacuna::Error that `f` throws; "" when it throws none.
template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

/// The same, of a caller's mistake.
template <class F>
std::string usage_refusal(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), Error::Kind::usage);
    return e.what();
  }
  return "accepted";
}

/// Whether `text` holds every one of these parts.
inline ::testing::AssertionResult says(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos)
      return ::testing::AssertionFailure() << "\"" << text << "\" does not say \"" << part << "\"";
  return ::testing::AssertionSuccess();
}

inline bool any_says(const Warnings& warnings, std::string_view part) {
  return std::ranges::any_of(warnings, [&](const Warning& w) { return w.text.find(part) != w.text.npos; });
}
inline bool any_says(const std::vector<std::string>& notes, std::string_view part) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& n) { return n.find(part) != n.npos; });
}

}  // namespace lacuna::test
