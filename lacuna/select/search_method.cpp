#include "lacuna/select/search_method.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"

namespace lacuna {
namespace {

constexpr std::array<std::pair<SearchMethod, std::string_view>, 6> kNames = {
    {{SearchMethod::automatic, "auto"},
     {SearchMethod::lbfgs, "lbfgs"},
     {SearchMethod::scg, "scg"},
     {SearchMethod::nelder_mead, "nelder-mead"},
     {SearchMethod::grid, "grid"},
     {SearchMethod::none, "none"}}};

}  // namespace

std::string_view name_of(SearchMethod method) {
  for (const auto& [m, word] : kNames)
    if (m == method) return word;
  return "auto";
}

SearchMethod search_method(std::string_view given) {
  std::vector<std::string> words;
  for (const auto& [method, word] : kNames) {
    if (word == given) return method;
    words.emplace_back(word);
  }
  fail_usage("unknown search '" + std::string(given) + "'" + did_you_mean(given, words) + "; known: " + join(words));
}

}  // namespace lacuna
