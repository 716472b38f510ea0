// data/detail/encode_rows.hpp -- from columns to features: carrying an encoding out.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "lacuna/data/dataset.hpp"

namespace lacuna::detail {

using RowList = std::vector<std::int64_t>;

/// Features beyond this cannot be computed with: products and squares of several must be numbers too. (Nothing in
/// standard units is so large; it is a mistake in the data.)
inline constexpr double largest_feature = 1e100;

/// A feature's value for a number, or for 0 and 1 of a level.
inline double encoded_value(const FeatureCode& feature, double x) { return (x - feature.centre) / feature.scale; }

/// The same, or Error(data) for a number of this cell of the table so large that its feature is beyond that.
double finite_value(const FeatureCode& feature, double x, const Table& table, std::int64_t row, std::size_t column);

/// The training levels of a categorical column's cells; -1: missing or not seen in training.
class LevelOf {
 public:
  LevelOf(const Column& column, const ColumnCode& code);
  std::int32_t code(std::int32_t c) const { return c < 0 ? -1 : of_code_[std::size_t(c)]; }
  std::int32_t value(double x) const {
    const auto known = of_value_.find(x);
    return known == of_value_.end() ? -1 : known->second;
  }

 private:
  std::vector<std::int32_t> of_code_;                  // text columns
  std::unordered_map<double, std::int32_t> of_value_;  // columns of numbers
};

/// The rule that a text breaks in a column of numbers.
inline constexpr const char* numbers_in_training = "the column held numbers in training";

/// One column of the table in the encoding's terms: its numbers with missing ones filled in, or the features' levels
/// (-1: not seen in training; missing_level(): missing; numbers have levels only where some are missing). Unseen
/// categories are counted, the first is remembered.
struct RawColumn {
  std::vector<double> number;
  std::vector<std::int32_t> level;
  std::int64_t unseen = 0;
  std::int64_t first_unseen = -1;  ///< row of the table
  std::string first_text{};        ///< what stands there
  double at(std::size_t row, const FeatureCode& feature) const {
    if (feature.level < 0) return number[row];
    return double(!level.empty() && level[row] == feature.level);
  }
};
RawColumn raw_column(const Table& table, std::size_t column, const ColumnCode& code, const RowList& rows);

/// Adds what is to be said about categories not seen in training, if there are any.
void note_unseen(const Table& table, const ColumnCode& code, const RawColumn& raw, Warnings& notes);

/// The encoded rows. `source[k]` is the table's column for encoding.columns[k]; columns no feature uses are not looked
/// at. Throws Error(data) for a number so large that its feature is beyond that.
RowMatrix encode_rows(const Table& table, const Encoding& encoding, const std::vector<std::size_t>& source,
                      const RowList& rows, Warnings& notes);

}  // namespace lacuna::detail
