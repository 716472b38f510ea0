// model/detail/describe_report.hpp -- the fields of a FitReport. Its figures are shown, never computed with, so that
// any number may stand there.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "lacuna/base/error.hpp"
#include "lacuna/model/detail/describe_warnings.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna::detail {

inline const std::array<Word<Stop>, 8>& stop_words() {
  static const auto words = [] {
    constexpr std::array stops{Stop::none,        Stop::converged, Stop::max_evaluations,       Stop::time_limit,
                               Stop::interrupted, Stop::at_bound,  Stop::not_positive_definite, Stop::not_finite};
    std::array<Word<Stop>, stops.size()> out;
    for (std::size_t k = 0; k < stops.size(); ++k) out[k] = {name_of(stops[k]), stops[k]};
    return out;
  }();
  return words;
}

inline constexpr std::array<std::string_view, 4> auc_pairs_words{"none", "left-out", "same-fold", "pooled"};

template <class At>
void describe(At& at, FitReport::Search& s) {
  at.text("method", s.method);
  at.whole("evaluations", s.evaluations);
  at.whole("gradients", s.gradients);
  at.whole("factorisations", s.factorisations);
  at.number("seconds", s.seconds, Number::any);
  at.choice("stop", s.stop, stop_words());
  if (at.optional("scouted", s.scouted > 0)) at.whole("scouted", s.scouted);
  at.texts("parameters", s.parameters, Texts::any);
  at.list("optima", s.optima, [&s](auto& of, FitReport::Search::Optimum& o) {
    of.numbers("values", o.values, Index(s.parameters.size()), Number::any);
    of.number("criterion", o.criterion, Number::any);
  });
}

template <class At>
void describe(At& at, FitReport::Basis& b) {
  at.text("method", b.method);
  at.flag("automatic", b.automatic);
  if (at.optional("by_size", b.by_size)) at.flag("by_size", b.by_size);
  at.whole("asked", b.asked, 0);
  at.whole("size", b.size, 0);
  at.whole("kept", b.kept, 0);
  at.whole("rounds", b.rounds);
  at.flag("complete", b.complete);
  at.whole("selected_on", b.selected_on, 0);
  at.list("sizes", b.sizes, [](auto& of, FitReport::Basis::Size& s) {
    of.whole("size", s.size, 0);
    of.number("criterion", s.criterion, Number::any);
  });
}

template <class At>
void describe(At& at, FitReport::Choice& c) {
  at.text("effort", c.effort);
  at.whole("folds", c.folds, 0);
  at.number("loss", c.loss, Number::any);
  at.choice("stop", c.stop, stop_words());
  at.list("candidates", c.candidates, [](auto& of, FitReport::Choice::Candidate& one) {
    of.text("name", one.name);
    of.text("kernel", one.kernel);
    of.number("lambda", one.lambda, Number::any);
    of.number("loss", one.loss, Number::any);
    of.number("difference", one.difference, Number::any);
    of.number("standard_error", one.standard_error, Number::any);
    of.number("weight", one.weight, Number::any);
    of.number("seconds", one.seconds, Number::any);
    of.text("left", one.left);
  });
}

template <class At>
void describe(At& at, FitReport::Relevance& r) {
  at.numbers("criteria", r.criteria, any_extent, Number::any);
  at.whole("kept", r.kept, 0);
  at.numbers("first", r.first, any_extent, Number::any);
  at.require(r.kept < int(r.criteria.size()), "the round that is kept is none of those there were");
}

template <class At>
void describe(At& at, FitReport::Counts& c) {
  at.number("dispersion", c.dispersion, Number::any);
  at.number("beyond_two", c.beyond_two, Number::any);
  at.number("beyond_three", c.beyond_three, Number::any);
  at.number("zeros", c.zeros, Number::any);
  at.number("zeros_expected", c.zeros_expected, Number::any);
  at.numbers("observed", c.observed, any_extent, Number::from_zero);
  at.numbers("expected", c.expected, Index(c.observed.size()), Number::from_zero);
  at.number("fitted_dispersion", c.fitted_dispersion, Number::any);
  at.number("degrees", c.degrees, Number::any);
  at.number("excess", c.excess, Number::any);
  at.number("overdispersion_error", c.overdispersion_error, Number::any);
}

inline constexpr std::array<Word<Weighting>, 3> weighting_words{
    {{"none", Weighting::none}, {"balanced", Weighting::balanced}, {"column", Weighting::column}}};

/// A seed may be larger than whole numbers of a file are.
template <class At>
void describe(At& at, FitReport::Repeat& r) {
  at.word("seed", std::to_string(r.seed), [&r](const std::string& text) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), r.seed);
    if (error != std::errc{} || end != text.data() + text.size()) fail_usage("a seed is a whole number, 0 or more");
  });
  at.choice("train_weights", r.train_weights, weighting_words);
  at.choice("select_weights", r.select_weights, weighting_words);
}

template <class At>
void describe(At& at, FitReport& r) {
  at.text("model", r.model);
  at.whole("rows", r.rows, 0);
  at.whole("features", r.features, 0);
  at.text("criterion", r.criterion);
  at.text("cv", r.cv);
  if (at.optional("group", !r.group.empty())) at.text("group", r.group);
  if (at.optional("repeat", r.repeat.has_value())) {
    if constexpr (At::reading) r.repeat = FitReport::Repeat{};
    at.object("repeat", [&r](auto& of) { describe(of, *r.repeat); });
  }
  if (at.optional("auc_pairs", r.auc_pairs != "none")) at.text("auc_pairs", r.auc_pairs);
  at.require(std::ranges::count(auc_pairs_words, r.auc_pairs) == 1, "auc_pairs is no word that is known");
  at.number("criterion_value", r.criterion_value, Number::any);
  at.flag("optimistic", r.optimistic);
  at.flag("approximate", r.approximate);
  at.list("held_out", r.held_out, [](auto& of, std::pair<std::string, double>& score) {
    of.text("name", score.first);
    of.number("value", score.second, Number::any);
  });
  if (at.optional("baseline", !r.baseline.empty()))
    at.list("baseline", r.baseline, [](auto& of, std::pair<std::string, double>& score) {
      of.text("name", score.first);
      of.number("value", score.second, Number::any);
    });
  if (at.optional("cheapest", r.cheapest >= 0)) {
    at.whole("cheapest", r.cheapest, 0);
    at.number("cost_error", r.cost_error, Number::any);
  }
  if (at.optional("confusion", r.confusion.size() > 0)) {
    std::vector<double> cells(r.confusion.reshaped().begin(), r.confusion.reshaped().end());
    at.numbers("confusion", cells, any_extent, Number::from_zero);
    const auto classes = Index(std::lround(std::sqrt(double(cells.size()))));
    at.require(classes > 0 && classes * classes == Index(cells.size()), "the confusion of classes is not square");
    if constexpr (At::reading) r.confusion = Eigen::Map<const Matrix>(cells.data(), classes, classes);
  }
  if (at.optional("counts", r.counts.has_value())) {
    if constexpr (At::reading) r.counts = FitReport::Counts{};
    at.object("counts", [&r](auto& of) { describe(of, *r.counts); });
  }
  at.object("search", [&r](auto& of) { describe(of, r.search); });
  if (at.optional("basis", r.basis.has_value())) {
    if constexpr (At::reading) r.basis = FitReport::Basis{};
    at.object("basis", [&r](auto& of) { describe(of, *r.basis); });
  }
  if (at.optional("choice", r.choice.has_value())) {
    if constexpr (At::reading) r.choice = FitReport::Choice{};
    at.object("choice", [&r](auto& of) { describe(of, *r.choice); });
  }
  if (at.optional("relevance", r.relevance.has_value())) {
    if constexpr (At::reading) r.relevance = FitReport::Relevance{};
    at.object("relevance", [&r](auto& of) { describe(of, *r.relevance); });
  }
  if (at.optional("weighted", r.weighted)) at.flag("weighted", r.weighted);
  if (at.optional("flagged", true)) at.whole("flagged", r.flagged, 0);
  if (at.optional("refitted", true)) at.whole("refitted", r.refitted, 0);
  at.number("seconds", r.seconds, Number::any);
  describe_warnings(at, r.warnings);
}

}  // namespace lacuna::detail
