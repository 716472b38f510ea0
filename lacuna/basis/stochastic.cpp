// basis/stochastic.cpp (of basis.hpp) -- greedy choice among a few random candidates, judged on a random part of the
// rows.
#include <algorithm>
#include <optional>

#include "lacuna/basis/basis.hpp"
#include "lacuna/basis/detail/draw.hpp"
#include "lacuna/basis/detail/in_order.hpp"
#include "lacuna/basis/detail/pool.hpp"

namespace lacuna {
namespace {

// Rows that may still be chosen, of which some are looked at.
class Left {
 public:
  Left(std::vector<Index> rows, const Vector& weights) : rows_(std::move(rows)) {
    if (detail::alike(rows_, weights)) return;
    weights_ = detail::weights_of(rows_, weights);
    draw_.emplace(weights_);
  }

  bool empty() const { return draw_ ? !draw_->any() : rows_.empty(); }
  /// Some of them, by weight, without replacement.
  std::vector<Index> candidates(Index count, Random& random) {
    places_.clear();
    if (draw_) {
      while (Index(places_.size()) < count && draw_->any()) places_.push_back(draw_->take(random));
      for (const std::size_t place : places_) draw_->put(place, weights_[place]);
    } else {  // drawn to the front of what is left
      for (std::size_t i = 0; i < std::min(std::size_t(count), rows_.size()); ++i) {
        std::swap(rows_[i], rows_[i + random.below(rows_.size() - i)]);
        places_.push_back(i);
      }
    }
    std::vector<Index> out;
    for (const std::size_t place : places_) out.push_back(rows_[place]);
    return out;
  }
  /// The candidate is chosen, and is none any more.
  void choose(Index candidate) {
    const std::size_t place = places_[std::size_t(candidate)];
    if (draw_) {
      draw_->put(place, 0.0);
    } else {
      std::swap(rows_[place], rows_.back());
      rows_.pop_back();
    }
  }

 private:
  std::vector<Index> rows_;
  std::vector<double> weights_;
  std::optional<detail::WeightedDraw> draw_;  // none: all weights are the same
  std::vector<std::size_t> places_;           // of the candidates
};

}  // namespace

BasisChoice stochastic_basis(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                             const BasisOptions& options, const Observer& observer) {
  Random random(options.seed);
  const std::vector<Index> rows = detail::pool(X.rows(), weights);
  detail::Growing growing(backend, kernel, X, weights, detail::sample(rows, options.judged, random),
                          std::min(options.size, Index(rows.size())));
  BasisChoice choice;
  for (Left left(rows, weights); !left.empty();) {
    const std::vector<Index> candidates = left.candidates(options.candidates, random);
    const compute::Projection::Candidates seen = growing.look(candidates);
    const Vector gain = seen.taken.cwiseQuotient(seen.own);
    Index best = -1;
    for (Index c = 0; c < gain.size(); ++c)
      if (seen.own[c] > options.singular * seen.norm[c] && (best < 0 || gain[c] > gain[best])) best = c;
    if (best < 0) break;
    left.choose(best);
    if (!growing.grow(candidates[std::size_t(best)], best, options, observer, choice)) return choice;
  }
  choice.end = BasisEnd::singular;
  return choice;
}

}  // namespace lacuna
