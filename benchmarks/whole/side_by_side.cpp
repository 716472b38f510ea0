// 100 splits of a 400-row problem, selection and fit in each, on one core and on all: small problems run side by side
// with one BLAS thread each. Exits with 1 below 1.8 on two cores (90 % of the cores in general).
#include <fmt/format.h>
#include <omp.h>

#include <chrono>

#include "experiment/generate.hpp"
#include "lacuna/lacuna.hpp"

using namespace lacuna;

namespace {

double seconds_for(const Dataset& data, int threads) {
  const auto began = std::chrono::steady_clock::now();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (int split = 0; split < 100; ++split) {
    const TrainTest rows = random_split(data.size(), 400, std::uint64_t(split));
    Dataset part;
    part.X = take_rows(data.X, rows.train);
    part.task = data.task;
    part.classes = data.classes;
    for (const Index i : rows.train) part.label.push_back(data.label[std::size_t(i)]);
    train(part, {});
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

int main() {
  DataOptions options;
  options.targets = {"y"};
  const Table table = generate("ringnorm", 2000, 1);
  options.targets = {table.columns.back().name};
  const Dataset data = encode(table, options).data;
  const int cores = omp_get_max_threads();
  seconds_for(data, cores);  // warm
  const double alone = seconds_for(data, 1), together = seconds_for(data, cores);
  const double bar = 0.9 * cores;
  fmt::print("100 splits of 400 rows: {:.2f} s on one core, {:.2f} s on {}\n", alone, together, cores);
  fmt::print("{:<58} {:>9.3f}   >= {:<19} {}\n", "one core / all cores", alone / together, bar,
             alone / together >= bar ? "met" : "MISSED");
  return alone / together >= bar ? 0 : 1;
}
