// export/detail/value.hpp -- arithmetic on values of a graph, element by element, with the broadcasting of ONNX: each
// call adds a node. The names are those of numbers, so that a formula written for a template argument (kernel/) is one
// for values too.
#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/export/detail/graph.hpp"

namespace lacuna::onnx {

Value operator+(const Value& a, const Value& b);
Value operator-(const Value& a, const Value& b);
Value operator*(const Value& a, const Value& b);
Value operator/(const Value& a, const Value& b);
Value operator-(const Value& a);

// A number becomes a constant of the other's graph.
inline Value operator+(const Value& a, double b) { return a + a.graph->scalar(b); }
inline Value operator+(double a, const Value& b) { return b.graph->scalar(a) + b; }
inline Value operator-(const Value& a, double b) { return a - a.graph->scalar(b); }
inline Value operator-(double a, const Value& b) { return b.graph->scalar(a) - b; }
inline Value operator*(const Value& a, double b) { return a * a.graph->scalar(b); }
inline Value operator*(double a, const Value& b) { return b.graph->scalar(a) * b; }
inline Value operator/(const Value& a, double b) { return a / a.graph->scalar(b); }
inline Value operator/(double a, const Value& b) { return b.graph->scalar(a) / b; }

Value exp(const Value& a);
Value log(const Value& a);
Value sqrt(const Value& a);
Value abs(const Value& a);
/// log(1 + a) with all its digits for small a, of which 1 + a has none left; a > -1.
Value log1p(const Value& a);
/// Requires: n is a whole number, 1 or more. By squaring: Pow need not be exact.
Value pow(const Value& a, double n);
Value larger(const Value& a, const Value& b);
Value smaller(const Value& a, const Value& b);
Value max(const Value& a, double b);
Value min(const Value& a, double b);

// Comparisons give booleans; NaN is neither less nor more.
Value at_most(const Value& a, const Value& b);
Value at_least(const Value& a, const Value& b);
Value equal(const Value& a, const Value& b);
Value both(const Value& a, const Value& b);
Value where(const Value& condition, const Value& yes, const Value& no);
inline Value at_most(const Value& a, double b) { return at_most(a, a.graph->scalar(b)); }
inline Value at_least(const Value& a, double b) { return at_least(a, a.graph->scalar(b)); }

/// A matrix product; with the second transposed.
Value product(const Value& a, const Value& b);
Value product_transposed(const Value& a, const Value& b);
/// One column: the sum of each row, its largest element, and whether all of its booleans hold.
Value row_sums(const Value& a);
Value row_maxima(const Value& a);
Value row_all(const Value& condition);

Value as_real(const Value& a);
/// -1 stands for the size that is left.
Value reshape(const Value& a, const std::vector<std::int64_t>& shape);
/// Columns beside one another.
Value beside(const std::vector<Value>& columns);
/// Elements of a list, or columns of a matrix, at these places.
Value gather(const Value& list, const Value& places, std::int64_t axis);

}  // namespace lacuna::onnx
