// loss/loss.hpp -- loss/ has one file per loss: c(z, t), convex in z, with three derivatives in z, without overflow or
// cancellation for |z| up to 700 (method 2). This file is the list. Any other convex loss is one new file and its place
// in Loss; the machine that has it, its parser, checks, reports and model files follow from its traits (traits.hpp)
// and, where it has parameters, their names and members().
#pragma once

#include <limits>
#include <string_view>
#include <variant>

#include "lacuna/loss/gamma.hpp"
#include "lacuna/loss/logistic.hpp"
#include "lacuna/loss/negative_binomial.hpp"
#include "lacuna/loss/poisson.hpp"
#include "lacuna/loss/probit.hpp"
#include "lacuna/loss/pseudo_huber.hpp"
#include "lacuna/loss/squared.hpp"
#include "lacuna/loss/squared_hinge.hpp"
#include "lacuna/loss/traits.hpp"

namespace lacuna::losses {

using Loss = std::variant<Squared, Logistic, Probit, SquaredHinge, Poisson, NegativeBinomial, Gamma, PseudoHuber>;

inline LossAt at(const Loss& loss, double z, double t) {
  return std::visit([&](const auto& l) { return l.at(z, t); }, loss);
}
/// The inverse link: probability, mean or value that an output z stands for.
inline double mean(const Loss& loss, double z) {
  return std::visit([&](const auto& l) { return l.mean(z); }, loss);
}
/// Losses with `least`, the smallest value that c(., t) takes, are scored by their deviance.
template <class L>
concept HasDeviance = requires(const L& l, double t) {
  l.least(t);
};

/// What a held-out output costs, and the slope of that: the loss itself, or the deviance 2 (c - min c), which is 0 for
/// a perfect prediction, where the loss alone means nothing to a reader (Poisson, gamma).
struct Cost {
  double value, slope;
};
inline Cost cost(const Loss& loss, double z, double t) {
  return std::visit(
      [&]<class L>(const L& l) -> Cost {
        const LossAt a = l.at(z, t);
        if constexpr (HasDeviance<L>) return {2.0 * (a.c - l.least(t)), 2.0 * a.c1};
        return {a.c, a.c1};
      },
      loss);
}
/// The least value of c(., t), where a loss has a deviance.
inline double loss_floor(const Loss& loss, double t) {
  return std::visit(
      [&]<class L>(const L& l) {
        if constexpr (HasDeviance<L>) return double(l.least(t));
        return 0.0;
      },
      loss);
}
inline bool has_deviance(const Loss& loss) {
  return std::visit([]<class L>(const L&) { return HasDeviance<L>; }, loss);
}
/// Losses with `normaliser` and `variance` are minus the log-probabilities of a distribution, but for a term in t.
template <class L>
concept HasLikelihood = requires(const L& l, double t) {
  l.normaliser(t);
  l.variance(t);
};
inline bool has_likelihood(const Loss& loss) {
  return std::visit([]<class L>(const L&) { return HasLikelihood<L>; }, loss);
}
/// What a loss leaves out of minus the log-probability of target t. Requires has_likelihood(), as do those below.
inline double normaliser(const Loss& loss, double t) {
  return std::visit(
      [&]<class L>(const L& l) {
        if constexpr (HasLikelihood<L>) return double(l.normaliser(t));
        return std::numeric_limits<double>::quiet_NaN();
      },
      loss);
}
/// Minus the log-probability of target t at output z.
inline double log_score(const Loss& loss, double z, double t) { return at(loss, z, t).c + normaliser(loss, t); }
/// Of a target whose mean this is.
inline double variance(const Loss& loss, double mean) {
  return std::visit(
      [&]<class L>(const L& l) {
        if constexpr (HasLikelihood<L>) return double(l.variance(mean));
        return std::numeric_limits<double>::quiet_NaN();
      },
      loss);
}
inline std::string_view name_of(const Loss& loss) {
  return std::visit([]<class L>(const L&) { return L::id; }, loss);
}

inline const LossTraits& traits(const Loss& loss) {
  return std::visit([]<class L>(const L&) -> const LossTraits& { return L::traits; }, loss);
}
inline Targets targets_of(const Loss& loss) { return traits(loss).targets; }
inline bool is_quadratic(const Loss& loss) { return traits(loss).quadratic; }
/// Outputs stand for probabilities of classes (through the loss's inverse link).
inline bool gives_probabilities(const Loss& loss) { return traits(loss).outputs == Outputs::probability; }
/// Outputs are logarithms of a mean: counts and positive values.
inline bool gives_rates(const Loss& loss) { return traits(loss).outputs == Outputs::log_mean; }
inline bool for_classes(const Loss& loss) {
  return targets_of(loss) == Targets::classes || targets_of(loss) == Targets::either;
}
inline bool for_numbers(const Loss& loss) { return targets_of(loss) != Targets::classes; }
/// Whether a number may be a target.
inline bool may_be_target(const Loss& loss, double t) {
  return targets_of(loss) == Targets::counts ? t >= 0.0 : targets_of(loss) != Targets::positive || t > 0.0;
}

template <class L>
concept HasParameters = requires {
  L::names;
};

/// f(name, value) for each parameter of the loss; the value may be set where the loss is not const.
template <class SomeLoss, class F>
void for_each_parameter(SomeLoss& loss, F&& f) {
  std::visit(
      [&f]<class L>(L& l) {
        using Plain = std::remove_const_t<L>;
        if constexpr (HasParameters<Plain>)
          for (std::size_t p = 0; p < Plain::names.size(); ++p) f(Plain::names[p], l.*(Plain::members()[p]));
      },
      loss);
}

/// Whether a parameter is left to be chosen from the data: it stands at 0.
inline bool leaves_open(const Loss& loss) {
  bool open = false;
  for_each_parameter(loss, [&](std::string_view, double value) { open = open || !(value > 0.0); });
  return open;
}

/// f<L>() for each loss of the list.
template <class F>
void for_each_loss(F&& f) {
  [&f]<class... L>(std::variant<L...>*) { (f.template operator()<L>(), ...); }(static_cast<Loss*>(nullptr));
}

}  // namespace lacuna::losses

namespace lacuna {

using losses::Loss;

}  // namespace lacuna
