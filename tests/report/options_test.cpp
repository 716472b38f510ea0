// Options named by the library, in the words of the command line.
#include "lacuna/report/options.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace options_test {

TEST(Options, BecomeFlags) {
  EXPECT_EQ(with_flags("raise `memory`, or take `basis=500`"), "raise --memory, or take --basis 500");
  EXPECT_EQ(with_flags("`cv=explicit:loo` refits"), "--cv explicit:loo refits");
  EXPECT_EQ(with_flags("raise `max_evaluations`"), "raise --max-evaluations");
  EXPECT_EQ(with_flags("`ignore=my column` leaves it out"), "--ignore my column leaves it out");
}

TEST(Options, OtherBackquotesStay) {
  for (const char* text : {"", "no mention", "a lone ` stays", "`Upper` and `1`", "``", "`=5`", "column \"`x y`\""})
    EXPECT_EQ(with_flags(text), text);
  EXPECT_EQ(with_flags("a ` and `group=COL`"), "a ` and --group COL");
}

}  // namespace options_test
}  // namespace lacuna
