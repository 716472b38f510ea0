#include "lacuna/choose/candidates.hpp"

namespace lacuna {
namespace {

struct Line {
  const char* kernel;
  double penalty = 0.0;    // in units of the criterion
  bool for_stack = false;  // not for a choice of one: it seldom wins, and often helps others
};

// One line each, the plain machine first.
constexpr Line kernel_lines[] = {
    {"rbf"},             //
    {"matern12"},        // rough functions
    {"linear"},          // nearly linear, or many features
    {"relevance(rbf)"},  // weights of features learned from slopes
    {"ard", 0.01},       // some features matter more than others
    {"relevance(matern12)", 0.0, true},
    {"matern52", 0.0, true},        // in between
    {"sum(linear,rbf)", 0.0, true}  // a trend and something on top
};

std::string words(const Views& views) {
  if (views.codes && views.scores) return ", codes and scores";
  return views.codes ? ", codes" : views.scores ? ", scores" : "";
}

}  // namespace

std::vector<Candidate> kernel_candidates(bool for_stack) {
  std::vector<Candidate> out;
  for (const Line& line : kernel_lines)
    if (for_stack || !line.for_stack) out.push_back({line.kernel, parse_kernel(line.kernel), line.penalty, {}});
  return out;
}

Candidate seen(Candidate candidate, const Views& views) {
  candidate.name = kernel_of(candidate) + words(views);
  candidate.views = views;
  return candidate;
}

std::string kernel_of(const Candidate& candidate) {
  return candidate.name.substr(0, candidate.name.size() - words(candidate.views).size());
}

std::vector<Candidate> seen_otherwise(const Candidate& candidate, const Dataset& data) {
  const bool codes = !learn_representation(data.X, data.weights, {.codes = true}).empty();
  const bool scores = !learn_representation(data.X, data.weights, {.scores = true}).empty();
  std::vector<Candidate> out;
  if (codes) out.push_back(seen(candidate, {.codes = true}));
  if (scores) out.push_back(seen(candidate, {.scores = true}));
  if (codes && scores) out.push_back(seen(candidate, {.codes = true, .scores = true}));
  return out;
}

}  // namespace lacuna
