#include "lacuna/base/warning.hpp"

#include <gtest/gtest.h>

#include <set>

namespace lacuna {
namespace warning_test {

TEST(Warning, EveryCodeHasANameOfItsOwnAndIsFoundByIt) {
  const std::vector<std::string> names = warning_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    EXPECT_EQ(std::size_t(warning_code(names[k])), k);
    EXPECT_EQ(name_of(Warning::Code(k)), names[k]);
  }
}

TEST(Warning, NamesThatAreNotKnownAreOther) {
  EXPECT_EQ(warning_code("of-the-future"), Warning::Code::other);
  EXPECT_EQ(warning_code(""), Warning::Code::other);
}

TEST(Warning, TextsAndNamesKeepTheirOrder) {
  const Warnings some{{Warning::Code::duplicate_rows, "b"}, {Warning::Code::at_bound, "a"}};
  EXPECT_EQ(warning_texts(some), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(warning_code_names(some), (std::vector<std::string>{"duplicate-rows", "at-bound"}));
}

}  // namespace warning_test
}  // namespace lacuna
