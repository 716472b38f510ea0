#include "lacuna/export/detail/normal.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace lacuna::onnx {
namespace {

// log(e^{y^2} erfc(y)/t) at y = 2 (1 - t)/t is the sum of c_j T_j(2 t - 1): interpolated at 60 Chebyshev nodes in
// arithmetic of 60 digits.
constexpr std::array<double, 28> series{
    -0.6513268598908547,     0.6419697923564902,      0.019476473204185836,   -0.009561514786808632,
    -0.0009465953444820369,  0.00036683949785276145,  4.252332480690777e-05,  -2.0278578112534242e-05,
    -1.6242900046470256e-06, 1.3036558355805232e-06,  1.5626441722066142e-08, -8.523809591492654e-08,
    6.5290544390988515e-09,  5.059343495551469e-09,   -9.91364156493033e-10,  -2.273651222931836e-10,
    9.646791102015527e-11,   2.3940380830391146e-12,  -6.886027526497553e-12, 8.944879273090725e-13,
    3.130921399342958e-13,   -1.1270822361367252e-13, 3.810905255189232e-16,  7.106097613609237e-15,
    -1.5230282014571043e-15, -9.457494571291233e-17,  1.210237189224279e-16,  -2.816663087747177e-17};

// Clenshaw's recurrence: b_j = c_j + 2 u b_{j+1} - b_{j+2}, and the sum is c_0 + u b_1 - b_2.
Value chebyshev(const Value& u) {
  const Value twice = 2.0 * u;
  Value next = u.graph->scalar(series.back()), after = u.graph->scalar(0.0);
  for (std::size_t j = series.size() - 2; j > 0; --j) {
    const Value here = twice * next - after + series[j];
    after = next;
    next = here;
  }
  return u * next - after + series[0];
}

}  // namespace

Value log_normal(const Value& x) {
  const Value t = 2.0 / (2.0 + abs(x) / std::numbers::sqrt2);
  const Value lower = log(0.5 * t) - 0.5 * (x * x) + chebyshev(2.0 * t - 1.0);  // log Phi(-|x|)
  return where(at_most(x, 0.0), lower, log(1.0 - exp(lower)));
}

}  // namespace lacuna::onnx
