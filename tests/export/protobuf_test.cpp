// The bytes of export/detail/protobuf.hpp, read by a reader of the test's own.
#include "lacuna/export/detail/protobuf.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace protobuf_test {

using lacuna::onnx::Message;

struct Field {
  int number;
  int kind;
  std::uint64_t value;  // kind 0
  std::string bytes;    // kind 2
};

std::uint64_t read_varint(std::string_view& from) {
  std::uint64_t out = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = std::uint64_t(static_cast<unsigned char>(from.at(0)));
    from.remove_prefix(1);
    out |= (byte & 0x7f) << shift;
    if (byte < 0x80) return out;
  }
}

std::vector<Field> fields(std::string_view from) {
  std::vector<Field> out;
  while (!from.empty()) {
    const std::uint64_t key = read_varint(from);
    Field& f = out.emplace_back(Field{int(key >> 3), int(key & 7), read_varint(from), {}});
    if (f.kind != 2) continue;
    f.bytes = from.substr(0, f.value);
    from.remove_prefix(f.value);
  }
  return out;
}

std::string bytes(Message& message) { return std::move(message).bytes(); }

TEST(Protobuf, WritesTheExamplesOfItsDescription) {
  EXPECT_EQ(bytes(Message().number(1, 150)), "\x08\x96\x01");
  EXPECT_EQ(bytes(Message().text(2, "testing")), "\x12\x07testing");
  EXPECT_EQ(bytes(Message().message(3, std::move(Message().number(1, 150)))), "\x1a\x03\x08\x96\x01");
}

TEST(Protobuf, NumbersOfEveryLengthAndSignComeBack) {
  for (const std::int64_t value :
       {std::int64_t(0), std::int64_t(1), std::int64_t(127), std::int64_t(128), std::int64_t(16383),
        std::int64_t(16384), std::int64_t(-1), std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()}) {
    const auto read = fields(bytes(Message().number(20, value)));
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read[0].number, 20);
    EXPECT_EQ(read[0].kind, 0);
    EXPECT_EQ(std::int64_t(read[0].value), value);
  }
}

TEST(Protobuf, NestedMessagesKeepLargeAndSmallPiecesInOrder) {
  const std::string large(10000, 'x'), zeros(5, '\0');
  Message inner, middle, outer;
  inner.text(9, large).text(8, zeros).text(9, "").number(1, 3).text(9, large);
  middle.number(2, 7).message(5, std::move(inner)).text(6, "end");
  outer.message(7, std::move(middle)).number(1, 8);
  const std::size_t size = outer.size();
  const std::string all = bytes(outer);
  EXPECT_EQ(all.size(), size);
  const auto read = fields(all);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].value, 8U);
  const auto second = fields(read[0].bytes);
  ASSERT_EQ(second.size(), 3U);
  EXPECT_EQ(second[2].bytes, "end");
  const auto third = fields(second[1].bytes);
  ASSERT_EQ(third.size(), 5U);
  EXPECT_EQ(third[0].bytes, large);
  EXPECT_EQ(third[1].bytes, zeros);
  EXPECT_EQ(third[2].bytes, "");
  EXPECT_EQ(third[3].value, 3U);
  EXPECT_EQ(third[4].bytes, large);
}

}  // namespace protobuf_test
