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
inline std::string_view name(const Loss& loss) {
  return std::visit([]<class L>(const L&) { return L::id; }, loss);
}

}  // namespace lacuna
