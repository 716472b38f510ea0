#include "lacuna/curves/counted.hpp"

#include "lacuna/base/weights.hpp"
#include "lacuna/model/held_out_rows.hpp"

namespace lacuna {

CountedRows counted_rows(const Model& model) {
  const HeldOutRows& h = model.held_out;
  const Index rows = h.rows();
  Vector weight = knows_weights(model) ? judged_weights(h) : Vector(Vector::Ones(rows));
  if (!h.copy_of.empty()) weight = gathered(weight, {h.copy_of.begin(), h.copy_of.begin() + rows});
  CountedRows out;
  for (Index i = 0; i < rows; ++i)
    if (weight[i] > 0.0) out.place.push_back(i);
  out.weight = weight(out.place);
  for (const Index i : out.place)
    if (!h.group.empty()) out.group.push_back(h.group[std::size_t(i)]);
  return out;
}

Vector weights_or_ones(const Vector& weight, Index n) { return weight.size() > 0 ? weight : Vector(Vector::Ones(n)); }

}  // namespace lacuna
