// A table that is read in pieces equals the table that is read whole: the same columns, the same rows after encoding,
// the same refusals. Windows of a few bytes put every seam everywhere.
#include "lacuna/read/table_on_disk.hpp"

#include <gtest/gtest.h>

#include "lacuna/base/random.hpp"
#include "lacuna/data/rows_on_disk.hpp"
#include "lacuna/read/cell_store.hpp"
#include "tests/data/refusal.hpp"
#include "tests/read/gzip.hpp"
#include "tests/support/temporary.hpp"

namespace lacuna {
namespace table_on_disk_test {

using test::refusal;

class File : public test::TemporaryFile {
 public:
  explicit File(std::string_view text, bool packed = false)
      : TemporaryFile(packed ? test::gzipped(std::string(text)) : std::string(text)) {}
};

constexpr std::size_t windows[] = {7, 40, 300, 4 << 20};

void expect_same(const Column& a, const Column& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.is_text, b.is_text) << a.name;
  EXPECT_EQ(a.levels, b.levels) << a.name;
  EXPECT_EQ(a.code, b.code) << a.name;
  EXPECT_EQ(a.missing, b.missing) << a.name;
  EXPECT_EQ(a.first_missing, b.first_missing) << a.name;
  EXPECT_EQ(a.whole, b.whole) << a.name;
  EXPECT_EQ(a.text.numbers, b.text.numbers) << a.name;
  EXPECT_EQ(a.text.stray, b.text.stray) << a.name;
  ASSERT_EQ(a.number.size(), b.number.size()) << a.name;
  for (std::size_t i = 0; i < a.number.size(); ++i)
    EXPECT_TRUE(a.number[i] == b.number[i] || (std::isnan(a.number[i]) && std::isnan(b.number[i]))) << a.name << i;
}

void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.task, b.task);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.targets, b.targets);
  EXPECT_EQ(a.target_names, b.target_names);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.train_weights, b.train_weights);
  EXPECT_EQ(a.select_weights, b.select_weights);
  EXPECT_EQ(a.group, b.group);
  EXPECT_EQ(a.group_names, b.group_names);
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.prices, b.prices);
  EXPECT_EQ(a.source_row, b.source_row);
  EXPECT_EQ(a.notes, b.notes);
}

RowMatrix dense(const RowsView& X) {
  RowMatrix out(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i) dense_row(X, i, out.row(i).data());
  return out;
}

// Inputs in blocks, and one by one backwards.
void expect_same_inputs(const Rows& all, const RowSource& X) {
  ASSERT_EQ(all.rows(), X.rows());
  const RowMatrix expected = dense(all);
  for (const Index block : {Index(1), Index(3), X.rows()})
    for (Index first = 0; first < X.rows(); first += block) {
      const Index count = std::min(block, X.rows() - first);
      const RowSource::Block part = X.block(first, count);
      EXPECT_EQ(RowsView(part).is_sparse(), all.is_sparse());
      EXPECT_EQ(dense(part), expected.middleRows(first, count));
    }
  std::vector<Index> backwards;
  for (Index i = X.rows(); i-- > 0;) backwards.push_back(i);
  EXPECT_EQ(dense(X.copy(backwards)), expected.colwise().reverse());
}

void expect_same_prepared(const Table& whole, const Table& pieces, const Encoding& encoding) {
  const Prepared expected = prepare(whole, encoding);
  const StreamedPrepared streamed = prepare_streamed(pieces, encoding);
  EXPECT_EQ(expected.source_row, streamed.source_row);
  EXPECT_EQ(expected.offset, streamed.offset);
  EXPECT_EQ(expected.notes, streamed.notes);
  expect_same_inputs(expected.X, streamed.X);
}

void expect_equal_reading(std::string_view text, const DataOptions& options, const ReadOptions& reading = {}) {
  for (const bool packed : {false, true}) {
    const File file(text, packed);
    const Table whole = read_table(file.path(), reading);
    const Encoded encoded = encode(whole, options);
    for (const std::size_t window : windows) {
      SCOPED_TRACE("window " + std::to_string(window) + (packed ? " packed" : ""));
      Table pieces = stream_table(file.path(), reading, {.window_bytes = window});
      EXPECT_EQ(whole.rows, pieces.rows);
      EXPECT_EQ(whole.line, pieces.line);
      EXPECT_EQ(whole.notes, pieces.notes);
      EXPECT_EQ(whole.has_header, pieces.has_header);
      ASSERT_EQ(whole.columns.size(), pieces.columns.size());
      for (std::size_t j = 0; j < whole.columns.size(); ++j)
        expect_same(whole.columns[j], *detail::LoadedColumn(pieces, j));
      expect_same_prepared(whole, pieces, encoded.encoding);
      const StreamedEncoded streamed = encode_streamed(std::move(pieces), options);
      expect_same(encoded.data, streamed.data.rows);
      expect_same_inputs(encoded.data.X, streamed.data.X);
      EXPECT_EQ(streamed.data.features, encoded.data.X.cols());
      ASSERT_EQ(encoded.encoding.features.size(), streamed.encoding.features.size());
      for (std::size_t f = 0; f < encoded.encoding.features.size(); ++f) {
        EXPECT_EQ(encoded.encoding.features[f].name, streamed.encoding.features[f].name);
        EXPECT_EQ(encoded.encoding.features[f].scale, streamed.encoding.features[f].scale);
      }
    }
  }
}

// Refused alike, whole or in pieces; returns the message.
std::string refused(std::string_view text, const DataOptions& options = {}, const ReadOptions& reading = {}) {
  const File file(text);
  const std::string message = refusal([&] { encode(read_table(file.path(), reading), options); });
  EXPECT_NE(message, "");
  for (const std::size_t window : windows)
    EXPECT_EQ(message,
              refusal([&] { encode_streamed(stream_table(file.path(), reading, {.window_bytes = window}), options); }))
        << window;
  return message;
}

TEST(Stream, NumbersInPiecesAreTheNumbersWhole) {
  expect_equal_reading("a,b,y\n1,2.5,3\n-4,1e-3,0.5\n\n7,8,9\n0.1,0.2,0.3\n", {.targets = {"y"}});
  expect_equal_reading("1;2;3\n4;5;6\n7;8;10\n", {.targets = {"3"}});
}

TEST(Stream, QuotesLineEndsMarksAndBlankLinesCrossSeams) {
  const std::string two = "\"A \"\"x\"\"\r\nnext\",1,u\r\n\r\n B , 2,v\r\n\"A\n\",\"3\",u\r\nB,4,v\r\n";
  expect_equal_reading("\xef\xbb\xbf\r\n\"name, full\",size,y\r\n" + two + "\r\n" + two + "\"A\n\",5,u",
                       {.targets = {"y"}});
  expect_equal_reading("a,y\r1,2\r3,5\r\r9,4\r", {.targets = {"y"}});
  expect_equal_reading("a b\ty\n1 2\t2\n3 1\t5\n1 2\t4\n3 1\t9\n", {.targets = {"y"}});
}

TEST(Stream, CategoriesMissingCellsWeightsGroupsAndExposureCrossSeams) {
  std::string text = "id,colour,size,flat,w,tw,family,years,code,y\n";
  Random random(3);
  const char* colours[] = {"red", "green", "NA", "blue"};
  for (int i = 0; i < 60; ++i) {
    text += "r" + std::to_string(i) + "," + colours[random.below(4)] + ",";
    text += (random.below(7) == 0 ? std::string("?") : number_text(random.normal())) + ",1,";
    text += std::to_string(random.below(4)) + "," + std::to_string(1 + random.below(3)) + ",f" +
            std::to_string(random.below(9)) + "," + number_text(0.5 + random.uniform()) + "," +
            std::to_string(random.below(3)) + "," + std::to_string(random.below(6)) + "\n";
  }
  DataOptions options{.targets = {"y"},
                      .task = DataOptions::TaskRequest::counts,
                      .ignore = {"id"},
                      .categorical = {"code"},
                      .weights = "w",
                      .train_weights = "tw",
                      .select_weights = "tw",
                      .group = "family",
                      .exposure = "years",
                      .missing = Missing::mean};
  expect_equal_reading(text, options);
  options.missing = Missing::indicator;
  options.prices = {"w", "years"};
  expect_equal_reading(text, options);
  options.missing = Missing::drop;
  expect_equal_reading(text, options);
  options.standardise = false;
  options.task = DataOptions::TaskRequest::classification;
  options.exposure = {};
  expect_equal_reading(text, options);
}

TEST(Stream, TextsThatComeLateAreReadAgain) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < 40; ++i)
    text += std::to_string(i % 3) + (i % 2 ? ".0," : ",") + std::to_string(i) + "," + (i % 3 ? "1\n" : "+2\n");
  text += "x,41,1\ny,42,+2\n";
  expect_equal_reading(text, {.targets = {"y"}, .ignore = {"a"}}, {.as_text = {"y"}});
  const std::string message = refused(text, {.targets = {"y"}});
  EXPECT_NE(message.find("line 42, column 1 (a): \"x\" is not a number, and 40 of the column's 42 cells"),
            std::string::npos)
      << message;
  for (int i = 0; i < 60; ++i) text += (i % 2 ? "x,4,1\n" : "z,2,-1\n");
  expect_equal_reading(text, {.targets = {"b"}, .categorical = {"y"}});
}

TEST(Stream, SparseRowsCrossSeams) {
  const std::string words = "spam 1:0.5 7:2\nham 2:1 3:-1 # comment\n\nspam 3:4 9:0\r\nham 1:3 2:2\nspam 7:1.5\n";
  expect_equal_reading(words, {});
  expect_equal_reading("1 0:1 3:2\n-1 1:1 3:1\n2.5 0:2\n0.5 2:7 3:1\n", {});
  expect_equal_reading("1 1:1 3:2\n? 1:9 3:1\n-1 3:2\n1 2:7 3:1\n", {.missing = Missing::drop});
  // A label that is a word only at the end makes all of them words.
  expect_equal_reading("+1 1:1\n1 1:2 2000000000:3\n+1 1:3\n1 1:4\n1 2:1\nno 1:5\nyes 1:1\nno 1:2\nyes 2:2\n+1 4:1\n",
                       {.task = DataOptions::TaskRequest::classification});
}

// New rows for an encoding that was learned elsewhere, whole and in pieces; returns the refusal, or "".
std::string prepared_alike(std::string_view training, std::string_view text, const DataOptions& options) {
  const File learned(training), file(text);
  const Encoding encoding = encode(read_table(learned.path()), options).encoding;
  const std::string message = refusal([&] { prepare(read_table(file.path()), encoding); });
  for (const std::size_t window : windows) {
    const Table pieces = stream_table(file.path(), {}, {.window_bytes = window});
    EXPECT_EQ(message, refusal([&] { prepare_streamed(pieces, encoding); })) << window;
    if (message.empty()) expect_same_prepared(read_table(file.path()), pieces, encoding);
  }
  return message;
}

TEST(Stream, NewRowsInPiecesAreTheNewRowsWhole) {
  const char* const training = "colour,age,years,y\nred,1,1,2\ngreen,2,2,5\nred,4,1,3\n,3,1,4\ngreen,,2,9\n";
  const char* const fresh = "junk,years,age,colour\nx,1,5,green\ny,2,,violet\nz,0.5,7,\nx,3,1,pink\nw,1,2,red\n";
  const DataOptions mean{.targets = {"y"}, .exposure = "years", .missing = Missing::mean};
  EXPECT_EQ(prepared_alike(training, fresh, mean), "");
  DataOptions indicator = mean;
  indicator.missing = Missing::indicator;
  EXPECT_EQ(prepared_alike(training, fresh, indicator), "");
  EXPECT_EQ(prepared_alike("k,y\n1,2\n2,4\n,7\n1,3\n", "k\n3\n\n?\n2\n",
                           {.targets = {"y"}, .categorical = {"k"}, .missing = Missing::indicator}),
            "");
  EXPECT_EQ(prepared_alike("k,a,y\n7,1,2\n,2,4\n7,3,7\n", "k,a\n1e300,1\n,2\n?,3\n",
                           {.targets = {"y"}, .missing = Missing::indicator}),
            "");
  DataOptions drop = mean;
  drop.missing = Missing::drop;
  EXPECT_EQ(prepared_alike(training, fresh, drop), "");
  EXPECT_NE(prepared_alike(training, "age,colour,years\n1,red,1\n2,red,\n", mean), "");
  EXPECT_NE(prepared_alike(training, "age,colour,years\n1,red,1\nold,red,1\n", mean), "");
  EXPECT_NE(prepared_alike(training, "age,years\n1,1\n2,1\n", mean), "");
  EXPECT_NE(prepared_alike("a,y\n1,2\n3,4\n2,7\n", "a\n1\n\n\n?\n2\n", {.targets = {"y"}}), "");
  EXPECT_NE(prepared_alike("a,y\n1e-300,2\n3e-300,4\n2e-300,7\n", "a\n1\n2\n1e300\n", {.targets = {"y"}}), "");
  EXPECT_EQ(prepared_alike("1 1:2 3:1\n-1 1:4\n1 3:1\n", "? 1:5 2:6 4:7\n? 3:8\n? 9:1\n", {}), "");
  EXPECT_NE(prepared_alike("1 1:2 3:1\n-1 1:4\n1 3:1\n", "a,b\n1,2\n3,4\n", {}), "");
}

TEST(Stream, RefusesWhatIsRefusedInMemoryInTheSameWords) {
  const DataOptions y{.targets = {"y"}};
  refused("", y);
  refused("a,y\n", y);
  refused("a,a\n1,2\n", y);
  refused("a,y\n1,2\n3\n4,5\n", y);
  refused("a,y\n1,2\n3,4\n5,6,7\n", y);
  refused("a,y\n1,2\n3,4\n\"5,6\n7,8\n9,1\n", y);
  refused("a,y\n1,2\n3,4\n\"5\"6,6\n7,8\n9,1\n", y);
  refused("a,y\n1,2\n3,4\n5,6\nnan,8\n9,1\n", y);
  refused("a,y\n1,2\n3,4\n5,1e999\n7,8\n9,1\n", y);
  refused("a,y\n1,2\n3,4\n5,\n7,8\n9,1\n", y);
  refused("a,y\n1,2\n3,4\n,3\n7,8\n9,1\n", y);
  refused("a,y\n1,2\n3,4\n\"2,5\",3\n\"7,1\",8\n\"9,5\",1\n", y);
  refused("a,y\n1,2\n3,4\n5,2.5\n7,8\n9,-1\n", {.targets = {"y"}, .task = DataOptions::TaskRequest::counts});
  refused("a,y,w\n1,2,1\n3,4,1\n5,2.5,-1\n7,8,1\n", {.targets = {"y"}, .weights = "w"});
  refused("a,y,w\n1,2,1\n3,4,1\n5,2.5,x\n7,8,1\n", {.targets = {"y"}, .weights = "w"});
  refused("a,y,w\n1,2,1\n3,4,1\n5,2.5,0\n7,8,1\n", {.targets = {"y"}, .exposure = "w"});
  refused("a,y\n1,2\n3,2\n5,2\n7,2\n", y);
  refused("a,y\n1,2\n1,4\n1,5\n1,7\n", y);
  refused("a,y\n1,2\n1,4\n1,5\n1,7\n", {.targets = {"z"}});
  std::string huge = "a,y\n1.7e308,1\n";
  for (int i = 0; i < 9; ++i) huge += "-1.7e308," + std::to_string(i % 4) + "\n";
  EXPECT_TRUE(test::says(refused(huge, y), {"line 2, column 1 (a)", "too large to be computed with"}));
  refused("1 1:1\n2 2:1 1:3\n", {});
  refused("1 1:1\n2 1:1 2:3\n5 x\n", {});
  refused("1 1:1\n2 1:1 2:3\nnan 2:1\n", {});
  refused(std::string("a,y\n1,\0\n", 8), y);
  refused(
      "\xff\xfe"
      "a,y",
      y);
}

TEST(Stream, TruncatedAndDamagedGzipIsRefusedInPieces) {
  std::string text = "a,y\n";
  for (int i = 0; i < 3000; ++i) text += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  std::string packed = test::gzipped(text);
  const File shorter(packed.substr(0, packed.size() / 2));
  EXPECT_TRUE(test::says(refusal([&] { stream_table(shorter.path(), {}); }), {"the gzip data end early"}));
  packed[packed.size() / 2] ^= 1;
  const File damaged(packed);
  EXPECT_TRUE(test::says(refusal([&] { stream_table(damaged.path(), {}); }), {"damaged gzip data"}));
}

TEST(Stream, AColumnOfTooManyTextsIsRefusedOnlyWhereItIsUsed) {
  const File file("id,a,y\nu,1,2\nv,2,3\nw,3,5\nx,4,4\nx,5,5\n");
  const StreamOptions few{.most_levels = 3};
  EXPECT_EQ(encode_streamed(stream_table(file.path(), {}, few), {.targets = {"y"}, .ignore = {"id"}}).data.features, 1);
  EXPECT_TRUE(test::says(refusal([&] { encode_streamed(stream_table(file.path(), {}, few), {.targets = {"y"}}); }),
                         {"column 1 (id)", "more than 3 different texts"}));
}

TEST(Stream, TheCacheLeavesNoNameBehindAndIsCounted) {
  const test::TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path("cache");
  std::filesystem::create_directory(folder);
  std::string text = "a,y\n";
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  const File file(text);
  const Table table = stream_table(file.path(), {}, {.cache_folder = folder.string()});
  EXPECT_GE(cache_bytes(table), 16000.0);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove(folder);
  EXPECT_TRUE(test::says(refusal([&] { stream_table(file.path(), {}, {.cache_folder = folder.string()}); }),
                         {"cache", folder.string()}));
}

TEST(Stream, TheObserverSeesTheFileAndCanStopTheReading) {
  std::string text = "a,y\n";
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  const File file(text);
  int calls = 0;
  const StreamOptions watched{.observer = [&](const Progress& p) { return p.stage == "reading" && ++calls < 3; },
                              .window_bytes = 1000};
  EXPECT_TRUE(test::says(refusal([&] { stream_table(file.path(), {}, watched); }), {"stopped"}));
  EXPECT_EQ(calls, 3);
}

TEST(Stream, EstimatesARegularFileFromItsBeginning) {
  std::string text = "a,b,c,y\n";
  for (int i = 0; i < 300000; ++i) text += "0.125,2.250,x,1\n";
  for (const bool packed : {false, true}) {
    const File file(text, packed);
    const TableEstimate e = estimate_table(file.path(), {});
    EXPECT_NEAR(e.rows, 300000.0, 3000.0);
    EXPECT_NEAR(e.cell_bytes, 32.0 * 300000.0, 0.02 * 32.0 * 300000.0);
    EXPECT_NEAR(e.text_bytes, double(text.size()), 0.01 * double(text.size()));
    EXPECT_NEAR(e.input_bytes, 32.0 * 300000.0, 0.02 * 32.0 * 300000.0);
  }
}

}  // namespace table_on_disk_test
}  // namespace lacuna
