// Tables 1 and 3 of [KLR] for kernel logistic regression selected by approximate leave-one-out: test error and
// information in bits over the published splits at hand, else twenty seeded ones, selection redone on every split, data
// as they are. Beside each mean the paper's and z = (ours - theirs) / sqrt(se^2 + se^2). `--recalibrate` as the command
// line has it.
#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include "experiment/benchmark_set.hpp"
#include "lacuna/lacuna.hpp"

using namespace lacuna;

namespace {

struct Average {
  double mean = std::nan(""), se = std::nan("");
};

Average average_of(const std::vector<double>& x) {
  const Eigen::Map<const Vector> v(x.data(), Index(x.size()));
  const double mean = v.mean();
  return {mean, std::sqrt((v.array() - mean).square().sum() / double(x.size() - 1) / double(x.size()))};
}

std::map<std::string, Average> published(const std::string& path) {
  std::map<std::string, Average> out;
  if (!std::filesystem::exists(path)) return out;
  const Table table = read_table(path);
  for (std::size_t i = 0; i < std::size_t(table.rows); ++i) {
    const auto text = [&](std::size_t j) { return table.columns[j].levels[std::size_t(table.columns[j].code[i])]; };
    if (text(1) == "LOO-KLR") out[text(0)] = {table.columns[2].number[i], table.columns[3].number[i]};
  }
  return out;
}

std::string against(const Average& ours, const Average& theirs) {
  if (std::isnan(theirs.mean)) return "";
  const double z = (ours.mean - theirs.mean) / std::hypot(ours.se, theirs.se);
  return fmt::format("{:>7.3f} ±{:.3f} z {:>+5.2f}{}", theirs.mean, theirs.se, z, std::abs(z) > 2.5 ? " !" : "");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = LACUNA_SHARED_DATA "/ida";
  const std::string tables = LACUNA_SHARED_DATA "/../published";
  const bool recalibrate = argc > 1 && std::string(argv[1]) == "--recalibrate";
  if (!std::filesystem::exists(folder)) {
    fmt::print("klr tables: skipped, the benchmark data are not here (shared/data)\n");
    return 0;
  }
  auto errors = published(tables + "/klr_table1_error.csv"), bits = published(tables + "/klr_table3_bits.csv");
  fmt::print("{:<12} {:>6} {:>16} {:>24} {:>18} {:>24} {:>9}\n", "data", "splits", "error %", "[KLR]", "bits", "[KLR]",
             "seconds");
  for (const char* name : {"banana", "heart", "titanic", "twonorm", "ringnorm", "thyroid", "diabetes", "flare-solar"}) {
    BenchmarkSet set = read_benchmark(folder, name, 0);
    const std::size_t given = set.splits.size();
    if (given < 10) set = read_benchmark(folder, name, 20);
    const std::size_t n = set.splits.size();
    std::vector<double> error(n), information(n), seconds(n);
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < n; ++k) {
      const BenchmarkSplit& split = set.splits[k];
      const Model model = train(take_rows(set.all, split.train),
                                {.model = klr(),
                                 .select = {.cv = parse_cross_validation("loo:one-step")},  // as in the papers
                                 .held_out = {.recalibrate = recalibrate},
                                 .run = {.threads = 1}});
      const Dataset test = take_rows(set.all, split.test);
      const Predictions said = predict(model, test.X);
      for (std::size_t i = 0; i < split.test.size(); ++i) error[k] += said.label[i] != test.label[i];
      error[k] *= 100.0 / double(split.test.size());
      information[k] =
          1.0 - log_loss(model.loss, model.calibration, said.output, test.label).mean() / std::numbers::ln2;
      seconds[k] = model.report.search.seconds;
    }
    const Average e = average_of(error), b = average_of(information);
    fmt::print("{:<12} {:>3}+{:<2} {:>9.2f} ±{:<5.2f} {:>24} {:>11.3f} ±{:<5.3f} {:>24} {:>9.2f}\n", name, given,
               n - given, e.mean, e.se, against(e, errors[name]), b.mean, b.se, against(b, bits[name]),
               average_of(seconds).mean);
    std::fflush(stdout);
  }
  fmt::print("splits: published + seeded; z beyond 2.5 is marked !\n");
}
