// tests/support/samples.hpp -- a table with numbers and a category, the same with weights and with copies in their
// place, and models of it.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "lacuna/base/random.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna::testing {

/// u, v, kind (p, q or r), and the columns value, class (a, b), letter (k, l, m) and count, which depend on the first
/// three.
inline Table sample_table(int rows, std::uint64_t seed = 1) {
  Random random(seed);
  std::string text = "u,v,kind,value,class,letter,count\n";
  for (int i = 0; i < rows; ++i) {
    const double u = random.uniform(-2.0, 2.0), v = 5.0 + 3.0 * random.normal();
    const auto kind = random.below(3);
    const double f = u + 0.2 * v + double(kind == 2);
    const double score = f - 1.2 + 0.5 * random.normal();
    text += std::to_string(u) + ',' + std::to_string(v) + ',' + "pqr"[kind] + ',' +
            std::to_string(f * f + 0.3 * random.normal()) + ',' + (score > 0.0 ? 'b' : 'a') + ',' +
            (score < -0.7  ? 'k'
             : score < 0.7 ? 'l'
                           : 'm') +
            ',' + std::to_string(random.poisson(std::exp(0.5 * f))) + '\n';
  }
  return parse_table(text, "sample");
}

/// One of the last four columns as the target; the others are ignored.
inline Encoded encoded_sample(const std::string& target, int rows, std::uint64_t seed = 1) {
  DataOptions options{.targets = {target}};
  for (const char* other : {"value", "class", "letter", "count"})
    if (other != target) options.ignore.push_back(other);
  if (target == "count") options.task = DataOptions::TaskRequest::counts;
  return encode(sample_table(rows, seed), options);
}

/// Weights 1, 2 and 3; groups of three rows unless they are not wanted.
inline Encoded weighted_sample(const std::string& target, int rows, bool groups) {
  Encoded of = encoded_sample(target, rows);
  of.data.weights.resize(rows);
  for (int i = 0; i < rows; ++i) {
    of.data.weights[i] = double(1 + i % 3);
    if (groups) of.data.group.push_back(i / 3);
  }
  return of;
}

/// As many copies of each row as it weighs.
inline Encoded copied(const Encoded& of) {
  std::vector<Index> rows;
  for (Index i = 0; i < of.data.size(); ++i)
    for (int k = 0; k < int(of.data.weights[i]); ++k) rows.push_back(i);
  Encoded out{take_rows(of.data, rows), of.encoding};
  out.data.classes = of.data.classes;
  out.data.weights = {};
  for (std::size_t i = 0; i < rows.size(); ++i) out.data.source_row[i] = std::int64_t(i) + 1;
  return out;
}

inline Model fitted(const Encoded& of, TrainOptions options) {
  Model model = train(of.data, options);
  model.encoding = of.encoding;
  return model;
}

}  // namespace lacuna::testing
