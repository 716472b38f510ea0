#include "lacuna/model/held_out_rows.hpp"

#include <numeric>

#include "lacuna/base/weights.hpp"
#include "lacuna/model/machine.hpp"

namespace lacuna {

bool knows_weights(const Model& model) {
  return !model.report.weighted || model.held_out.weight.size() > 0 || model.held_out.judged.size() > 0;
}

Vector row_weights(const HeldOutRows& h) {
  return h.weight.size() > 0 ? Vector(h.weight.head(h.rows())) : Vector(Vector::Ones(h.rows()));
}

Vector judged_weights(const HeldOutRows& h) {
  return h.judged.size() > 0 ? Vector(h.judged.head(h.rows())) : row_weights(h);
}

Truth held_out_truth(const Model& model) {
  const HeldOutRows& h = model.held_out;
  const Index rows = h.rows();
  Dataset data;
  data.task = model.task;
  data.classes = model.classes;
  data.label.assign(h.label.begin(), h.label.begin() + rows);
  Truth out{.targets = machine_targets(ls_svm(), data),
            .label = data.label,
            .classes = int(model.classes.size()),
            .weights = judged_weights(h),
            .loss = model.loss};
  if (h.target.size() > 0) out.t = h.target.topRows(rows), out.scale = out.t.cwiseAbs();
  if (!h.copy_of.empty())
    out.gathered = gathered(out.weights, std::vector<Index>(h.copy_of.begin(), h.copy_of.begin() + rows));
  return out;
}

std::vector<Index> places_in_expansion(const HeldOutRows& h, Index expansion) {
  std::vector<Index> out(std::size_t(h.rows()));
  if (Index(out.size()) == expansion) {
    std::iota(out.begin(), out.end(), Index(0));
    return out;
  }
  if (h.copy_of.empty()) return {};
  Index next = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto first = std::size_t(h.copy_of[i]);
    out[i] = first == i ? next++ : out[first];
  }
  return next == expansion ? out : std::vector<Index>{};
}

std::vector<Index> rows_of_expansion(const HeldOutRows& h, Index expansion) {
  const std::vector<Index> place = places_in_expansion(h, expansion);
  std::vector<Index> out;
  for (std::size_t i = 0; i < place.size(); ++i)
    if (place[i] == Index(out.size())) out.push_back(Index(i));
  return out;
}

}  // namespace lacuna
