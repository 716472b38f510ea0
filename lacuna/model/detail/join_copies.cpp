#include "lacuna/model/detail/join_copies.hpp"

#include "lacuna/base/weights.hpp"
#include "lacuna/data/duplicates.hpp"

namespace lacuna::detail {
namespace {

double at(const Vector& weights, Index i) { return weights.size() > 0 ? weights[i] : 1.0; }

template <class T>
void take(std::vector<T>& all, const std::vector<Index>& rows) {
  if (all.empty()) return;
  std::vector<T> out;
  for (const Index i : rows) out.push_back(all[std::size_t(i)]);
  all = std::move(out);
}

template <int columns>
void take(Eigen::Matrix<double, Eigen::Dynamic, columns>& all, const std::vector<Index>& rows) {
  if (all.rows() > 0) all = all(rows, Eigen::all).eval();
}

// The weight of a joined row is shared out again among the rows that it was made of, which are copies of the first.
void part_weights(HeldOutRows& h, const JoinedCopies& joined, Index repeats) {
  const auto l = Index(joined.place.size());
  if (h.judged.size() > 0) {
    Vector judged(l);
    for (Index i = 0; i < l; ++i) judged[i] = h.judged[joined.place[std::size_t(i)]] * joined.share[i] * joined.unit;
    h.judged = judged.replicate(repeats, 1);
  }
  const Vector& weight = joined.weight;
  const bool alike = weight.size() == 0 || (weight.array() == weight[0]).all();
  h.weight = alike ? Vector() : Vector(weight.replicate(repeats, 1));
  std::vector<std::int64_t> first(std::size_t(joined.data.size()), -1);
  for (Index i = l; i-- > 0;) first[std::size_t(joined.place[std::size_t(i)])] = i;
  std::vector<std::int64_t> copy_of;
  for (Index r = 0; r < repeats; ++r)
    for (const Index place : joined.place) {
      const auto of = h.copy_of.empty() ? std::int64_t(place) : h.copy_of[std::size_t(place)];
      copy_of.push_back(first[std::size_t(of)]);
    }
  h.copy_of = std::move(copy_of);
}

// Joined in pairs, rows weigh 1 a pair, as their weights have no unit; they are two rows still.
void count_in(double unit, FitReport& report) {
  report.confusion *= unit;
  if (!report.counts) return;
  for (auto* rows : {&report.counts->observed, &report.counts->expected})
    for (double& count : *rows) count *= unit;
}

// Gaussian processes select by their evidence where no other criterion is named.
bool by_evidence(const TrainOptions& options) {
  const bool latent = options.model && options.model->inference;
  return options.select.criterion ? *options.select.criterion == Criterion::evidence : latent;
}

bool held_out_together(const Dataset& data, const TrainOptions& options) {
  return !data.group.empty() && options.select.cv.kind != CrossValidation::Kind::loo &&
         !uses_geometry(options.kernel.kernel, kernels::Geometry::given) && !by_evidence(options);
}

}  // namespace

JoinedCopies join_copies(const Dataset& given, const TrainOptions& options) {
  JoinedCopies out;
  if (!held_out_together(given, options)) return out;
  const std::vector<Index> first = first_of_copies(given, given.X);
  Dataset without_units;
  if (!given.weight_unit) {
    without_units = given;
    take_units_out(without_units);
  }
  const Dataset& data = given.weight_unit ? given : without_units;
  std::vector<Index> kept;
  for (Index i = 0; i < data.size(); ++i) {
    const Index k = first[std::size_t(i)];
    const bool joins = k < i && at(data.train_weights, k) == at(data.train_weights, i) &&
                       at(data.select_weights, k) == at(data.select_weights, i) &&
                       (data.prices.empty() || data.prices.value.row(k) == data.prices.value.row(i));
    out.place.push_back(joins ? out.place[std::size_t(k)] : Index(kept.size()));
    if (!joins) kept.push_back(i);
  }
  if (Index(kept.size()) == data.size()) return {};
  out.data = take_rows(data, kept);
  out.data.notes = data.notes;
  if (out.data.source_row.empty())
    for (const Index i : kept) out.data.source_row.push_back(i + 1);
  out.data.weights.setZero(Index(kept.size()));
  for (Index i = 0; i < data.size(); ++i) out.data.weights[out.place[std::size_t(i)]] += at(data.weights, i);
  out.share.resize(data.size());
  for (Index i = 0; i < data.size(); ++i)
    out.share[i] = at(data.weights, i) / out.data.weights[out.place[std::size_t(i)]];
  out.unit = take_unit_out(out.data.weights);
  *out.data.weight_unit *= out.unit;
  out.weight = data.weights;
  return out;
}

void part_copies(Model& model, const JoinedCopies& joined, const Dataset& data, const TrainOptions& options) {
  model.report.rows = data.size();
  count_in(joined.unit, model.report);
  if (options.select.weights == Weighting::none)
    model.report.weighted = data.weights.size() > 0 && (data.weights.array() != data.weights[0]).any();
  HeldOutRows& h = model.held_out;
  if (h.size() == 0) return;
  const Index repeats = h.repeats();
  std::vector<Index> entries;
  for (Index r = 0; r < repeats; ++r)
    for (const Index place : joined.place) entries.push_back(r * joined.data.size() + place);
  for (Matrix* all : {&h.output, &h.fitted, &h.variance, &h.target, &h.prices.value}) take(*all, entries);
  for (Vector* all : {&h.offset, &h.leverage, &h.trust}) take(*all, entries);
  take(h.label, entries);
  take(h.group, entries);
  part_weights(h, joined, repeats);
  h.row.clear();
  for (Index r = 0; r < repeats; ++r)
    for (Index i = 0; i < data.size(); ++i)
      h.row.push_back(data.source_row.empty() ? i + 1 : data.source_row[std::size_t(i)]);
  h.leverage.array() *= joined.share.replicate(repeats, 1).array();
}

}  // namespace lacuna::detail
