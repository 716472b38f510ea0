#include "lacuna/export/detail/value.hpp"

#include <cmath>
#include <optional>

namespace lacuna::onnx {
namespace {

Value binary(const char* op, const Value& a, const Value& b) { return a.graph->node(op, {a, b}); }
Value unary(const char* op, const Value& a) { return a.graph->node(op, {a}); }
Value of_rows(const char* op, const Value& a) {
  return a.graph->node(op, {a, a.graph->whole({1})}, {{"keepdims", std::int64_t(1)}});
}

}  // namespace

Value operator+(const Value& a, const Value& b) { return binary("Add", a, b); }
Value operator-(const Value& a, const Value& b) { return binary("Sub", a, b); }
Value operator*(const Value& a, const Value& b) { return binary("Mul", a, b); }
Value operator/(const Value& a, const Value& b) { return binary("Div", a, b); }
Value operator-(const Value& a) { return unary("Neg", a); }

Value exp(const Value& a) { return unary("Exp", a); }
Value log(const Value& a) { return unary("Log", a); }
Value sqrt(const Value& a) { return unary("Sqrt", a); }
Value abs(const Value& a) { return unary("Abs", a); }

// What 1 + a lost to rounding is lost in the same way by (1 + a) - 1: the ratio of the logarithm to it has all digits.
Value log1p(const Value& a) {
  const Value w = 1.0 + a, rounded = w - 1.0;
  const Value none = equal(rounded, a.graph->scalar(0.0));
  return where(none, a, log(w) * (a / where(none, a.graph->scalar(1.0), rounded)));
}

Value pow(const Value& a, double n) {
  std::optional<Value> out;
  Value square = a;
  for (int left = int(n);; square = square * square) {
    if (left % 2 == 1) out = out ? *out * square : square;
    left /= 2;
    if (left == 0) return *out;
  }
}

Value larger(const Value& a, const Value& b) { return binary("Max", a, b); }
Value smaller(const Value& a, const Value& b) { return binary("Min", a, b); }
Value max(const Value& a, double b) { return binary("Max", a, a.graph->scalar(b)); }
Value min(const Value& a, double b) { return binary("Min", a, a.graph->scalar(b)); }

Value at_most(const Value& a, const Value& b) { return binary("LessOrEqual", a, b); }
Value at_least(const Value& a, const Value& b) { return binary("GreaterOrEqual", a, b); }
Value equal(const Value& a, const Value& b) { return binary("Equal", a, b); }
Value both(const Value& a, const Value& b) { return binary("And", a, b); }
Value where(const Value& condition, const Value& yes, const Value& no) {
  return condition.graph->node("Where", {condition, yes, no});
}

Value product(const Value& a, const Value& b) { return binary("MatMul", a, b); }
Value product_transposed(const Value& a, const Value& b) {
  return a.graph->node("Gemm", {a, b}, {{"transB", std::int64_t(1)}});
}
Value row_sums(const Value& a) { return of_rows("ReduceSum", a); }
Value row_maxima(const Value& a) { return of_rows("ReduceMax", a); }
Value row_all(const Value& condition) { return at_least(of_rows("ReduceMin", as_real(condition)), 0.5); }

Value as_real(const Value& a) { return a.graph->node("Cast", {a}, {{"to", std::int64_t(Element::real)}}); }
Value reshape(const Value& a, const std::vector<std::int64_t>& shape) {
  return a.graph->node("Reshape", {a, a.graph->whole(shape)});
}
Value beside(const std::vector<Value>& columns) {
  if (columns.size() == 1) return columns[0];
  return columns[0].graph->node("Concat", columns, {{"axis", std::int64_t(1)}});
}
Value gather(const Value& list, const Value& places, std::int64_t axis) {
  return list.graph->node("Gather", {list, places}, {{"axis", axis}});
}

}  // namespace lacuna::onnx
