// experiment/wcci_sheets.cpp (of wcci.hpp) -- the results beside the published figures.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "experiment/published.hpp"
#include "experiment/wcci.hpp"
#include "lacuna/evaluate/statistics.hpp"

namespace lacuna {
namespace {

SampleMean over_splits(const WcciCell& cell, double WcciResult::*value) {
  std::vector<double> out;
  for (const WcciResult& r : cell.splits) out.push_back(r.*value);
  return mean_of(out);
}

std::string yes_no(bool b) { return b ? "yes" : "no"; }

std::string published_kernel(const std::string& kernel) {
  const std::map<std::string, std::string> names{
      {"linear", "Linear"}, {"poly2", "Quadratic"}, {"poly3", "Cubic"}, {"boolean", "Boolean"}, {"rbf", "RBF"}};
  return names.at(kernel);
}

struct PublishedRow {
  std::string criterion, training, selection, kernel;
  std::map<std::string, double> ber;  // by data set
};

std::vector<PublishedRow> published_rows() {
  const Table& table = published_table("wlssvm_table3_ber");
  const auto word = [&](std::size_t j, std::size_t i) {
    return table.columns[j].levels[std::size_t(table.columns[j].code[i])];
  };
  std::vector<PublishedRow> out;
  for (std::size_t i = 0; i < std::size_t(table.rows); ++i) {
    PublishedRow row{word(1, i), word(2, i), word(3, i), word(4, i), {}};
    for (std::size_t j = 5; j < table.columns.size(); ++j)
      if (!std::isnan(table.columns[j].number[i])) row.ber[table.columns[j].name] = table.columns[j].number[i];
    out.push_back(std::move(row));
  }
  return out;
}

std::optional<double> published_ber(const std::vector<PublishedRow>& rows, const WcciCell& cell) {
  for (const PublishedRow& r : rows)
    if (r.criterion == cell.criterion && r.training == yes_no(cell.weighted_training) &&
        r.selection == yes_no(cell.weighted_selection) && r.kernel == published_kernel(cell.kernel))
      if (const auto at = r.ber.find(cell.set); at != r.ber.end()) return at->second;
  return {};
}

Cell four(double v) { return Figure{v, 4}; }

Sheet table_sheet(const std::vector<WcciCell>& cells, const std::vector<PublishedRow>& rows) {
  Sheet sheet{"table",
              "Balanced error of each criterion, weighting and kernel.",
              {"data", "criterion", "weighted training", "weighted selection", "kernel", "ber", "s.e.", "at zero",
               "least loo", "at best", "paper", "difference", "at best less paper"}};
  std::vector<double> off, off_best;
  for (const WcciCell& cell : cells) {
    const SampleMean ber = over_splits(cell, &WcciResult::test_at_cut);
    const double best = over_splits(cell, &WcciResult::test_at_best).mean;
    const double theirs = published_ber(rows, cell).value_or(std::nan(""));
    if (!std::isnan(theirs)) off.push_back(std::abs(ber.mean - theirs)), off_best.push_back(std::abs(best - theirs));
    sheet.rows.push_back({cell.set, cell.criterion, yes_no(cell.weighted_training), yes_no(cell.weighted_selection),
                          cell.kernel, four(ber.mean), four(ber.se),
                          four(over_splits(cell, &WcciResult::test_at_zero).mean),
                          four(over_splits(cell, &WcciResult::loo_at_best).mean), four(best), four(theirs),
                          four(ber.mean - theirs), four(best - theirs)});
  }
  if (!off.empty())
    sheet.caption += fmt::format(
        " Mean absolute difference from the published cells: {:.4f} at best, {:.4f} at the cut of leave-one-out. Least "
        "loo: "
        "the leave-one-out outputs at whichever cut is best for them, below which no cut that is fixed before the test "
        "rows "
        "are seen can fall on average; published cells below it were not got by such a cut from these rows.",
        mean_of(off_best).mean, mean_of(off).mean);
  return sheet;
}

Sheet prediction_sheet(const std::vector<WcciCell>& cells) {
  Sheet sheet{"prediction",
              "Performance prediction, each test part in the place of the challenge's test set: the guess is the "
              "balanced error of the "
              "leave-one-out outputs at their own cut (optimistic: it was used to choose), or the nested mean of the "
              "other splits; "
              "guess error is its distance from the test part's balanced error; score is the challenge's.",
              {"data", "criterion", "weighted training", "weighted selection", "kernel", "ber", "loo guess",
               "loo guess error", "nested guess error", "score"}};
  for (const WcciCell& cell : cells) {
    std::vector<double> loo_error, nested_error;
    const SampleMean ber = over_splits(cell, &WcciResult::test_at_cut);
    const auto n = double(cell.splits.size());
    for (const WcciResult& r : cell.splits) {
      loo_error.push_back(std::abs(r.loo_at_cut - r.test_at_cut));
      nested_error.push_back(std::abs((ber.mean * n - r.test_at_cut) / (n - 1.0) - r.test_at_cut));
    }
    sheet.rows.push_back({cell.set, cell.criterion, yes_no(cell.weighted_training), yes_no(cell.weighted_selection),
                          cell.kernel, four(ber.mean), four(over_splits(cell, &WcciResult::loo_at_cut).mean),
                          four(mean_of(loo_error).mean), four(mean_of(nested_error).mean),
                          four(over_splits(cell, &WcciResult::score).mean)});
  }
  return sheet;
}

struct Observation {
  std::vector<std::string> levels;  // of criterion, weighting, kernel
  double y;
};

// Least squares on indicators of every level but the first of each factor.
Sheet regression_sheet(const std::string& name, const std::string& caption, std::vector<Observation> observations) {
  Sheet sheet{name, caption, {"level", "coefficient", "s.e.", "t"}};
  std::vector<std::string> columns;
  std::vector<std::string> base;
  for (std::size_t f = 0; f < 3; ++f)
    for (const Observation& o : observations) {
      if (base.size() <= f) base.push_back(o.levels[f]);
      if (o.levels[f] != base[f] && std::find(columns.begin(), columns.end(), o.levels[f]) == columns.end())
        columns.push_back(o.levels[f]);
    }
  const auto n = Index(observations.size()), p = Index(columns.size()) + 1;
  if (n <= p) return sheet;
  Matrix X = Matrix::Zero(n, p);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    const Observation& o = observations[std::size_t(i)];
    X(i, 0) = 1.0;
    y[i] = o.y;
    for (Index c = 1; c < p; ++c)
      X(i, c) = std::count(o.levels.begin(), o.levels.end(), columns[std::size_t(c - 1)]) > 0;
  }
  const Matrix inverse = (X.transpose() * X).ldlt().solve(Matrix::Identity(p, p));
  const Vector b = inverse * (X.transpose() * y);
  const double s2 = (y - X * b).squaredNorm() / double(n - p);
  for (Index c = 0; c < p; ++c) {
    const double se = std::sqrt(s2 * inverse(c, c));
    sheet.rows.push_back(
        {c == 0 ? fmt::format("constant ({}, {}, {})", base[0], base[1], base[2]) : columns[std::size_t(c - 1)], b[c],
         se, b[c] / se});
  }
  return sheet;
}

// Standardised within each data set, so that sets count alike.
std::vector<Observation> standardised(const std::map<std::string, std::vector<Observation>>& by_set) {
  std::vector<Observation> out;
  for (const auto& [set, all] : by_set) {
    std::vector<double> values;
    for (const Observation& o : all) values.push_back(o.y);
    const SampleMean m = mean_of(values);
    const double deviation = m.se * std::sqrt(double(m.count));
    for (Observation o : all) {
      o.y = (o.y - m.mean) / deviation;
      out.push_back(std::move(o));
    }
  }
  return out;
}

std::string weighting_word(const std::string& training, const std::string& selection) {
  return training == "no" ? "unweighted" : selection == "no" ? "weighted training" : "weighted training and selection";
}

}  // namespace

std::vector<Sheet> wcci_sheets(const std::vector<WcciCell>& cells) {
  const std::vector<PublishedRow> rows = published_rows();
  std::map<std::string, std::vector<Observation>> ours, theirs;
  for (const WcciCell& c : cells)
    ours[c.set].push_back({{c.criterion, weighting_word(yes_no(c.weighted_training), yes_no(c.weighted_selection)),
                            published_kernel(c.kernel)},
                           over_splits(c, &WcciResult::test_at_cut).mean});
  for (const PublishedRow& r : rows)
    for (const auto& [set, ber] : r.ber)
      theirs[set].push_back({{r.criterion, weighting_word(r.training, r.selection), r.kernel}, ber});
  Sheet splits{"splits",
               "Every split.",
               {"data", "criterion", "weighted training", "weighted selection", "kernel", "split", "parameter",
                "lambda", "criterion value", "loo ber", "loo ber at zero", "loo ber at best", "test ber",
                "test ber at zero", "test ber at best", "score"}};
  splits.detail = true;
  for (const WcciCell& c : cells)
    for (std::size_t k = 0; k < c.splits.size(); ++k) {
      const WcciResult& r = c.splits[k];
      splits.rows.push_back({c.set, c.criterion, yes_no(c.weighted_training), yes_no(c.weighted_selection), c.kernel,
                             double(k + 1), r.parameter, r.lambda, r.criterion, r.loo_at_cut, r.loo_at_zero,
                             r.loo_at_best, r.test_at_cut, r.test_at_zero, r.test_at_best, r.score});
    }
  return {table_sheet(cells, rows), prediction_sheet(cells),
          regression_sheet("factors",
                           "Table IV on our table: balanced errors, standardised within each data set, regressed on "
                           "indicators of criterion, weighting and kernel.",
                           standardised(ours)),
          regression_sheet("factors-published", "The same regression on the published table III (five data sets).",
                           standardised(theirs)),
          std::move(splits)};
}

}  // namespace lacuna
