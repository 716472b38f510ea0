#include "lacuna/read/cell.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "lacuna/base/random.hpp"
#include "lacuna/data/dataset.hpp"

namespace lacuna::detail {
namespace cell_test {

TEST(Cell, MissingIsExactlyTheListedSpellings) {
  for (const char* text : {"", "NA", "N/A", "NaN", "nan", "?", "null", "NULL"})
    EXPECT_EQ(read_cell(text).kind, CellKind::missing);
  for (const char* text : {"na", "n/a", "Null", "-", "none", "."})
    EXPECT_EQ(read_cell(text).kind, CellKind::text) << text;
}

TEST(Cell, DecimalsEqualStrtodToTheLastBit) {
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const double x = (random.uniform() - 0.5) * std::pow(10.0, random.uniform(-300.0, 300.0));
    for (const int digits : {1, 5, 15, 16, 17, 19, 22}) {
      char text[64];
      std::snprintf(text, sizeof text, i % 2 ? "%.*g" : "%.*e", digits, x);
      const Cell cell = read_cell(text);
      ASSERT_EQ(cell.kind, CellKind::number) << text;
      ASSERT_EQ(cell.number, std::strtod(text, nullptr)) << text;
    }
  }
  for (const char* text : {"7", "-0.5", "+1e-3", ".5", "5.", "-.25", "123456789012345678901", "9007199254740993",
                           "0.000000000000000000000000000001", "00012", "1E5", "1e+05", "-0", "4.9e-324"})
    EXPECT_EQ(read_cell(text).number, std::strtod(text, nullptr)) << text;
}

TEST(Cell, ShortestDecimalsReadBackTheSameDouble) {
  Random random(4);
  for (int i = 0; i < 20000; ++i) {
    const double x = random.normal() * std::pow(10.0, random.uniform(-8.0, 8.0));
    EXPECT_EQ(read_cell(number_text(x)).number, x);
  }
}

TEST(Cell, NanAndInfinityInAnyCaseAndSignAreNotFinite) {
  for (const char* text :
       {"NAN", "-nan", "-NAN", "inf", "+Inf", "-infinity", "INFINITY", "1e400", "-1e999", "1e99999999999"})
    EXPECT_EQ(read_cell(text).kind, CellKind::not_finite) << text;
}

TEST(Cell, TooSmallForADoubleIsZero) {
  const std::string many_zeros = "0." + std::string(400, '0') + "1";
  for (const std::string& text : {std::string("1e-400"), std::string("-3e-99999999999"), many_zeros}) {
    EXPECT_EQ(read_cell(text).kind, CellKind::number) << text;
    EXPECT_EQ(read_cell(text).number, 0.0) << text;
  }
}

TEST(Cell, WhatOnlyBeginsLikeANumberIsText) {
  for (const char* text :
       {"1,5", "12a", "0x10", "1e", "1e+", "--1", "+-1", "-", "+", ".", "e5", "1 2", "1_000", "nanx", "in"})
    EXPECT_EQ(read_cell(text).kind, CellKind::text) << text;
}

}  // namespace cell_test
}  // namespace lacuna::detail
