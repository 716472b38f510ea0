// A page is written whatever it is to hold.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lacuna/report/page/page.hpp"

namespace lacuna {
namespace page_size_test {

TEST(PageSize, TheLargestChartsAndTablesMakeRoom) {
  if (!why_no_page().empty()) GTEST_SKIP() << why_no_page();
  nlohmann::ordered_json blocks = nlohmann::ordered_json::array();
  for (int k = 0; k < 30; ++k)
    blocks.push_back({{"kind", "table"},
                      {"title", "Table " + std::to_string(k)},
                      {"columns", {{{"title", "text"}}}},
                      {"rows", {{std::string(std::size_t(10'000 * (k + 1)), '<')}}}});
  const nlohmann::ordered_json grid{{"kind", "grid"}, {"blocks", blocks}};
  const nlohmann::ordered_json page{{"title", "t"},
                                    {"subtitle", ""},
                                    {"footer", ""},
                                    {"sections", {{{"id", "s"}, {"title", "s"}, {"blocks", {grid}}}}},
                                    {"fit", {{"classes", std::string(3'000'000, 'x')}}}};
  const std::string html = page_html(page);
  EXPECT_LE(html.size(), 2'000'000U);
  EXPECT_NE(html.find("Table 29 is not shown"), std::string::npos);
  EXPECT_EQ(html.find("Table 0 is not shown"), std::string::npos);
  EXPECT_NE(html.find("left_out"), std::string::npos);
}

}  // namespace page_size_test
}  // namespace lacuna
