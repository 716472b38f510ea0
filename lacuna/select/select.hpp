// select/select.hpp -- joins the stages: hyper-parameters -> Gram -> fit -> held-out outputs -> criterion -> gradient.
// The searches see only the logarithms of what is free.
#pragma once

#include <optional>
#include <vector>

#include "lacuna/base/warning.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/criterion/criterion.hpp"
#include "lacuna/data/row_source.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/machine/parts.hpp"
#include "lacuna/select/search.hpp"

namespace lacuna {

/// Everything that the criterion depends on besides the hyper-parameters. Views must outlive it.
struct Problem {
  const Backend* backend = &cpu_backend();
  RowSource X;        ///< in memory, unless the machine is on a basis
  Rows basis;         ///< what the machine expresses itself in (method 6); no rows: all of X, the dual machine
  Supervision learn;  ///< loss, training weights, targets
  std::optional<Inference> inference{};  ///< a Gaussian process, by this approximation; the loss is its likelihood
  std::optional<double> mean = 0.0;      ///< of its prior; empty: chosen with the other parameters
  Vector scale_weights;                  ///< how much each row counts in the scale of the data; empty: all 1
  std::vector<Index> first_of_copies{};  ///< rows that count as one (base/weights.hpp); empty: every row is alone
  Truth truth;                           ///< what held-out outputs are judged against
  Criterion criterion = Criterion::press;
  CriterionOptions criterion_options;
  std::vector<Folds> partitions;  ///< at least one; empty Folds: leave one out; several are averaged
  /// Held-out outputs of iterated losses are followed to their optimum (loo/held_out_optimum.hpp), where refits would
  /// end. Otherwise they are one Newton step from the fit of all rows.
  bool followed = false;
  /// Followed outputs that do not arrive are refitted; then there is no gradient.
  bool refit_unfinished = false;
  std::optional<double> tolerance = {};  ///< on the stationarity of iterated fits; empty: as a search needs it
  bool rough = false;                    ///< nobody needs more than two digits: a search for where another one begins
  double regulariser_unit = 1.0;         ///< what a regulariser of 1 is in the unit of the data's weights, for messages
  bool by_refit = false;                 ///< explicit refitting in place of the closed form; then there is no gradient
  bool insists_on_dual = false;          ///< the dual machine is solved as such, also where its columns are few

  bool on_basis() const { return basis.rows() > 0; }
  bool iterates() const { return !is_quadratic(learn.loss); }
  /// Whether held-out outputs in closed form are those of an approximation that can be followed further.
  bool may_follow() const { return iterates() && !inference; }
  bool by_evidence() const { return criterion == Criterion::evidence; }
  /// Whether the dual machine with this kernel is the smaller problem in its columns (ColumnCore).
  bool in_columns(const Kernel& kernel) const;
};
/// The same of any machine with so many rows and columns: a linear kernel with at most half as many columns as rows,
/// and a penalty on the norm. Its weights, one for each column, are then found at O(l d^2) in place of O(l^3).
bool solved_in_columns(const Kernel& kernel, Penalty penalty, Index rows, Index columns);

/// The criterion at one setting, of held-out outputs or minus the log evidence; its gradient is empty unless asked for.
/// Several outputs share all parameters, and their log evidences add up. Not finite when the arithmetic fails.
struct CriterionAt : compute::CriterionGradient {
  double value = std::numeric_limits<double>::infinity();
  int factorisations = 0;
};
/// Of `prior` a machine that is no Gaussian process has lambda only. `warm` is read and renewed when given.
CriterionAt criterion_at(const Problem& problem, const Kernel& kernel, const Prior& prior, bool want_gradient,
                         const Observer& observer = {}, WarmStarts* warm = nullptr);

/// How parameters are searched for.
struct SearchPlan {
  SearchMethod method = SearchMethod::automatic;
  SearchOptions search;
  std::optional<int> max_evaluations;  ///< empty: by the number of parameters
  double penalty = 0.0;                ///< on the log kernel parameters around their start
  /// All parameters, the regulariser first, near an optimum: one descent begins there. Empty: from the usual starts.
  std::vector<double> near = {};
  /// Other points that an optimum may be near instead; and the inverse Hessian at such an optimum (SearchResult).
  std::vector<std::vector<double>> or_near = {};
  Matrix curvature = {};
  /// The same where the penalty is least. Empty: the usual start.
  std::vector<double> centre = {};
  /// Of searches that follow on this one, with other weights of features: where they begin. Missing: where the one
  /// before ended.
  std::vector<std::vector<double>> near_later = {};
  /// Whether the criterion is computed where nothing is open. Who fits the machine anyway has it from the fit.
  bool look_if_given = true;
};

struct Selection {
  Kernel kernel;
  double lambda = 1.0;                                          ///< or mu
  double mean = 0.0;                                            ///< of a Gaussian process's prior
  double criterion = std::numeric_limits<double>::quiet_NaN();  ///< the bare criterion, without any penalty
  SearchMethod method = SearchMethod::none;
  SearchResult search;
  /// Of all parameters: the regulariser ("lambda", or "mu" of kfd), the kernel's, and "mean" of a Gaussian process.
  std::vector<std::string> names;
  std::vector<double> values;               ///< what was chosen, in the same order
  std::vector<std::vector<double>> optima;  ///< their values at search.optima
  struct Visited {
    std::vector<double> values;
    double criterion = 0.0;
  };
  std::vector<Visited> path = {};  ///< every point that was looked at, in order
  int factorisations = 0;
  double seconds = 0.0;
  Warnings warnings;
};

/// What is given of a kernel, and where its search begins for what is not.
Kernel kernel_at_start(const Problem& problem, const KernelSpec& kernel);

/// Requires rows in memory. Chooses what `kernel` (bound to the number of features) and `lambda` leave open. Throws
/// Error(usage) when something is open and the method is none.
Selection select(const Problem& problem, const KernelSpec& kernel, std::optional<double> lambda,
                 const SearchPlan& options, const Observer& observer = {});

}  // namespace lacuna
