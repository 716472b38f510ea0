// Poisson regression of insurance claims (Ohlsson's motorcycles: 64,548 rows, exposure in years): trained on 4,000 rows
// drawn with a seed, judged on 20,000 others by mean deviance against the model of one common rate, with the standard
// error of the difference. Two draws.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "lacuna/data/split.hpp"
#include "lacuna/lacuna.hpp"

using namespace lacuna;

int main() {
  const std::string path = LACUNA_SHARED_DATA "/ohlsson/ohlsson_mc_claims.csv";
  if (!std::filesystem::exists(path)) {
    fmt::print("claims: skipped, the benchmark data are not here (shared/data)\n");
    return 0;
  }
  Table table = read_table(path);
  // Rows without exposure say nothing about a rate.
  const Column& years = *table.find("exposure_years");
  std::vector<Index> exposed;
  for (Index i = 0; i < Index(table.rows); ++i)
    if (years.number[std::size_t(i)] > 0.0) exposed.push_back(i);
  DataOptions options;
  options.targets = {"claims"};
  options.task = DataOptions::TaskRequest::counts;
  options.offset = "exposure_years";  // as it is: the logarithm is taken below, after the empty rows are gone
  Dataset all = take_rows(encode(table, options).data, exposed);
  all.offset = all.offset.array().log();

  fmt::print("{:<6} {:>9} {:>12} {:>9} {:>12} {:>9} {:>8} {:>10}\n", "draw", "deviance", "common rate", "gain",
             "its s.e.", "held out", "claims", "seconds");
  for (const std::uint64_t seed : {1, 2}) {
    const TrainTest split = random_split(all.size(), 4000, seed);
    const Dataset train_rows = take_rows(all, split.train);
    const Dataset test = take_rows(all, std::span(split.test).first(20000));
    const Model model = train(train_rows, {.model = poisson_regression()});
    const Matrix z = outputs(model, test.X);
    const double rate = train_rows.targets.sum() / train_rows.offset.array().exp().sum();
    Vector ours(z.rows()), common(z.rows());
    for (Index i = 0; i < z.rows(); ++i) {
      const double t = test.targets(i, 0);
      ours[i] = cost(losses::Poisson{}, z(i, 0) + test.offset[i], t).value;
      common[i] = cost(losses::Poisson{}, std::log(rate) + test.offset[i], t).value;
    }
    const Vector gain = common - ours;
    const double se = std::sqrt((gain.array() - gain.mean()).square().mean() / double(gain.size()));
    double held_out = 0.0;
    for (const auto& [score, value] : model.report.held_out)
      if (score == "deviance") held_out = value;
    fmt::print("{:<6} {:>9.5f} {:>12.5f} {:>9.5f} {:>12.5f} {:>9.5f} {:>8.0f} {:>10.1f}\n", seed, ours.mean(),
               common.mean(), gain.mean(), se, held_out, train_rows.targets.sum(), model.report.seconds);
    std::fflush(stdout);
  }
}
