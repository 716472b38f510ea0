#include "lacuna/data/table.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/data/refusal.hpp"

namespace lacuna {
namespace {

using test::refusal;
using test::says;

// A file of its own for each test, gone afterwards.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes) {
    path_ = (std::filesystem::temp_directory_path() / ("lacuna_table_test_" + std::to_string(getpid()))).string();
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void append_little_endian(std::string& out, std::uint32_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) out += char((value >> (8 * k)) & 0xff);
}

// A gzip member of stored (not compressed) blocks: RFC 1951 and 1952 in a few lines, so that no packer is needed.
std::string gzipped(const std::string& text) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? (crc >> 1) ^ 0xedb88320U : crc >> 1;
  }
  std::string out("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  constexpr std::size_t longest = 65535;
  for (std::size_t start = 0; start < text.size(); start += longest) {
    const std::size_t length = std::min(longest, text.size() - start);
    out += start + length == text.size() ? '\1' : '\0';
    append_little_endian(out, std::uint32_t(length), 2);
    append_little_endian(out, ~std::uint32_t(length), 2);
    out += text.substr(start, length);
  }
  append_little_endian(out, ~crc, 4);
  append_little_endian(out, std::uint32_t(text.size()), 4);
  return out;
}

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
