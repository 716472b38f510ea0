// model/train.hpp -- the one-call path: rows and targets in, a chosen and fitted model out.
//
//   auto model = lacuna::train(X, t, {.model = lacuna::klr(), .kernel = lacuna::rbf()});
//
// Whatever is left empty (lambda, kernel parameters) is selected by minimising the criterion over held-out outputs in
// closed form; whatever is given is kept.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/base/observer.hpp"
#include "lacuna/basis/basis.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/criterion/criterion.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/data/rows_on_disk.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/model/machine.hpp"
#include "lacuna/model/model.hpp"
#include "lacuna/select/search_method.hpp"

namespace lacuna {

/// How rows are held out: one at a time, in K seeded stratified folds (R times), or by group; in closed form or by
/// explicit refitting. Rows that have groups (Dataset::group) are never held out without the rest of their group:
/// folds keep groups together, automatic is by group, and loo is refused.
struct CrossValidation {
  enum class Kind {
    automatic,
    loo,
    folds,
    groups
  } kind = Kind::automatic;  ///< automatic: loo, or groups where rows have them
  int folds = 10;
  int repeats = 1;
  bool by_refit = false;
  /// The papers' way for losses other than the squared one: held-out outputs are one Newton step from the fit of all
  /// rows, in the search and in the report. Otherwise the search's optimum is checked against outputs that are followed
  /// to where refits end, and those are reported.
  bool one_step = false;
  std::string group_column;  ///< for reports
};
/// "auto", "loo", "5", "10x3", "group:COL", "explicit:loo", "explicit:5", "loo:one-step", "5:one-step". Throws
/// Error(usage).
CrossValidation parse_cross_validation(std::string_view text);
std::string cross_validation_text(const CrossValidation& cv);
/// What automatic stands for with these data. Throws Error(usage) when rows have groups that it would part.
CrossValidation resolve_cross_validation(CrossValidation cv, const Dataset& data);

struct WorkEstimate;

/// What a machine on a basis expresses itself in (docs/guide/large-data.md): rows chosen in some way, or given.
struct BasisRequest {
  std::optional<BasisMethod> method = {};  ///< empty: random or stochastic, whichever held-out rows prefer
  std::optional<Index> size = {};          ///< empty: as many as are worth it (auto)
  std::string file = {};                   ///< where `rows` come from, for reports
  Rows rows = {};                          ///< given, encoded like the data; none: choose them
  bool none = false;                       ///< no basis: the dual machine, on all rows, however long that takes
  std::optional<Index> most = {};          ///< auto: no more than so many; empty: 3,200, or what memory allows
  bool by_size = false;                    ///< nobody asked for it: the rows are too many (model/work.hpp)
};
/// "500", "auto", "none", "greedy:500", "stochastic:500", "pivoted:500", "random:500", "kmeans:500"; anything else is a
/// file, whose rows the caller has to read. Throws Error(usage).
BasisRequest parse_basis(std::string_view text);

/// What hyper-parameters are chosen by, and how they are searched for.
struct SelectionOptions {
  std::optional<Criterion> criterion = {};  ///< empty: the machine's own
  CriterionOptions criterion_options = {};
  CrossValidation cv = {};
  Weighting weights = Weighting::none;  ///< column: Dataset::select_weights
  SearchMethod search = SearchMethod::automatic;
  SearchOptions search_options = {};
  std::optional<int> max_evaluations = {};  ///< empty: by the number of parameters
  /// All parameters, in the order of FitReport::Search::parameters, near an optimum: one descent begins there in place
  /// of the usual starts. Empty: there is none. (from_optimum() makes it of a model.)
  std::vector<double> near = {};
  /// Where the rounds of a relevance kernel after the first begin; missing: where the one before ended.
  std::vector<std::vector<double>> near_later = {};
  double penalty = 0.0;  ///< strength of a quadratic penalty on log kernel parameters around their start (ARD)
  /// All parameters in the order of FitReport::Search, where the penalty is least. Empty: where the search begins.
  std::vector<double> penalty_centre = {};
  /// On a basis: hyper-parameters are selected on at most so many rows (a seeded sample).
  Index rows = 50'000;
  /// Without a basis, on more than twice as many rows: a search on so many of them (a seeded sample) finds where one
  /// descent on all begins. 0: all starts are tried on all rows. Empty: a quarter of 256 rows and more (133 to 1,000),
  /// which may again begin at a sample of their own.
  std::optional<Index> scout_rows = {};
  /// The inverse Hessian at `near` in the logarithms of what is searched (FitReport::Search); empty: unknown.
  Matrix curvature = {};
};

/// How intervals of values are made of held-out residuals.
enum class IntervalMethod {
  follow,         ///< as wide as the noise is where the residuals show that it varies, else one width
  constant,       ///< one width
  jackknife_plus  ///< as `follow`, about what the machines without each row say (model/jackknife.hpp)
};
/// "0.9", "0.9:constant", "0.9:jackknife+": the level and how. Throws Error(usage).
std::pair<double, IntervalMethod> parse_interval(std::string_view text);

constexpr double usual_level = 0.9;

/// What is made of the held-out outputs at the chosen parameters, and what of them the model keeps.
struct HeldOutOptions {
  bool keep = true;
  Index most = 100'000;  ///< ... where there are at most so many rows
  /// Fit probabilities to the held-out outputs (also for ls-svm, kfd and l2-svm), and choose by the cross-entropy after
  /// that where xent is the criterion of two classes. Empty: where everything is left to choose (recalibrates()).
  std::optional<bool> recalibrate = {};
  std::optional<ThresholdRule> threshold = {};  ///< two classes: choose the decision threshold on held-out outputs
  /// What decisions cost: their cost is a score, and decisions are to make it small, unless `threshold` says otherwise.
  std::optional<Costs> costs = {};
  /// Values: intervals, for which hyper-parameters are chosen again without some rows, and how the size of residuals
  /// varies is learned.
  bool intervals = true;
  /// Of the intervals: the share of new values that they are to hold. Empty: usual_level; classes have none.
  std::optional<double> level{};
  IntervalMethod interval_method = IntervalMethod::follow;
  /// Leave-one-out: refit the rows where one Newton step is doubtful, at most 10 % of them.
  bool refit_flagged = false;
  int verify = 0;  ///< compare this many held-out rows (or folds), picked at random, with refits
};

/// What the work is done with, and who watches it.
struct RunOptions {
  int threads = 0;                          ///< 0: all
  std::optional<double> memory_bytes = {};  ///< ceiling; empty: what the machine has free
  Observer observer = {};
  /// Told once, before work of more than a few seconds, what it will take (model/work.hpp). Empty: nobody wants to
  /// know.
  std::function<void(const WorkEstimate&)> announce = {};
  const Backend* backend = nullptr;  ///< what does the arithmetic (backend_named); null: the cpu
};

/// A machine and the stages it goes through: chosen, judged by its held-out outputs, on some machinery.
struct TrainOptions {
  std::optional<Machine> model = {};  ///< empty: klr for classes, poisson for counts, ls-svm for values
  KernelSpec kernel = rbf();
  std::optional<double> lambda = {};  ///< or mu of kfd; empty: select it
  /// Empty: the machine of all rows (a linear kernel by its columns), unless they are so many that it would take more
  /// than some minutes, or more memory than is allowed: then as many as are worth it (basis_by_size()).
  std::optional<BasisRequest> basis = {};
  Weighting train_weights = Weighting::none;  ///< column: Dataset::train_weights
  SelectionOptions select = {};
  HeldOutOptions held_out = {};
  RunOptions run = {};
};
/// Whether the machine is expressed in a basis.
inline bool on_basis(const TrainOptions& options) { return options.basis && !options.basis->none; }
inline const Backend& backend_of(const TrainOptions& options) {
  return options.run.backend != nullptr ? *options.run.backend : cpu_backend();
}

/// Options whose search begins where that of a model ended, which was trained with the same machine and kernel, for
/// repeating a fit without some of its rows. Where weights of features are learned it begins at the model's first
/// round, with equal weights: the model's own have seen the rows left out, and weights that are learned from them on
/// (relevance_from()) remember it. What was given stays given.
TrainOptions from_optimum(TrainOptions options, const Model& model);

/// Throws Error for a caller's mistake; an outcome of the arithmetic is in model.report.search.stop, except when no
/// usable point was found at all (Error(numerical)).
Model train(const Dataset& data, const TrainOptions& options = {});
/// Rows that stay on disk, for machines on a basis: they are read in blocks, several times.
Model train(const StreamedDataset& data, const TrainOptions& options);

/// What `recalibrate` stands for when it is empty: for two classes where model, regulariser, criterion and the
/// weighting of rows are left to train(); Dataset::weights, the kernel and cv do not matter. A machine that is named is
/// the one of the papers.
bool recalibrates(const Dataset& data, const TrainOptions& options);

/// About the memory that train() needs beside the rows' inputs; `outputs`: columns of targets (one for two classes).
double train_bytes(Index rows, Index outputs, const TrainOptions& options);

/// Real targets: regression, or two classes when there are exactly two distinct values.
Model train(const RowsView& X, const std::vector<double>& t, const TrainOptions& options = {});
/// Labels: classification.
Model train(const RowsView& X, const std::vector<std::string>& labels, const TrainOptions& options = {});
Model train(const RowsView& X, const Vector& t, const TrainOptions& options = {});

/// Rows and targets as a Dataset (a copy), for weights, groups and several targets.
Dataset make_dataset(const RowsView& X, const std::vector<double>& t,
                     DataOptions::TaskRequest task = DataOptions::TaskRequest::automatic);
Dataset make_dataset(const RowsView& X, const std::vector<std::string>& labels);

}  // namespace lacuna
