// loss/loss.hpp -- loss/ has one file per loss: c(z, t), convex in z, with three derivatives in z, without overflow or
// cancellation for |z| up to 700 (method 2). This file is the list. Any other convex loss is one new file and one line.
#pragma once

#include <string_view>
#include <variant>

#include "lacuna/loss/gamma.hpp"
#include "lacuna/loss/logistic.hpp"
#include "lacuna/loss/loss_at.hpp"
#include "lacuna/loss/poisson.hpp"
#include "lacuna/loss/probit.hpp"
#include "lacuna/loss/pseudo_huber.hpp"
#include "lacuna/loss/squared.hpp"
#include "lacuna/loss/squared_hinge.hpp"

namespace lacuna {

using Loss = std::variant<Squared, Logistic, Probit, Poisson, SquaredHinge, Gamma, PseudoHuber>;

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

/// What a held-out output costs, and the slope of that: the loss itself, or the deviance 2 (c - min c), which is 0 for a
/// perfect prediction, where the loss alone means nothing to a reader (Poisson, gamma).
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
inline bool has_deviance(const Loss& loss) {
  return std::visit([]<class L>(const L&) { return HasDeviance<L>; }, loss);
}
inline std::string_view name(const Loss& loss) {
  return std::visit([]<class L>(const L&) { return L::id; }, loss);
}

}  // namespace lacuna
