// report/page/trust_probabilities.cpp (of subject.hpp) -- classes: do stated probabilities come true, how well outputs
// rank rows, and what is decided at each cut.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/curves/cuts.hpp"
#include "lacuna/curves/ranking.hpp"
#include "lacuna/curves/reliability.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/model/probability.hpp"
#include "lacuna/report/page/confusion_blocks.hpp"
#include "lacuna/report/page/subject.hpp"

namespace lacuna::page {
namespace {

// Sums of weights have a unit that nobody states: people read shares.
bool by_weight(const Model& model) { return model.report.weighted && knows_weights(model); }

Json reliability_chart(const Subject& about) {
  const Model& model = about.model;
  const bool binary = model.task == Task::binary;
  Vector p(about.counted.size());
  std::vector<bool> hit;
  for (std::size_t k = 0; k < about.counted.place.size(); ++k) {
    const Index i = about.counted.place[k];
    const int label = model.held_out.label[std::size_t(i)];
    Index best = 1;
    if (!binary) about.said.probability.row(i).maxCoeff(&best);
    p[Index(k)] = about.said.probability(i, best);
    hit.push_back(label == int(best));
  }
  const Reliability r = reliability(p, hit, about.counted.weight, about.counted.group);
  std::vector<double> curve_p, curve_share;
  for (const Index k : thinned(Index(r.p.size()), most_corners)) {
    curve_p.push_back(r.p[std::size_t(k)]);
    curve_share.push_back(r.share[std::size_t(k)]);
  }
  Json bins = columns_of({"stated", "was", "lower", "upper", "rows"});
  const bool weighted = by_weight(model);
  if (weighted) bins["of_all"] = Json::array();
  for (const Reliability::Bin& b : r.bins) {
    if (weighted) bins["of_all"].push_back(number(b.rows / about.counted.weight.sum()));
    bins["stated"].push_back(number(b.stated));
    bins["was"].push_back(number(b.was));
    bins["lower"].push_back(number(b.lower));
    bins["upper"].push_back(number(b.upper));
    bins["rows"].push_back(number(b.rows));
  }
  const std::string of = binary ? fmt::format("of {}", brief(model.classes[1])) : "of the likeliest class";
  return chart("reliability", fmt::format("Stated probability {}, and how often it was right", of),
               "The line is isotonic regression; points are ten bins with 95 % intervals. Grey is where the line would "
               "lie if every statement were right: outside it is evidence against the probabilities.",
               {{"band", {{"p", numbers(r.at)}, {"lower", numbers(r.lower)}, {"upper", numbers(r.upper)}}},
                {"curve", {{"p", numbers(curve_p)}, {"share", numbers(curve_share)}}},
                {"bins", std::move(bins)}},
               "bins",
               {weighted ? Column{"of_all", of_all_by_weight, true, ".1%"} : Column{"rows", "rows", true, ",.6~g"},
                {"stated", "stated", true, ".3f"},
                {"was", "came true", true, ".3f"},
                {"lower", "95 % from", true, ".3f"},
                {"upper", "to", true, ".3f"}});
}

Json band_json(const RankCurve& c) {
  return {{"x", numbers(c.at)}, {"lower", numbers(c.lower)}, {"upper", numbers(c.upper)}};
}
Json corners_json(const RankCurve& c) {
  Json at = Json::array();
  for (std::size_t k = 0; k < c.x.size(); ++k) at.push_back(k);
  return {{"x", numbers(c.x)}, {"y", numbers(c.y)}, {"at", std::move(at)}};
}
const Json unit_diagonal{{"x", {0, 1}}, {"y", {0, 1}}};

// The model's own decisions, and where they are on the two curves.
struct OwnCounts {
  double tp = 0.0, fp = 0.0, fn = 0.0, tn = 0.0;
};
OwnCounts own_counts(const Subject& about) {
  OwnCounts out;
  for (Index k = 0; k < about.counted.size(); ++k) {
    const Index i = about.counted.place[std::size_t(k)];
    const bool is = about.model.held_out.label[std::size_t(i)] == 1, called = about.said.label[std::size_t(i)] == 1;
    (is ? (called ? out.tp : out.fn) : (called ? out.fp : out.tn)) += about.counted.weight[k];
  }
  return out;
}
struct Decided {
  double fpr = 0.0, tpr = 0.0, precision = 0.0;
};
Decided decided_at(const Subject& about) {
  const auto [tp, fp, fn, tn] = own_counts(about);
  return {fp / (fp + tn), tp / (tp + fn), tp / (tp + fp)};
}

std::vector<Json> ranking_charts(const Subject& about) {
  const Model& model = about.model;
  const std::vector<bool> positive = of_class(about, 1);
  const double auc = value_of(model.report.held_out, "auc");
  if (!both(positive) || !std::isfinite(auc)) return {};
  const Matrix z = moderated(model, model.held_out.output, model.held_out.variance);
  Vector output(about.counted.size());
  for (std::size_t k = 0; k < about.counted.place.size(); ++k) output[Index(k)] = z(about.counted.place[k], 0);
  const Ranking r = ranking(output, positive, about.counted.weight, about.counted.group);
  const Decided d = decided_at(about);
  const RankCurve roc = thinned(r.roc, most_corners), precision = thinned(r.precision, most_corners);
  std::string area = "Area " + digits(auc);
  if (const double se = value_of(about.errors, "auc"); se > 0.0) area += fmt::format(" ± {:.2g}", se);
  area +=
      model.report.auc_pairs == "left-out"
          ? fmt::format(" (pairs left out together; {} with the outputs drawn here, which are of different machines).",
                        digits(r.area))
          : ".";
  const std::string band =
      fmt::format(" The band holds 95 of 100 curves of resampled {}; the dot is the model's own decisions.",
                  about.counted.group.empty() ? "rows" : "groups");
  return {
      chart("roc", "Ranking: ROC curve", area + band,
            {{"band", band_json(r.roc)},
             {"curve", corners_json(roc)},
             {"diagonal", unit_diagonal},
             {"chosen", {{"x", {number(d.fpr)}}, {"y", {number(d.tpr)}}}}},
            "band",
            {{"x", "negatives called positive", true, ".0%"},
             {"lower", "found, 95 % from", true, ".3f"},
             {"upper", "to", true, ".3f"}}),
      chart(
          "precision", "Precision and recall",
          fmt::format("{} of the rows are {}: the dashed line is a coin of that share.{}", percent(r.share),
                      brief(model.classes[1]), band),
          {{"band", band_json(r.precision)},
           {"curve", corners_json(precision)},
           {"base", {{"y", {number(r.share)}}}},
           {"chosen", {{"x", {number(d.tpr)}}, {"y", {number(d.precision)}}}}},
          "band",
          {{"x", "found", true, ".0%"}, {"lower", "precision, 95 % from", true, ".3f"}, {"upper", "to", true, ".3f"}})};
}

// The first cut that is no lower.
Index place_of(const Cuts& cuts, double cut) { return Index(std::ranges::lower_bound(cuts.at, cut) - cuts.at.begin()); }

// The model's own decisions among the cuts; where.
Index with_own_cut(Cuts& cuts, const Subject& about, double cut) {
  const OwnCounts own = own_counts(about);
  const Index at = place_of(cuts, cut);
  const bool there = std::size_t(at) < cuts.at.size() && cuts.at[std::size_t(at)] == cut;
  const auto put = [&](std::vector<double>& to, double value) {
    if (!there) to.insert(to.begin() + at, value);
    to[std::size_t(at)] = value;
  };
  put(cuts.at, cut);
  put(cuts.tp, own.tp);
  put(cuts.fp, own.fp);
  put(cuts.fn, own.fn);
  put(cuts.tn, own.tn);
  return at;
}

// The drawing, and the slider.
std::vector<Json> cut_blocks(const Subject& about) {
  const Model& model = about.model;
  Vector p(about.counted.size());
  for (std::size_t k = 0; k < about.counted.place.size(); ++k)
    p[Index(k)] = about.said.probability(about.counted.place[k], 1);
  const bool each_row = decides_by_row(model);
  const double chosen =
      each_row ? 0.5 : probabilities(model.loss, model.calibration, Matrix::Constant(1, 1, model.threshold), 2)(0, 1);
  Cuts cuts = count_cuts(p, of_class(about, 1), about.counted.weight);
  const Index start = each_row ? place_of(cuts, chosen) : with_own_cut(cuts, about, chosen);
  const std::optional<CutSpread> spread = spread_of_cut(model);
  const std::string positive = brief(model.classes[1], 30), negative = brief(model.classes[0], 30);
  std::string text = fmt::format("The model calls a row {} from probability {} on", positive, digits(chosen));
  if (each_row)
    text = fmt::format(
        "The model decides by the prices of each row, {}, so that every row has a cut of its own and there is no line "
        "for them; the slider moves one cut for all, and begins at one half.",
        brief(costs_text(*model.costs), 60));
  else if (spread)
    text += fmt::format(
        ", chosen by held-out rows for {}. Of resampled rows 90 % would have put it between {:.3f} and "
        "{:.3f}.",
        threshold_text(*model.threshold_rule), spread->lower, spread->upper);
  else
    text += model.threshold_rule ? ", as given." : ", where both classes are equally likely; it depends on no row.";
  const double n = about.counted.weight.sum();
  Json lines = columns_of({"cut", "rate", "what"});
  const std::pair<std::string, const std::vector<double>&> both_kinds[] = {{"false positives", cuts.fp},
                                                                           {"false negatives", cuts.fn}};
  for (const auto& [what, of] : both_kinds)
    for (std::size_t k = 0; k < cuts.at.size(); ++k) {
      lines["cut"].push_back(number(cuts.at[k]));
      lines["rate"].push_back(number(of[k] / n));
      lines["what"].push_back(what);
    }
  Json band = columns_of({"lower", "upper"});
  if (spread) band = {{"lower", {number(spread->lower)}}, {"upper", {number(spread->upper)}}};
  Json prices{1, 1};
  if (model.costs && !by_row(*model.costs))
    prices = {model.costs->price(0, 1), model.costs->price(1, 0)};
  else if (model.threshold_rule && model.threshold_rule->kind == ThresholdRule::Kind::cost)
    prices = {model.threshold_rule->false_positive, model.threshold_rule->false_negative};
  Json slider{
      {"kind", "threshold"},
      {"negative", negative},
      {"positive", positive},
      {"chosen", number(chosen)},
      {"start", start},
      {"words",
       "The slider counts held-out rows only; the model stays as it is. predict --threshold and --cost "
       "decide otherwise for new rows."},
      {"prices", std::move(prices)},
      {"cuts", {{"cut", numbers(cuts.at)}, {"tp", cuts.tp}, {"fp", cuts.fp}, {"fn", cuts.fn}, {"tn", cuts.tn}}}};
  if (model.held_out.repeats() > 1)
    slider["words"] =
        slider["words"].get<std::string>() +
        fmt::format(" Rows were held out {} times; the first time counts here.", model.held_out.repeats());
  if (by_weight(model)) slider["weighted"] = true;
  Json drawing = chart(
      "cuts", "Mistakes at every cut",
      text + (each_row ? " The solid line is the slider's cut."
                       : " The solid line is the slider's cut, which begins at the model's; the dashed one is the "
                         "model's."),
      {{"cuts", std::move(lines)},
       {"spread", std::move(band)},
       {"chosen", each_row ? columns_of({"cut"}) : Json{{"cut", {number(chosen)}}}}},
      "cuts", {{"what", "mistake", false}, {"cut", "cut", true, ".3f"}, {"rate", "share of the rows", true, ".2%"}},
      {{"cut", number(chosen)}});
  return {std::move(drawing), std::move(slider)};
}

// How areas of drawn outputs and the score's may differ.
std::string area_words(const Model& model) {
  const double auc = value_of(model.report.held_out, "auc");
  if (!std::isfinite(auc)) return "";
  if (model.report.auc_pairs == "pooled") return "; the mean over all classes is " + digits(auc);
  return fmt::format(". The score, {}, is their mean of pairs of rows {}; curves pool outputs of different machines",
                     digits(auc), model.report.auc_pairs == "left-out" ? "left out together" : "of one fold");
}

// One against the rest.
Json roc_of_classes(const Subject& about) {
  const Model& model = about.model;
  Json curve = columns_of({"x", "y", "at", "class"});
  const std::vector<std::string> names = briefly(model.classes, 24);
  for (const std::size_t label : about.outputs_drawn) {
    const Ranking r = ranking(class_score(about, label), of_class(about, int(label)), about.counted.weight);
    const RankCurve c = thinned(r.roc, 120);
    for (std::size_t k = 0; k < c.x.size(); ++k) {
      curve["x"].push_back(number(c.x[k]));
      curve["y"].push_back(number(c.y[k]));
      curve["at"].push_back(k);
      curve["class"].push_back(fmt::format("{}: {:.3f}", names[label], r.area));
    }
  }
  if (curve["x"].empty()) return nullptr;
  const bool many = model.classes.size() > about.outputs_drawn.size();
  return chart("rocs", "Each class against the rest: ROC curves",
               fmt::format("Rows are ranked by the output of each class, as in the area above, before outputs become "
                           "probabilities that sum to one. Area beside each name{}{}.",
                           many ? "; only the worst eight are drawn" : "", area_words(model)),
               {{"curve", std::move(curve)}, {"diagonal", unit_diagonal}}, "curve",
               {{"class", "class: area", false}, {"x", "others called so", true, ".3f"}, {"y", "found", true, ".3f"}});
}

}  // namespace

std::vector<Json> trust_probabilities(const Subject& about) {
  const Model& model = about.model;
  if (!about.judged)
    return {missing("Reliability and ranking are", "the model keeps no held-out outputs",
                    "lacuna fit DATA --report FILE writes the page of a model that does.")};
  std::vector<Json> out, charts;
  const bool stated = about.said.probability.size() > 0, binary = model.task == Task::binary;
  if (!knows_weights(model))
    out.push_back(note("Rows count alike in these drawings, as the model's file does not keep their weights."));
  else if (!about.counted.alike())
    out.push_back(words("Rows count by their weights, as in the figures above; bands are of rows drawn with theirs."));
  if (stated)
    charts.push_back(reliability_chart(about));
  else
    out.push_back(
        note("This machine has no probabilities; fit with --recalibrate, or another --model, gives it some."));
  if (binary) {
    std::vector<Json> ranks = ranking_charts(about);
    if (ranks.empty())
      out.push_back(missing("How well rows are ranked is",
                            "the area under the curve is not known; it compares rows of both classes, each by a "
                            "machine that has seen others of its class"));
    for (Json& c : ranks) charts.push_back(std::move(c));
  } else if (!std::isfinite(value_of(model.report.held_out, "auc"))) {
    out.push_back(missing("How well rows are ranked is",
                          "the area under the curve is not known; it compares rows of each class with others, each by "
                          "a machine that has seen others of its class"));
  } else if (Json c = roc_of_classes(about); !c.is_null()) {
    charts.push_back(std::move(c));
  }
  std::vector<Json> cuts;
  if (binary && stated) cuts = cut_blocks(about);
  if (!cuts.empty()) charts.push_back(std::move(cuts[0]));
  if (!charts.empty()) out.push_back(grid(std::move(charts)));
  if (!cuts.empty()) out.push_back(std::move(cuts[1]));
  if (!binary)
    for (Json& b : confusion_blocks(model.report.confusion, model.classes, "Held-out rows", model.report.weighted))
      out.push_back(std::move(b));
  return out;
}

}  // namespace lacuna::page
