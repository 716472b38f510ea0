// A folder of parts is read as the one file that they were.
#include "lacuna/read/detail/parts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lacuna/read/table_on_disk.hpp"
#include "tests/data/refusal.hpp"
#include "tests/read/gzip.hpp"
#include "tests/support/temporary.hpp"

namespace lacuna {
namespace parts_test {

using test::refusal;
using test::TemporaryFolder;

std::string text_of(const TemporaryFolder& folder, const ReadOptions& options = {}) {
  detail::TextReader reader(folder.path().string(), options);
  const detail::Bytes bytes = detail::read_text(reader);
  return std::string(bytes.view());
}

TEST(Parts, FollowEachOtherByNameAndNamesOfColumnsAreTakenOnce) {
  TemporaryFolder folder;
  folder.write("part-2.csv", "a,kind\n3,p\n4,q\n");
  folder.write("part-1.csv", "a,kind\n1,p\n2,\n");
  folder.write("part-3.csv", "\xef\xbb\xbf\"a\",\"kind\"\r\n5,r\r\n");  // another engine's way to write the same names
  folder.write("_SUCCESS", "");
  folder.write(".part-1.csv.crc", "junk");
  EXPECT_EQ(text_of(folder), "a,kind\n1,p\n2,\n\n3,p\n4,q\n\n5,r\r\n");
  const Table table = read_table(folder.path().string());
  EXPECT_EQ(table.rows, 5);
  EXPECT_EQ(table.find("a")->number, (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(table.find("kind")->code, (std::vector<std::int32_t>{0, -1, 0, 1, 2}));
  EXPECT_EQ(table.line[2], 5);  // as in `cat folder/*`
  EXPECT_EQ(table.line[4], 8);
}

TEST(Parts, WithoutNamesEveryRowIsOneEvenIfAllPartsBeginAlike) {
  TemporaryFolder folder;
  folder.write("a", "1,2\n3,4\n");
  folder.write("b", "1,2\n");
  EXPECT_EQ(read_table(folder.path().string()).rows, 3);
  TemporaryFolder words;
  words.write("a", "p,q\n");
  words.write("b", "p,q\n1,2");
  EXPECT_EQ(read_table(words.path().string(), {.header = false}).rows, 3);
  EXPECT_EQ(read_table(words.path().string(), {.header = true}).rows, 1);
}

TEST(Parts, MayBeEmptyOrOfNamesAloneOrPackedOrEndWithinALine) {
  TemporaryFolder folder;
  folder.write("1", "");
  folder.write("2", "a,b\n");
  folder.write("3", test::gzipped("a,b\n1,2"));
  folder.write("4", "");
  folder.write("5", "a,b\n3,4");
  folder.write("6", "a,b\n");
  const Table table = read_table(folder.path().string());
  EXPECT_EQ(table.find("b")->number, (std::vector<double>{2, 4}));
}

TEST(Parts, OfSparseTextHaveNoNames) {
  TemporaryFolder folder;
  folder.write("a.svm", "1 1:2 3:4\n-1 2:1\n");
  folder.write("b.svm", "1 1:2 3:4\n");
  const Table table = read_table(folder.path().string());
  EXPECT_EQ(table.rows, 3);
  EXPECT_EQ(table.sparse->value, (std::vector<double>{2, 4, 1, 2, 4}));
}

// A text that shows late, and parts that are longer than what is looked at when one is opened.
TEST(Parts, StayOnDiskAsOneFileDoes) {
  TemporaryFolder parts, whole;
  std::string all = "x,y,kind\n";
  for (int k = 0; k < 3; ++k) {
    std::string part;
    for (int i = 0; i < 60000; ++i) part += fmt::format("{}.{},-1,{}\n", k, i, k == 2 ? "late" : "7");
    parts.write("part-" + std::to_string(k), "x,y,kind\n" + part);
    all += part;
  }
  const std::string file = whole.write("all.csv", all);
  const Table expected = read_table(file), here = read_table(parts.path().string());
  const Table streamed = stream_table(parts.path().string(), {}, {.window_bytes = 100000});
  ASSERT_EQ(here.rows, 180000);
  EXPECT_EQ(streamed.rows, here.rows);
  for (const std::size_t j : {0, 1, 2}) {
    EXPECT_EQ(here.columns[j].number, expected.columns[j].number);
    EXPECT_EQ(here.columns[j].code, expected.columns[j].code);
    EXPECT_EQ(here.columns[j].levels, expected.columns[j].levels);
    EXPECT_EQ(streamed.columns[j].levels, expected.columns[j].levels);
  }
  EXPECT_EQ(cache_bytes(streamed), cache_bytes(stream_table(file, {}, {.window_bytes = 100000})));
  const TableEstimate one = estimate_table(file, {}), several = estimate_table(parts.path().string(), {});
  EXPECT_NEAR(several.rows / one.rows, 1.0, 0.02);
}

TEST(Parts, OfOtherColumnsAreRefused) {
  for (const char* second : {"b,a\n1,2\n", "a\n1\n", "3,4\n", "a,b,c\n1,2,3\n"}) {
    TemporaryFolder folder;
    const std::string first = folder.write("1.csv", "a,b\n1,2\n"), other = folder.write("2.csv", second);
    const std::string said = refusal([&] { read_table(folder.path().string()); });
    EXPECT_NE(said.find(other + " does not begin with the names of columns that " + first), std::string::npos) << said;
  }
}

TEST(Parts, AreFilesOfText) {
  TemporaryFolder folder;
  EXPECT_NE(refusal([&] { read_table(folder.path().string()); }).find("no file in the folder"), std::string::npos);
  folder.write("1.csv", "a,b\n1,2\n");
  std::filesystem::create_directory(folder.path() / "more");
  EXPECT_NE(refusal([&] { read_table(folder.path().string()); }).find("more is no file"), std::string::npos);
  std::filesystem::remove(folder.path() / "more");
  const std::string packed = folder.write("2.parquet", std::string("PAR1\0\0", 6));
  EXPECT_NE(refusal([&] { read_table(folder.path().string()); }).find(packed + ": not a text file"), std::string::npos);
}

}  // namespace parts_test
}  // namespace lacuna
