#include "lacuna/explain/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/data/centre.hpp"
#include "lacuna/kernel/diagonal.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/model/predictor.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna {
namespace {

// Pulls on one output and squared distances, a number for each row of the expansion.
struct Pulls {
  Vector pull, square;
  double rest = 0.0;
};

Pulls pulls_of(const Model& machine, const RowsView& x, Index output, const Backend& backend) {
  const Rows seen = represent(machine.representation, x);
  const Rows centred = machine.centre.size() > 0 ? about(RowsView(seen), machine.centre) : seen;
  const Vector k = backend.expand(machine.kernel, machine.X, centred, Matrix::Ones(1, 1));
  const double own = kernel_diagonal(machine.kernel, centred)[0];
  const Vector square = (kernel_diagonal(machine.kernel, machine.X) - 2.0 * k).array() + own;
  return {machine.alpha.col(output).cwiseProduct(k), square.cwiseMax(0.0), machine.b[output]};
}

std::string target_text(const Model& model, Index i) {
  const HeldOutRows& h = model.held_out;
  if (!h.label.empty()) return model.classes[std::size_t(h.label[std::size_t(i)])];
  if (h.target.size() == 0) return "";
  std::string out;
  for (const double t : h.target.row(i)) out += (out.empty() ? "" : " ") + number_text(t);
  return out;
}

// Where a row of the data is among those at hand: itself, or the row that it was joined to as a copy.
Index place_of(const Model& model, const ExplainRows& rows, std::int64_t row) {
  if (const auto at = std::ranges::find(rows.row, row); at != rows.row.end()) return at - rows.row.begin();
  const HeldOutRows& h = model.held_out;
  const std::vector<Index> place = rows.trained_on ? places_in_expansion(h, rows.size()) : std::vector<Index>{};
  for (std::size_t i = 0; i < place.size(); ++i)
    if (h.row[i] == row) return place[i];
  fail_usage(fmt::format("explain: there is no row {} among the {} rows at hand", row, rows.size()));
}

}  // namespace

Neighbourhood neighbourhood_of(const Model& model, const ExplainRows& rows, std::int64_t row, int count,
                               const Backend& backend) {
  const Index i = place_of(model, rows, row);
  const Rows x = take_rows(rows.X, std::vector<Index>{i});
  Neighbourhood out{.row = row};
  if (uses_geometry(model.kernel, kernels::Geometry::given)) {
    out.missing = "the kernel is a matrix";
    return out;
  }
  const Vector offset = rows.offset.size() > 0 ? Vector::Constant(1, rows.offset[i]) : Vector();
  const Predictions said = Predictor(model, backend).predict(x, offset);
  if (model.alpha.cols() > 1 && !said.label.empty()) out.output = said.label[0];
  out.value = said.output(0, out.output);

  Pulls all;
  if (model.members.empty()) {
    all = pulls_of(model, x, out.output, backend);
  } else {
    all.rest = model.b[out.output];
    for (const Member& m : model.members) {
      const Pulls own = pulls_of(m.machine, x, out.output, backend);
      if (all.pull.size() > 0 && own.pull.size() != all.pull.size()) {
        out.missing = "the machines of the stack do not have the same rows";
        return out;
      }
      const bool first = all.pull.size() == 0;
      all.pull = first ? Vector(m.weight * own.pull) : Vector(all.pull + m.weight * own.pull);
      all.square = first ? Vector(m.weight * own.square) : Vector(all.square + m.weight * own.square);
      all.rest += m.weight * own.rest;
    }
  }
  out.rest = all.rest;
  const HeldOutRows& h = model.held_out;
  const std::vector<Index> row_of = rows_of_expansion(h, all.pull.size());
  const bool known = !row_of.empty();
  const auto neighbour = [&](Index j) {
    const Index its = known ? row_of[std::size_t(j)] : 0;
    return Neighbour{known ? std::optional(h.row[std::size_t(its)]) : std::nullopt, std::sqrt(all.square[j]),
                     known ? target_text(model, its) : "", all.pull[j]};
  };
  std::vector<Index> order(std::size_t(all.pull.size()));
  std::iota(order.begin(), order.end(), Index(0));
  if (rows.trained_on && known) order.erase(order.begin() + i);  // a row is no neighbour of its own
  const auto first = [&](auto&& key, std::vector<Neighbour>& to) {
    std::ranges::stable_sort(order, {}, key);
    for (std::size_t k = 0; k < std::min(order.size(), std::size_t(count)); ++k) to.push_back(neighbour(order[k]));
  };
  first([&](Index j) { return all.square[j]; }, out.nearest);
  first([&](Index j) { return -std::abs(all.pull[j]); }, out.strongest);
  return out;
}

}  // namespace lacuna
