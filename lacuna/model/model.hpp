// model/model.hpp -- model/ is where the stages meet: train() selects, fits and reports; a Model is what remains, a
// plain value that predicts, is written to a file and read back (model/file.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/base/stop.hpp"
#include "lacuna/base/warning.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/data/representation.hpp"
#include "lacuna/kernel/kernel.hpp"
#include "lacuna/loss/loss.hpp"
#include "lacuna/machine/gp_classifier.hpp"
#include "lacuna/model/probability.hpp"
#include "lacuna/model/threshold.hpp"

namespace lacuna {

/// What rows count in training, or where they are judged, besides their weights: nothing, what makes classes alike, or
/// a column of their own.
enum class Weighting { none, balanced, column };

/// What fit prints and the model keeps: what was chosen, how, and how good it is on held-out rows.
struct FitReport {
  std::string model = "ls-svm";
  Index rows = 0;
  Index features = 0;
  std::string criterion = "press";
  std::string cv = "loo";  ///< "loo", "5", "10x3", "group:COL", "explicit:10"
  std::string group{};     ///< column whose groups were held out whole; empty: none
  /// What a repeat takes besides the data and what was chosen. Empty: files of older programs.
  struct Repeat {
    std::uint64_t seed = 0;  ///< of whatever was random
    Weighting train_weights = Weighting::none, select_weights = Weighting::none;
  };
  std::optional<Repeat> repeat = {};
  double criterion_value = std::numeric_limits<double>::quiet_NaN();
  bool optimistic = false;  ///< the criterion chose something: its value at its own optimum is optimistic
  /// Held-out outputs are one Newton step (Gaussian processes: from the approximate posterior), not where refits end.
  bool approximate = false;

  bool weighted = false;  ///< rows differ in weight where held-out outputs are judged
  /// Scores of the held-out outputs in print order: error, ber, auc and xent, bits, calibration or press (classes);
  /// rmse, r2, press (values); deviance, d2, rmse (counts and rates), nll (counts).
  std::vector<std::pair<std::string, double>> held_out;

  /// The same of the best answer that is one for all rows (model/tally.hpp). Empty: files of older programs.
  std::vector<std::pair<std::string, double>> baseline{};
  /// Classes: true class by decided class, sums of weights over the held-out rows; empty: files of older programs.
  Matrix confusion{};
  /// Where decisions have a price (Model::costs): how sure the cost is, and the class of the cheapest constant answer.
  double cost_error = std::numeric_limits<double>::quiet_NaN();
  int cheapest = -1;

  /// Counts: whether they scatter about their means m as the loss says, with the variance V(m)
  /// (model/count_check.hpp). NaN: not known.
  struct Counts {
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    double dispersion = unknown;  ///< Pearson's, of held-out rows: the mean of (t - m)^2/V(m)
    /// Shares of held-out rows whose standard score, (t - m)/sqrt(dispersion V(m)), is beyond 2 and 3 either way.
    double beyond_two = unknown, beyond_three = unknown;
    double zeros = unknown, zeros_expected = unknown;  ///< shares of held-out rows
    std::vector<double> observed{}, expected{};        ///< rows that count 0, 1, 2 ...; the last: so many or more
    double fitted_dispersion = unknown;                ///< Pearson's, of rows that were seen, over rows - degrees
    double degrees = unknown;                          ///< of freedom: the trace of the fit's hat matrix
    double excess = unknown;                ///< score test of Poisson against more variance: normal where it is right
    double overdispersion_error = unknown;  ///< standard error of the loss's parameter, where it was chosen
  };
  std::optional<Counts> counts = {};

  /// Which pairs of rows the auc compares: "left-out", "same-fold", "pooled", or "none" (model/held_out_auc.hpp).
  std::string auc_pairs = "none";

  struct Search {
    std::string method = "none";
    int evaluations = 0;
    int gradients = 0;
    int factorisations = 0;
    double seconds = 0.0;
    Stop stop = Stop::none;
    Index scouted = 0;  ///< rows of the sample whose optimum it began at; 0: at all starts, on all rows
    std::vector<std::string> parameters;  ///< names, "lambda" (kfd: "mu") first
    struct Optimum {
      std::vector<double> values;  ///< in the order of `parameters`
      double criterion = 0.0;
    };
    std::vector<Optimum> optima;  ///< best first
    std::vector<Optimum> path{};  ///< every point that was looked at, in order; model files do not keep it
    Matrix curvature{};           ///< inverse Hessian at the optimum, in the logarithms of what was searched; nor this
  } search;

  /// How far held-out outputs were from refits of some folds picked at random; rows = 0: nobody asked.
  struct Verification {
    Index rows = 0;
    double largest = 0.0;                              ///< difference in an output
    std::int64_t row = 0;                              ///< where, from 1 in the data
    double mean_loss = 0.0, mean_loss_refitted = 0.0;  ///< over these rows, as in held_out_loss
  } verification;

  /// What a machine on a basis expresses itself in; empty: all rows, the dual machine.
  struct Basis {
    std::string method;      ///< "stochastic", ...; "given"
    bool automatic = false;  ///< the size was found
    bool by_size = false;    ///< nobody asked for a basis: a machine of so many rows would have taken too long
    Index asked = 0;         ///< rows asked for, or the most that auto might take
    Index size = 0;          ///< rows chosen: fewer where all others are numerically combinations of these
    Index kept = 0;          ///< of them, at the kernel found: the machine's coefficients
    int rounds = 1;          ///< how often rows were chosen and searched on
    bool complete = false;   ///< no other row could be told from a combination of those chosen
    Index selected_on = 0;   ///< rows on which hyper-parameters were selected; all: as many as there are
    struct Size {
      Index size = 0;
      double criterion = 0.0;
    };
    std::vector<Size> sizes = {};  ///< auto: what was tried
  };
  std::optional<Basis> basis = {};

  /// Candidates that were compared by rows that had no part in anything (choose/choose.hpp); `held_out` above is then
  /// of these rows. Empty: there was no choice.
  struct Choice {
    std::string effort;
    int folds = 0;           ///< everything was repeated without each of so many
    double loss = 0.0;       ///< honest, of what was chosen: mean squared residual, cross-entropy or deviance
    Stop stop = Stop::none;  ///< time_limit, interrupted: not all candidates were tried
    struct Candidate {
      std::string name{};
      std::string kernel{};  ///< as selected on all rows; empty: it was not
      double lambda = 0.0;
      double loss = std::numeric_limits<double>::quiet_NaN();            ///< honest; NaN: it was left early
      double difference = std::numeric_limits<double>::quiet_NaN();      ///< its loss less that of what was chosen ...
      double standard_error = std::numeric_limits<double>::quiet_NaN();  ///< ... over rows, or groups
      double weight = 0.0;                                               ///< in what was chosen
      double seconds = 0.0;
      std::string left{};  ///< why it was left early; empty: it was not
    };
    std::vector<Candidate> candidates{};
  };
  std::optional<Choice> choice = {};
  /// How the weights of the features were learned (the kernel has them); empty: there are none, or they were given.
  struct Relevance {
    std::vector<double> criteria = {};  ///< of the rounds that could be kept; the first is that without any weights,
                                        ///< unless learning began at some
    int kept = 0;                       ///< which of these it is
    std::vector<double> first = {};     ///< hyper-parameters of the first round, in the order of Search::parameters
    std::vector<std::vector<double>> later = {};  ///< and of the others; not kept in files
  };
  std::optional<Relevance> relevance = {};

  /// The name of the regulariser: "lambda", or "mu" of kfd.
  std::string regulariser() const { return search.parameters.empty() ? "lambda" : search.parameters.front(); }

  int flagged = 0;   ///< rows where one Newton step is doubtful
  int refitted = 0;  ///< of these, rows whose held-out output comes from a refit
  double seconds = 0.0;
  Warnings warnings;
};

/// Every training row's held-out output and what follows from it. Where rows were held out several times, in other
/// folds (cv 10x3), all rows come once, then all of them again: scores are means over the repeats, as the report's
/// are, and no output is averaged, which would be that of a committee of machines.
struct HeldOutRows {
  std::vector<std::int64_t> row;  ///< in the data, from 1
  Matrix output{};                ///< l x m: z^(-i)
  Matrix fitted{};                ///< l x m: z, with row i seen; empty: not known
  Matrix variance{};         ///< l x m: Gaussian processes; `output` is then the mean of the latent output. Else empty
  Vector offset{};           ///< of rates; empty: none
  Matrix target{};           ///< l x m: values, or classes where they are not coded +1 and -1 (kfd); else empty
  std::vector<int> label{};  ///< classes, or empty
  Vector leverage{};         ///< 0 ... 1; NaN where there is none
  Vector trust{};            ///< 1/(1 + |what a second Newton step would change|); NaN: the outputs are exact
  Vector weight{};           ///< how many rows it stands for, in a unit of the data's own; empty: all alike
  Vector judged{};           ///< what it counts where held-out rows are judged; empty: its weight
  RowPrices prices{};        ///< of mistakes about each row, where columns say them
  std::vector<int> group{};  ///< rows of one number are held out together; empty: there are no groups
  /// The first of the rows (from 0, in one repeat) that it is a copy of and is held out with; empty: every row is
  /// alone.
  std::vector<std::int64_t> copy_of{};
  Index size() const { return Index(row.size()); }
  /// How often each row was held out.
  Index repeats() const { return row.empty() ? 0 : Index(std::count(row.begin(), row.end(), row[0])); }
  /// Rows, however often each was held out.
  Index rows() const {
    const Index times = repeats();
    return times > 0 ? size() / times : 0;
  }
};

/// How the size of residuals varies: s_c(x) = exp(z_c(x)/2) with z_c(x) = sum_j k(x, X_j) alpha_jc + b_c, about 1 on
/// average. It takes the rows that the model takes, whatever the model's kernels see of them.
struct Noise {
  Kernel kernel{};
  Vector centre{};  ///< taken from every row first; empty: none
  Rows X{};
  Matrix alpha{};
  Vector b{};
  /// The range of z over the training rows, by target: z is held to it, so that s does not run away beyond them. Empty:
  /// it is as it is, in older files.
  Vector least{}, largest{};
};

/// Held-out residuals of the rows of X, whose machines jackknife+ intervals are made of (model/jackknife.hpp).
struct JackknifePlus {
  Matrix residual{};  ///< n x m: |r_i|, over s_i where the noise varies
  Vector weights{};   ///< n: how much each counts
};

/// Values: how far a share (the level) of new ones is expected from their predictions, at most.
struct Intervals {
  Vector half_width{};    ///< one for each target, times s(x) where the noise varies; empty: none
  Vector deviation{};     ///< root mean square of the same residuals, likewise; empty: not known
  Matrix by_percent{};    ///< row k: the same for k + 1 % of them, up to 99 % or what the held-out rows allow
  bool selected = false;  ///< hyper-parameters were chosen on the rows
  int folds = 0;          ///< and again without each of so many folds, whose residuals these are; 0: they were not
  double level = 0.9;
  std::optional<Noise> noise{};  ///< empty: the same width for all rows
  /// Where the noise varies: rows held out, in thirds by the size of their noise, each third for every target in turn,
  /// and how many of them lie in the interval that the residuals of the others give them. Empty: files of older
  /// programs.
  struct SizeThird {
    double rows = 0.0;             ///< as many as their weights count
    double width = 0.0;            ///< half of it at `level`, their mean
    std::vector<double> inside{};  ///< their share at 5 %, 10 % ... 95 %
  };
  std::vector<SizeThird> thirds{};
  std::optional<JackknifePlus>
      jackknife{};  ///< the ends are those of jackknife+; the widths above are one for all rows
};

/// A least-squares machine of all rows is the mean of a Gaussian process (docs/math/gaussian-process-regression.md):
/// f ~ b + GP(0, scale k), targets of weight one with noise of that variance about f.
struct GaussianProcess {
  Vector precision{};  ///< n: weights of the rows X; M = K + lambda diag(1/precision)
  Vector scale{};      ///< m: sigma^2/lambda
  Vector noise{};      ///< m: of a new value
};

struct Member;

/// A fitted machine, or a stack of several. Output column c of a row x is
///
///   sum_j k(x, X_j) alpha_jc + b_c + sum_m weight_m (output c of member m);
///
/// the loss says what it stands for. A machine has no members; a stack has no rows X of its own, and its members say
/// nothing but their outputs.
struct Model {
  Loss loss = losses::Squared{};
  Task task = Task::regression;
  std::vector<std::string> classes;  ///< binary: {negative, positive}
  std::vector<std::string> target_names;
  Kernel kernel;
  double lambda = 1.0;                 ///< kfd: mu
  Encoding encoding;                   ///< how a table becomes rows; `columns` empty when trained on bare rows
  Representation representation = {};  ///< how the kernel sees encoded rows; empty: as they are
  Vector centre = {};  ///< taken from every row before the kernel sees it (data/centre.hpp); empty: none
  Rows X;              ///< rows of the expansion, centred
  Matrix alpha;
  Vector b;
  /// d x m, of a linear kernel: w_c = sum_j alpha_jc X_j, to the digits that a small lambda takes from the sum (its
  /// terms grow with 1/lambda and cancel). Outputs are then x.w_c + b_c. Empty: the sum is all that is known.
  Matrix column_weights{};
  Calibration calibration;  ///< of probabilities; classes only
  double threshold = 0.0;   ///< two classes: outputs from here up are positive (Gaussian processes: moderated ones)
  std::optional<ThresholdRule> threshold_rule = {};
  std::optional<Costs> costs = {};          ///< what decisions cost; empty: nothing has a price
  std::optional<Inference> inference = {};  ///< of a Gaussian process: b is then the mean of its prior
  /// l x m, > 0: the precisions beta of the rows X in the system that the fit solved. Of a Gaussian process, whose
  /// variances follow from them, and of machines on all rows, whose held-out machines do (explain/); else empty.
  Matrix sites = {};
  std::optional<GaussianProcess> process = {};  ///< of a least-squares machine of all rows for values
  Intervals intervals{};                        ///< identity links only
  HeldOutRows held_out;                         ///< empty when it was not kept
  FitReport report;
  std::vector<Member> members;  ///< of a stack; else empty
  /// What a front end keeps in the model's file for itself, by name; the library carries it and does not look at it.
  std::vector<std::pair<std::string, std::string>> metadata{};
};

/// One machine of a stack.
struct Member {
  std::string name{};   ///< of the candidate it was
  double weight = 1.0;  ///< > 0
  Model machine{};      ///< without an encoding, held-out rows and decisions of its own
};

/// Columns of the rows that a model takes.
inline Index input_features(const Model& model) {
  return model.representation.empty() ? model.X.cols() : model.representation.inputs;
}

/// Outputs z for new rows, l x m. Requires X.cols() == input_features(model) (precomputed: the number of training rows)
/// and finite elements; throws Error(data) otherwise, naming row and feature.
/// Of a Gaussian process they are the means of the latent outputs, and `variance`, if given, is set to their variances,
/// else emptied.
Matrix outputs(const Model& model, const RowsView& X, Matrix* variance = nullptr,
               const Backend& backend = cpu_backend());

/// What is wanted of predictions besides.
struct PredictOptions {
  std::vector<double> quantiles{};  ///< of new values, each between 0 and 1
  bool deviation = false;           ///< refuse a model that does not know it
  bool variance = false;            ///< of the function, of a least-squares machine; O(n^3) once, O(n^2) a row
  RowPrices prices{};               ///< of mistakes about these rows, where the model decides by them
};

/// What a user wants for every row.
struct Predictions {
  Matrix output{};    ///< z, l x m
  Matrix variance{};  ///< of the latent outputs of a Gaussian process, l x m; values: where asked for; else empty
  std::vector<int> label{};         ///< classes; empty for values
  Matrix probability{};             ///< l x classes, rows sum to one; empty where the model has none
  Matrix value{};                   ///< values and expected counts (exposure included), l x m; empty for classes
  Matrix rate{};                    ///< counts: expected count for an exposure of one; empty otherwise
  Matrix lower{}, upper{};          ///< values: intervals of the model's level; empty where there are none
  Matrix noise{};                   ///< values whose noise varies: s(x), l x m; else empty
  Matrix deviation{};               ///< values: of new ones about their prediction; empty where it is not known
  std::vector<Matrix> quantiles{};  ///< those asked for, in their order
};
/// `offset`: one for each row where the model was trained with offsets, else empty. Throws as outputs() does, and
/// Error(usage) for what is asked for and the model does not have.
Predictions predict(const Model& model, const RowsView& X, const Vector& offset = {},
                    const Backend& backend = cpu_backend(), const PredictOptions& options = {});
/// The same from outputs that are known already. Where the noise varies there are intervals only with `noise`, s(x).
/// Jackknife+ intervals are those of one width then, since their ends need the rows.
Predictions interpret(const Model& model, Matrix output, const Vector& offset = {}, Matrix variance = {},
                      Matrix noise = {}, const PredictOptions& options = {});
/// Predictions of rows in parts, one after the other. Requires parts of one model.
Predictions join_predictions(const std::vector<Predictions>& parts);
/// Throws Error(usage) where the model does not have what is asked for.
void check_wanted(const Model& model, const PredictOptions& options);
/// z(x) of rows as the model takes them, before it is held to its range.
Matrix log_squared_noise(const Noise& noise, const RowsView& X, const Backend& backend = cpu_backend());
/// s(x).
Matrix noise_at(const Noise& noise, const RowsView& X, const Backend& backend = cpu_backend());
/// Predictions for its own rows, each held out. Requires held_out.
Predictions held_out_predictions(const Model& model);
/// Whether decisions follow prices of single rows (Costs::columns), which predictions are then to be given.
bool decides_by_row(const Model& model);
/// The decision for every row of moderated() outputs, with their probabilities where there are some: by the threshold,
/// by the least expected cost, or the largest output. Rows whose own prices would decide and are not known get the
/// likelier class.
std::vector<int> decided_labels(const Model& model, const Matrix& z, const Matrix& probability,
                                const RowPrices& prices = {});
/// Moves the cut of a finished model of two classes to where fitting with this rule would have put it: by its held-out
/// rows where it keeps them and knows what they count (model/held_out_rows.hpp), else by its probabilities. Throws
/// Error(usage) where it has neither, or not two classes.
void move_threshold(Model& model, const ThresholdRule& rule);
/// Outputs that probabilities and decisions are made of: as they are, or moderated by their variances (averaged.hpp).
Matrix moderated(const Model& model, const Matrix& output, const Matrix& variance);

/// Whether outputs become probabilities: by the loss, or by a calibration that was fitted.
bool has_probabilities(const Model& model);
/// What each held-out row costs: minus the log-probability of its class, the deviance, or the mean squared residual.
Vector held_out_loss(const Model& model);

/// For each target the quantile at `level` of the absolute residuals (l x m) of rows held out, of conservative rank:
/// with weights that count n rows (base/weights.hpp) as much as level (n + 1) of them lie no further. Empty where they
/// count fewer than ten, or too few for the level.
Vector interval_half_width(const Matrix& residual, const Vector& weights, double level = 0.9);
/// The same for 1 %, 2 % ... of them, a row each, up to 99 % or the last level whose rank is one of the rows.
Matrix interval_half_widths(const Matrix& residual, const Vector& weights);
/// Both, of the level that the intervals have, and the deviation; nothing where that level is not known.
void set_widths(Intervals& intervals, const Matrix& residual, const Vector& weights);
/// For this share of new values, 0 < level < 1, or the next whole percent above it. Throws Error(usage) where the
/// intervals are not known at that level.
Vector half_width_at(const Intervals& intervals, double level);

}  // namespace lacuna
