#include "lacuna/data/table.hpp"

#include <unistd.h>

#include <cstdio>

#include "tests/data/gzip.hpp"
#include "tests/data/refusal.hpp"
#include "tests/support/temporary.hpp"

namespace lacuna {
namespace {

using test::gzipped;
using test::refusal;
using test::says;
using test::TemporaryFile;

const std::string text = "a,b\n1,2\n3,4\n";

TEST(Table, AFileReadsLikeItsText) {
  const TemporaryFile file(text);
  const Table t = read_table(file.path());
  EXPECT_EQ(t.source, file.path());
  EXPECT_EQ(t.columns[1].number, (std::vector<double>{2, 4}));
}

TEST(Table, GzipIsKnownByItsFirstBytesAndMembersAreJoined) {
  const TemporaryFile one(gzipped(text));
  EXPECT_EQ(read_table(one.path()).columns[1].number, (std::vector<double>{2, 4}));
  const TemporaryFile two(gzipped(text) + gzipped("5,6\n") + std::string(64, '\0'));
  EXPECT_EQ(read_table(two.path()).columns[1].number, (std::vector<double>{2, 4, 6}));
}

TEST(Table, ALargeGzipFileIsUnpackedWhole) {
  std::string big = "a,b\n";
  for (int i = 0; i < 400000; ++i) big += std::to_string(i) + ",7\n";
  const TemporaryFile file(gzipped(big));
  const Table t = read_table(file.path());
  ASSERT_EQ(t.rows, 400000);
  EXPECT_EQ(t.columns[0].number.back(), 399999.0);
}

TEST(Table, RefusesTruncatedAndDamagedGzip) {
  std::string big = "a,b\n";
  for (int i = 0; i < 10000; ++i) big += std::to_string(i * 7919 % 10007) + ",7\n";
  const std::string packed = gzipped(big);
  const TemporaryFile cut(packed.substr(0, packed.size() / 2));
  EXPECT_TRUE(says(refusal([&] { read_table(cut.path()); }), {cut.path(), "end early"}));
  std::string wrong = packed;
  for (std::size_t i = 40; i < 80; ++i) wrong[i] = char(~wrong[i]);
  const TemporaryFile damaged(wrong);
  EXPECT_TRUE(says(refusal([&] { read_table(damaged.path()); }), {damaged.path(), "gzip"}));
}

TEST(Table, DashIsStandardInput) {
  const TemporaryFile file(gzipped(text));
  const int saved = dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(file.path().c_str(), "rb", stdin), nullptr);
  const Table t = read_table("-");
  dup2(saved, STDIN_FILENO);
  close(saved);
  EXPECT_EQ(t.source, "standard input");
  EXPECT_EQ(t.columns[0].number, (std::vector<double>{1, 3}));
}

TEST(Table, RefusesWhatCannotBeOpenedOrReadSayingWhy) {
  EXPECT_TRUE(says(refusal([] { read_table("no/such/file.csv"); }), {"no/such/file.csv", "No such file"}));
  EXPECT_TRUE(says(refusal([] { read_table(std::filesystem::temp_directory_path().string()); }), {"directory"}));
}

TEST(Table, RefusesBinaryFilesAndOtherEncodings) {
  const auto parse = [](std::string_view bytes) { return refusal([&] { parse_table(bytes, "t"); }); };
  EXPECT_TRUE(says(parse(std::string_view("PK\3\4\0\0\0x", 8)), {"not a text file"}));
  EXPECT_TRUE(says(parse("\xff\xfe"
                         "a"),
                   {"UTF-16"}));
}

TEST(Table, RealFilesAreReadAsTheirReadmeSays) {
  const std::filesystem::path folder = LACUNA_SHARED_DATA;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "benchmark data are not here: " << folder;
  struct Known {
    const char* path;
    std::int64_t rows;
    std::size_t columns;
  };
  for (const Known& known :
       {Known{"ida/banana.csv", 5300, 3}, Known{"ida/titanic.csv", 2201, 4}, Known{"mass/boston.csv", 506, 14},
        Known{"wcci2006/ada_train.csv", 4147, 49}, Known{"a9a/a9a_train.csv.gz", 32561, 124},
        Known{"casp/casp.csv.gz", 45730, 10}, Known{"ohlsson/ohlsson_mc_claims.csv", 64548, 8}}) {
    const Table t = read_table((folder / known.path).string());
    EXPECT_EQ(t.rows, known.rows) << known.path;
    EXPECT_EQ(t.columns.size(), known.columns) << known.path;
    EXPECT_TRUE(t.has_header) << known.path;
    for (const Column& c : t.columns) EXPECT_FALSE(c.is_text) << known.path << " " << c.name;
  }
  EXPECT_FALSE(read_table((folder / "ida/banana.train.csv").string()).has_header);
}

}  // namespace
}  // namespace lacuna
