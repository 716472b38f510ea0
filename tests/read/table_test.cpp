#include "lacuna/read/table.hpp"

#include <unistd.h>

#include <cstdio>

#include "tests/data/refusal.hpp"
#include "tests/read/gzip.hpp"
#include "tests/support/temporary.hpp"

namespace lacuna {
namespace table_test {

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
}

TEST(Table, RefusesBinaryFilesAndOtherEncodings) {
  const auto parse = [](std::string_view bytes) { return refusal([&] { parse_table(bytes, "t"); }); };
  EXPECT_TRUE(says(parse(std::string_view("a,b\0\0\0x", 7)), {"not a text file", "zero bytes"}));
  EXPECT_TRUE(says(parse(std::string_view("PK\3\4\0\0\0x", 8)), {"not a text file but a zip file", "CSV"}));
  EXPECT_TRUE(says(parse(std::string_view("PAR1\x15\0", 6)), {"not a text file but Parquet", "Python"}));
  EXPECT_EQ(parse_table("PAR1,b\n1,2\n", "t").columns[0].name, "PAR1");
  EXPECT_TRUE(says(parse("\xff\xfe"
                         "a"),
                   {"UTF-16"}));
}

// Whole files in the shapes and spellings of published sets (tests/shared_data reads the real ones where they are).
TEST(Table, FilesShapedLikePublishedSetsAreReadWithTheirHeaderAndNumbers) {
  struct Shape {
    const char* name;
    std::int64_t rows;
    int columns;
    bool header, packed;
    const char* cells[3];  // one after another, row by row
  };
  for (const Shape& shape : {Shape{"banana", 5300, 3, true, false, {"-2.1061624", "0.068647001", "1"}},
                             Shape{"banana.train", 100, 401, false, false, {"1", "1145", "4675"}},
                             Shape{"boston", 506, 14, true, false, {"0.00632", "18", "396.9"}},
                             Shape{"a9a", 32561, 124, true, true, {"0", "1", "-1"}},
                             Shape{"casp", 45730, 10, true, true, {"13558.3", "1872790.507", "102"}}}) {
    std::string written;
    if (shape.header)
      for (int j = 0; j < shape.columns; ++j) written += (j ? ",x" : "x") + std::to_string(j + 1);
    if (shape.header) written += '\n';
    std::int64_t cell = 0;
    for (std::int64_t i = 0; i < shape.rows; ++i) {
      for (int j = 0; j < shape.columns; ++j) {
        if (j) written += ',';
        written += shape.cells[cell++ % 3];
      }
      written += '\n';
    }
    const TemporaryFile file(shape.packed ? gzipped(written) : written);
    const Table t = read_table(file.path());
    EXPECT_EQ(t.rows, shape.rows) << shape.name;
    ASSERT_EQ(t.columns.size(), std::size_t(shape.columns)) << shape.name;
    EXPECT_EQ(t.has_header, shape.header) << shape.name;
    for (const Column& c : t.columns) EXPECT_FALSE(c.is_text) << shape.name << " " << c.name;
    EXPECT_EQ(t.columns.back().number.back(), std::stod(shape.cells[(cell - 1) % 3])) << shape.name;
  }
}

TEST(Table, IsTakenApartByRows) {
  const Table table = parse_table("x,c\n1,a\n,b\n3,a\n4,\n", "t");
  const std::vector<Index> rows{3, 1};
  const Table part = take_rows(table, rows);
  EXPECT_EQ(part.rows, 2);
  EXPECT_EQ(part.columns[0].number[0], 4.0);
  EXPECT_EQ(part.columns[0].missing, 1);
  EXPECT_EQ(part.columns[0].first_missing, 1);
  EXPECT_EQ(part.columns[1].first_missing, 0);
  EXPECT_EQ(part.line[0], 5);
  EXPECT_EQ(part.line[1], 3);
}

}  // namespace table_test
}  // namespace lacuna
