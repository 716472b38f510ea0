#include "lacuna/read/csv.hpp"

#include <cmath>

#include "tests/data/refusal.hpp"

namespace lacuna {
namespace csv_test {

using test::refusal;
using test::says;
using test::table_of;

std::string read_refusal(std::string_view text, const ReadOptions& options = {}) {
  return refusal([&] { parse_table(text, "houses.csv", options); });
}

TEST(Csv, NumbersAndTextsBecomeColumnsOfTheirKind) {
  const Table t = table_of("age,colour\n31,red\n4.5,blue\n-2e3,red\n");
  ASSERT_EQ(t.columns.size(), 2u);
  EXPECT_EQ(t.rows, 3);
  EXPECT_TRUE(t.has_header);
  EXPECT_EQ(t.columns[0].number, (std::vector<double>{31, 4.5, -2000}));
  EXPECT_FALSE(t.columns[0].whole);
  EXPECT_TRUE(t.columns[1].is_text);
  EXPECT_EQ(t.columns[1].levels, (std::vector<std::string>{"red", "blue"}));
  EXPECT_EQ(t.columns[1].code, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(t.line, (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(t.find("age"), &t.columns[0]);
  EXPECT_EQ(t.find("Age"), nullptr);
}

TEST(Csv, TheDelimiterIsDetected) {
  for (const std::string d : {",", ";", "\t", "|", " "}) {
    const Table t = table_of("a" + d + "b\n1" + d + "2\n3" + d + "4\n");
    ASSERT_EQ(t.columns.size(), 2u) << "delimiter '" << d << "'";
    EXPECT_EQ(t.columns[1].number, (std::vector<double>{2, 4}));
  }
  EXPECT_EQ(table_of("a b,c\nx y,1\nz w,2\n").columns.size(), 2u);  // blanks inside, commas between
  EXPECT_EQ(table_of("a\n1\n2\n").columns.size(), 1u);              // a single column
  EXPECT_EQ(table_of("a;b\n1;x,y\n2;z\n").columns.size(), 2u);      // a comma inside
  EXPECT_EQ(table_of("a;b\n1;2\n", {.delimiter = ','}).columns.size(), 1u);
}

TEST(Csv, RunsOfBlanksAreOneDelimiterAndThoseAtTheEndsAreNone) {
  const Table t = table_of("  0.1   2\t3  \n 4 5 6\n");
  ASSERT_EQ(t.columns.size(), 3u);
  EXPECT_EQ(t.columns[2].number, (std::vector<double>{3, 6}));
}

TEST(Csv, TheHeaderIsDetected) {
  EXPECT_FALSE(table_of("1,2\n3,4\n").has_header);
  EXPECT_EQ(table_of("1,2\n3,4\n").columns[1].name, "x2");
  EXPECT_TRUE(table_of("a,b\nx,1\n").has_header);
  EXPECT_FALSE(table_of("5.1,setosa\n4.9,virginica\n").has_header);
  EXPECT_TRUE(table_of("\"\",a\n1,2\n").has_header);  // row names of R
  const Table names = table_of("cap,class\nflat,p\nbell,e\nflat,e\n"), data = table_of("flat,p\nbell,e\nflat,e\n");
  EXPECT_TRUE(names.has_header);
  EXPECT_FALSE(data.has_header);
  EXPECT_TRUE(test::any_says(names.notes, "first row was taken as names"));
  EXPECT_TRUE(test::any_says(data.notes, "first row was taken as data"));
  EXPECT_TRUE(table_of("1,2\n3,4\n", {.header = true}).has_header);
  EXPECT_EQ(table_of("a,b\nc,1\n", {.header = false}).rows, 2);
}

TEST(Csv, QuotedFieldsHoldDelimitersQuotesAndLineEnds) {
  const Table t = table_of("name,\"x, y\"\n\"a,\"\"b\"\"\",1\n\"two\nlines\r\nand three\", 2\nplain \"quote\" ,3\n");
  EXPECT_EQ(t.columns[1].name, "x, y");
  EXPECT_EQ(t.columns[0].levels, (std::vector<std::string>{"a,\"b\"", "two\nlines\r\nand three", "plain \"quote\""}));
  EXPECT_EQ(t.columns[1].number, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(t.line, (std::vector<std::int64_t>{2, 3, 6}));
}

TEST(Csv, QuotedNumbersAreNumbersAndQuotedNothingIsMissing) {
  const Table t = table_of("a,b\n\"1.5\",\"\"\n\"2\",7\n");
  EXPECT_EQ(t.columns[0].number, (std::vector<double>{1.5, 2}));
  EXPECT_EQ(t.columns[1].missing, 1);
}

TEST(Csv, LineEndsMarksAndBlankLinesMakeNoDifference) {
  const Table plain = table_of("a,b\n1,2\n3,4\n");
  for (const char* text : {"a,b\r\n1,2\r\n3,4\r\n", "a,b\n1,2\n3,4",
                           "\xef\xbb\xbf"
                           "a,b\n1,2\n3,4\n",
                           "a,b\r1,2\r3,4\r", "\n\na,b\n\n1,2\n  \n3,4\n\n", "a, b\n1 ,2\n 3,\t4 \n"}) {
    const Table t = table_of(text);
    ASSERT_EQ(t.columns.size(), 2u) << text;
    EXPECT_EQ(t.columns[0].name, "a");
    EXPECT_EQ(t.columns[0].number, plain.columns[0].number) << text;
    EXPECT_EQ(t.columns[1].number, plain.columns[1].number) << text;
  }
  EXPECT_EQ(table_of("a,b\n\n1,2\n\n\n3,4").line, (std::vector<std::int64_t>{3, 6}));
}

TEST(Csv, MissingCellsAreCountedInBothKindsOfColumn) {
  const Table t = table_of("a,b,c\n1,x,1\nNA,?,2\n,N/A,3\n4,null,4\n");
  EXPECT_FALSE(t.columns[0].is_text);
  EXPECT_EQ(t.columns[0].missing, 2);
  EXPECT_EQ(t.columns[0].first_missing, 1);
  EXPECT_TRUE(std::isnan(t.columns[0].number[2]));
  EXPECT_TRUE(t.columns[0].whole);
  EXPECT_EQ(t.columns[1].missing, 3);
  EXPECT_EQ(t.columns[1].first_missing, 1);
  EXPECT_EQ(t.columns[1].code, (std::vector<std::int32_t>{0, -1, -1, -1}));
}

TEST(Csv, AColumnThatTurnsOutToBeTextKeepsItsEarlierSpellings) {
  const Table t = table_of("a,b\n01,1\n1.50,2\nNA,3\nseven,4\n");
  EXPECT_EQ(t.columns[0].levels, (std::vector<std::string>{"01", "1.50", "seven"}));
  EXPECT_EQ(t.columns[0].first_missing, 2);
}

TEST(Csv, ColumnsAskedForAsTextStayText) {
  const Table t = table_of("zip,b\n01,1\n1,2\n", {.as_text = {"zip", "2"}});
  EXPECT_EQ(t.columns[0].levels, (std::vector<std::string>{"01", "1"}));
  EXPECT_TRUE(t.columns[1].is_text);
  EXPECT_TRUE(says(refusal([] { table_of("zip,b\n01,1\n", {.as_text = {"zib"}}); }), {"zib", "did you mean 'zip'"}));
}

TEST(Csv, InfinityIsAWordInAColumnOfWords) {
  EXPECT_EQ(table_of("a,b\nInf,1\nfoo,2\n").columns[0].levels, (std::vector<std::string>{"Inf", "foo"}));
}

TEST(Csv, RefusesInfinityInAColumnOfNumbersNamingThePlace) {
  const std::string message = read_refusal("x,rooms\n1,2\n3,2\n-nan,3\n");
  EXPECT_EQ(
      read_refusal("x,rooms\n1,2\n3,-Inf\n"),
      "read: houses.csv line 3, column 2 (rooms): \"-Inf\" is not a finite number; a missing value is left empty or "
      "written NA");
  EXPECT_TRUE(says(message, {"line 4, column 1 (x)", "\"-nan\""}));
  EXPECT_TRUE(says(read_refusal("1,2\n3,1e999\n"), {"houses.csv line 2, column 2:", "\"1e999\""}));
}

TEST(Csv, DatesAreDaysWhereEveryCellIsOne) {
  const Table table = table_of("d,x\n1970-01-03,1\nNaN,2\n1969-12-31T12:00Z,3\n");
  EXPECT_TRUE(table.columns[0].dates);
  EXPECT_FALSE(table.columns[1].dates);
  EXPECT_EQ(table.columns[0].number[0], 2.0);
  EXPECT_TRUE(std::isnan(table.columns[0].number[1]));
  EXPECT_EQ(table.columns[0].number[2], -0.5);
  // With a word among them, or asked for as text, they are words.
  EXPECT_TRUE(table_of("d,x\n1970-01-03,1\nsoon,2\n").columns[0].is_text);
  EXPECT_TRUE(table_of("d,x\n1970-01-03,1\n", {.as_text = {"d"}}).columns[0].is_text);
  EXPECT_TRUE(
      says(read_refusal("d,x\n5,1\n1970-01-03,2\n"), {"line 3, column 1 (d)", "a date in a column of numbers"}));
}

TEST(Csv, DecimalCommas) {
  const ReadOptions options{.decimal = ','};
  const Table table = table_of("a;b\n1,5;-2\n0,25;1e3\n", options);
  EXPECT_TRUE(table.has_header);
  EXPECT_EQ(table.columns[0].number, (std::vector<double>{1.5, 0.25}));
  EXPECT_EQ(table.columns[1].number, (std::vector<double>{-2.0, 1000.0}));
  const TextCells stray = table_of("a;b\n1,5;1\n1.234,5;2\n2,5;3\n", options).columns[0].text;
  EXPECT_EQ(stray.numbers, 2);  // by the decimal sign that was given
  EXPECT_EQ(stray.other_decimals, 0);
  EXPECT_EQ(stray.stray, "1.234,5");
  EXPECT_TRUE(table_of("a;b\n1.5;-2\n", options).columns[0].is_text);  // a point is then no decimal sign
  EXPECT_FALSE(table_of("1,5;2,5\n3,5;4,5\n", options).has_header);
  EXPECT_THROW(table_of("a,b\n1,2\n", {.delimiter = ',', .decimal = ','}), Error);
}

TEST(Csv, RefusesARaggedRowNamingLineAndFields) {
  EXPECT_EQ(read_refusal("a,b,c\n1,2,3\n4,5\n"),
            "read: houses.csv line 3: 2 fields found, 3 expected as in the first row");
  EXPECT_TRUE(says(read_refusal("a,b,c\n1,2,3\n4,5,6,7,8\n"), {"line 3", "5 fields found, 3 expected"}));
  EXPECT_TRUE(says(read_refusal("a,b\n1,2,\n"), {"line 2", "3 fields found, 2 expected"}));
}

TEST(Csv, RefusesAnEmptyFileAndAHeaderWithoutRows) {
  for (const char* text : {"", "\n\n", "  \r\n", "\xef\xbb\xbf"})
    EXPECT_EQ(read_refusal(text), "read: houses.csv: the file is empty");
  EXPECT_EQ(read_refusal("a,b\n"), "read: houses.csv: there are column names but no rows");
}

TEST(Csv, RefusesTwoColumnsOfOneName) {
  EXPECT_TRUE(says(read_refusal("a,b,a\n1,2,3\n"), {"houses.csv line 1", "columns 1 and 3", "\"a\""}));
}

TEST(Csv, RefusesQuotesThatDoNotMatchNamingWhereTheyOpen) {
  EXPECT_TRUE(says(read_refusal("a,b\n1,2\n3,\"x\n4,5\n"), {"line 3, column 2 (b)", "never closed"}));
  EXPECT_TRUE(says(read_refusal("a,b\n1,\"x\"y\n"), {"line 2, column 2 (b)", "closing quote"}));
}

TEST(Csv, AThousandColumnsAndManyRowsKeepTheirPlaces) {
  std::string text;
  for (int j = 0; j < 1000; ++j) text += (j ? "," : "") + std::string("c") + std::to_string(j);
  text += '\n';
  for (int i = 0; i < 300; ++i)
    for (int j = 0; j < 1000; ++j) text += std::to_string(1000 * i + j) + (j == 999 ? '\n' : ',');
  const Table t = table_of(text);
  ASSERT_EQ(t.rows, 300);
  for (std::size_t j : {0u, 500u, 999u})
    for (std::size_t i : {0u, 137u, 299u}) EXPECT_EQ(t.columns[j].number[i], double(1000 * i + j));
}

}  // namespace csv_test
}  // namespace lacuna
