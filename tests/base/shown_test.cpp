// Text from elsewhere is shown, never obeyed: no control character of any kind is left, and a line stays one line.
#include "lacuna/base/shown.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace shown_test {

TEST(Shown, LeavesOrdinaryTextAsItIs) {
  for (const char* text : {"", "age", "a b, \"c\" \\ d",
                           "gr\xc3\xb6\xc3\x9f"
                           "e",
                           "\xe4\xbd\x93\xe9\x87\x8d", "\xf0\x9f\x98\x80"})
    EXPECT_EQ(shown(text), text);
}

TEST(Shown, EscapesWhatATerminalObeys) {
  EXPECT_EQ(shown("a\nlacuna: done\r\t\x1b[2J\x07\x7f"), "a\\nlacuna: done\\r\\t\\x1b[2J\\x07\\x7f");
  EXPECT_EQ(shown(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(shown("\xc2\x9b"
                  "31m \xc2\x85"),
            "\\u009b31m \\u0085");  // C1, as UTF-8
  EXPECT_EQ(shown("\x9b"
                  "31m t\xe9l"),
            "\\x9b31m t\\xe9l");  // and as bytes
  EXPECT_EQ(shown("\xe2\x80\xae"
                  "evil\xe2\x81\xa6\xe2\x80\xa8"),
            "\\u202eevil\\u2066\\u2028");                                                       // direction, line end
  EXPECT_EQ(shown("\xc0\x9b \xed\xa0\x80 \xe2\x82"), "\\xc0\\x9b \\xed\\xa0\\x80 \\xe2\\x82");  // no UTF-8 at all
}

TEST(Shown, IsTheSameTheSecondTimeAndKeepsTheLinesOfAReport) {
  const std::string hostile =
      "x\x1b]0;title\x07\n\xc2\x9b"
      "2J\xff";
  EXPECT_EQ(shown(shown(hostile)), shown(hostile));
  EXPECT_EQ(shown_lines("a\nb\x1b\n"), "a\nb\\x1b\n");
}

TEST(Shown, LeavesNoByteThatIsObeyedWhateverComes) {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      const std::string out = shown(std::string{char(first), char(second)});
      for (std::size_t k = 0; k < out.size(); ++k) {
        const auto c = static_cast<unsigned char>(out[k]);
        ASSERT_TRUE(c >= 0x20 && c != 0x7f) << first << ' ' << second;
        if (c == 0xc2) {
          ASSERT_GE(static_cast<unsigned char>(out[k + 1]), 0xa0) << first << ' ' << second;
        }
      }
    }
}

}  // namespace shown_test
}  // namespace lacuna
