// report/suspects.cpp (of report.hpp) -- the rows worth a second look: labels that the machine would not have guessed,
// values far from its held-out prediction, and rows that move it most.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/shown.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_listed = 10;

// A row that was held out several times counts where it fares worst.
std::vector<std::size_t> largest(const Vector& v, double above, const std::vector<std::int64_t>& row) {
  std::vector<std::size_t> order;
  for (Index i = 0; i < v.size(); ++i)
    if (v[i] > above) order.push_back(std::size_t(i));
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return v[Index(a)] > v[Index(b)]; });
  std::vector<std::size_t> out;
  for (const std::size_t i : order) {
    if (out.size() == most_listed) break;
    if (std::none_of(out.begin(), out.end(), [&](std::size_t k) { return row[k] == row[i]; })) out.push_back(i);
  }
  return out;
}

std::string numbers(const Matrix& m, std::size_t i) {
  std::string out;
  for (Index c = 0; c < m.cols(); ++c) out += fmt::format("{}{:.4g}", c ? " " : "", m(Index(i), c));
  return out;
}

std::string wrong_labels(const Model& model, const Predictions& said, const Vector& loss) {
  const HeldOutRows& h = model.held_out;
  Vector wrong = loss;
  for (Index i = 0; i < wrong.size(); ++i)
    if (said.label[std::size_t(i)] == h.label[std::size_t(i)]) wrong[i] = -1.0;
  const auto rows = largest(wrong, -0.5, h.row);
  if (rows.empty()) return "no row gets a wrong class when it is held out\n";
  std::string out = "suspected wrong labels (largest held-out loss):\n";
  out += fmt::format("  {:>8}  {:<16} {:<16} {:>12}  {:>8}\n", "row", "label", "held out",
                     said.probability.size() > 0 ? "P(label)" : "output", "loss");
  for (const std::size_t i : rows)
    out += fmt::format("  {:>8}  {:<16} {:<16} {:>12}  {:>8.4g}\n", h.row[i],
                       shown(model.classes[std::size_t(h.label[i])]), shown(model.classes[std::size_t(said.label[i])]),
                       said.probability.size() > 0 ? fmt::format("{:.3g}", said.probability(Index(i), h.label[i]))
                                                   : numbers(h.output, i),
                       loss[Index(i)]);
  return out;
}

std::string far_values(const Model& model, const Predictions& said, const Vector& loss) {
  const HeldOutRows& h = model.held_out;
  std::string out = "furthest from their held-out prediction (largest held-out loss):\n";
  out += fmt::format("  {:>8}  {:<16} {:<16} {:>8}\n", "row", "target", "held out", "loss");
  for (const std::size_t i : largest(loss, 0.0, h.row))
    out += fmt::format("  {:>8}  {:<16} {:<16} {:>8.4g}\n", h.row[i], numbers(h.target, i), numbers(said.value, i),
                       loss[Index(i)]);
  return out;
}

std::string influential(const Model& model) {
  const HeldOutRows& h = model.held_out;
  if (h.fitted.size() == 0) return "";
  const Vector change = (h.fitted - h.output).rowwise().norm();
  std::string out = "most influential (how far a row moves its own output):\n";
  out += fmt::format("  {:>8}  {:<24} {:<24} {:>8}\n", "row", "output without it", "output with it", "leverage");
  for (const std::size_t i : largest(change, 0.0, h.row))
    out += fmt::format("  {:>8}  {:<24} {:<24} {:>8.3g}\n", h.row[i], numbers(h.output, i), numbers(h.fitted, i),
                       Index(i) < h.leverage.size() ? h.leverage[Index(i)] : std::nan(""));
  return out;
}

}  // namespace

std::string suspects_text(const Model& model) {
  const Predictions said = held_out_predictions(model);
  const Vector loss = held_out_loss(model);
  return shown_lines((model.classes.empty() ? far_values(model, said, loss) : wrong_labels(model, said, loss)) +
                     influential(model));
}

std::string verification_text(const FitReport& report) {
  const auto& v = report.verification;
  if (v.rows == 0) return "";
  return fmt::format(
      "{} row{} refitted without {}: held-out outputs differ by {:.3g} at most (row {}), their mean loss is "
      "{:.5g} and by refits {:.5g}\n",
      v.rows, v.rows == 1 ? "" : "s", v.rows == 1 ? "it" : "them", v.largest, v.row, v.mean_loss, v.mean_loss_refitted);
}

}  // namespace lacuna
