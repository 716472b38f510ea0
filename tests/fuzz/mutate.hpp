// tests/fuzz/mutate.hpp -- changes to JSON and arrays that keep their structure: a valid file in which a few fields are
// swapped, resized, dropped, copied or set to something extreme. Random bytes never get past a parser; these do.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lacuna::fuzz {

/// Numbers made from the fuzzer's bytes; when those are used up, from a generator that they seeded.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {
    for (std::size_t k = 0; k < size; ++k) state_ = (state_ ^ data[k]) * 0x100000001b3ULL;
  }
  /// 0 ... below - 1.
  std::size_t operator()(std::size_t below) {
    std::uint64_t word = 0;
    if (at_ + 2 <= size_) {
      word = std::uint64_t(data_[at_]) | std::uint64_t(data_[at_ + 1]) << 8;
      at_ += 2;
    } else {
      state_ += 0x9e3779b97f4a7c15ULL;
      word = (state_ ^ state_ >> 30) * 0xbf58476d1ce4e5b9ULL;
      word ^= word >> 31;
    }
    return std::size_t(word % below);
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// How many files got past the reader, said at the end: a fuzzer whose files are all refused tests nothing else.
class Tally {
 public:
  void count(bool accepted) { ++(accepted ? accepted_ : refused_); }
  ~Tally() { std::fprintf(stderr, "accepted %ld of %ld files\n", accepted_, accepted_ + refused_); }

 private:
  long accepted_ = 0, refused_ = 0;
};

template <class Json>
Json extreme_json(Choices& choose) {
  const std::vector<Json> all{nullptr,
                              true,
                              false,
                              0,
                              1,
                              -1,
                              2,
                              3,
                              17,
                              1e308,
                              -1e308,
                              5e-324,
                              0.5,
                              "",
                              "nan",
                              "inf",
                              "-inf",
                              "rbf:theta=1",
                              "squared",
                              "logistic",
                              "probit",
                              "poisson",
                              "gamma",
                              "binary",
                              "multiclass",
                              "regression",
                              "counts",
                              "laplace",
                              "ep",
                              "\x1b[2J\n",
                              std::int64_t(2147483647),
                              std::int64_t(-2147483648LL),
                              std::numeric_limits<std::int64_t>::max(),
                              std::numeric_limits<std::int64_t>::min(),
                              std::numeric_limits<std::uint64_t>::max(),
                              Json::array(),
                              Json::object(),
                              Json::array({1, 2, 3}),
                              std::string(300, 'a')};
  return all[choose(all.size())];
}

template <class Json>
void collect(Json& node, std::vector<Json*>& out) {
  out.push_back(&node);
  if (node.is_structured())
    for (Json& child : node) collect(child, out);
}

/// What a number is multiplied with when it should change and may well stay possible.
inline double near_factor(Choices& choose) {
  constexpr double all[] = {0.5, 1.001, 2.0, -1.0, 100.0, 1e-6, 1e10, -1e10};
  return all[choose(std::size(all))];
}

/// One change to a JSON text.
template <class Json>
void mutate_json(Json& root, Choices& choose) {
  std::vector<Json*> nodes;
  collect(root, nodes);
  Json& node = *nodes[choose(nodes.size())];
  Json other = *nodes[choose(nodes.size())];
  switch (choose(7)) {
    case 0:
      node = extreme_json<Json>(choose);
      break;
    case 1:  // another field's value
      node = std::move(other);
      break;
    case 2:  // a number near
      if (node.is_number_integer())
        node = std::int64_t(node.template get<std::uint64_t>() + choose(5) - 2);  // may wrap around
      else if (node.is_number())
        node = node.template get<double>() * near_factor(choose);
      else
        node = extreme_json<Json>(choose);
      break;
    case 3:  // an element twice
      if (node.is_array() && !node.empty()) node.push_back(Json(node[choose(node.size())]));
      break;
    case 4:  // shorter
      if (node.is_structured() && !node.empty()) node.erase(std::next(node.begin(), long(choose(node.size()))));
      break;
    case 5:  // elements in another order
      if (node.is_array() && node.size() > 1) std::swap(node[choose(node.size())], node[choose(node.size())]);
      break;
    default:
      if (node.is_array()) node.push_back(extreme_json<Json>(choose));
  }
}

inline double extreme_number(Choices& choose) {
  using limits = std::numeric_limits<double>;
  constexpr double all[] = {0.0,
                            -0.0,
                            1.0,
                            -1.0,
                            2.0,
                            1e-300,
                            1e300,
                            -1e300,
                            1e150,
                            5e-324,
                            limits::max(),
                            limits::lowest(),
                            limits::quiet_NaN(),
                            limits::infinity(),
                            -limits::infinity()};
  return all[choose(std::size(all))];
}

}  // namespace lacuna::fuzz
