// Plain words are the program's own, even where it says `using namespace lacuna`: were one of these names lacuna's as
// well, what uses it below would be ambiguous and would not compile.
#include <lacuna/lacuna.hpp>
#include <lacuna/loo/leave_fold_out.hpp>
#include <lacuna/loo/leave_one_out.hpp>
#include <lacuna/loo/refit.hpp>
#include <lacuna/machine/dual.hpp>
#include <lacuna/report/evaluation.hpp>
#include <lacuna/report/performance.hpp>
#include <lacuna/report/report.hpp>
#include <tuple>

// clang-format off
struct Sum {}; struct Product {}; struct Linear {}; struct Polynomial {}; struct Boolean {}; struct Custom {};
struct Relevance {}; struct Whole {}; struct Geometry {}; struct Combination {}; struct Elementwise {};
struct Squared {}; struct Logistic {}; struct Probit {}; struct Poisson {}; struct Gamma {}; struct Cost {};
struct Targets {}; struct Outputs {}; struct Score {}; struct Mean {};
struct Factor {}; struct Gram {}; struct Features {}; struct Normal {}; struct Pairs {}; struct Workspace {};
struct Judged {}; struct Projection {}; struct Adjoint {}; struct Rotated {}; enum class Use {}; enum class Want {};
struct Box {}; struct Budget {}; struct Descent {}; struct Slope {}; struct Objective {}; struct Evaluation {};
struct Optimum {};
// clang-format on

namespace {
const int at = 1, mean = 1, cost = 1, variance = 1, traits = 1, normaliser = 1, name = 1, text = 1, texts = 1;
const int check = 1, add = 1, joined = 1, pooled = 1, differences = 1, judge = 1, parts = 1, parameters = 1, uses = 1;
const int bind = 1, score = 1, search = 1, resolve = 1, subset = 1, conclude = 1;
}  // namespace

using namespace lacuna;

using Types = std::tuple<Sum, Product, Linear, Polynomial, Boolean, Custom, Relevance, Whole, Geometry, Combination,
                         Elementwise, Squared, Logistic, Probit, Poisson, Gamma, Cost, Targets, Outputs, Score, Mean,
                         Factor, Gram, Features, Normal, Pairs, Workspace, Judged, Projection, Adjoint, Rotated, Use,
                         Want, Box, Budget, Descent, Slope, Objective, Evaluation, Optimum>;

int main() {
  const int ones = at + mean + cost + variance + traits + normaliser + name + text + texts + check + add + joined +
                   pooled + differences + judge + parts + parameters + uses + bind + score + search + resolve + subset +
                   conclude;
  // What lacuna is used for needs no prefix.
  const Loss loss = losses::Poisson{};
  const KernelSpec kernel = sum({rbf(), linear()});
  const TrainOptions options{.model = klr(), .kernel = kernel};
  return ones == 24 && std::tuple_size_v<Types> == 40 && name_of(loss) == "poisson" &&
                 losses::at(loss, 0.0, 1.0).c == 1.0 && options.kernel.given.size() == 1
             ? 0
             : 1;
}
