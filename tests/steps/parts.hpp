// One table in parts, and train() in steps over them, every value that passes between places as bytes.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "lacuna/base/random.hpp"
#include "lacuna/steps/bytes.hpp"

namespace lacuna::testing {

/// Rows x, y (numbers), c (a category), w (weights), e (exposures), label, value and count; as text.
inline std::vector<std::string> rows_of_text(int rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::string> out;
  for (int i = 0; i < rows; ++i) {
    const double x = 10.0 + 3.0 * random.normal(), y = 1e-3 * random.normal(), e = random.uniform(0.5, 2.0);
    const auto c = random.below(4);
    const double z = std::sin(x) + 1e3 * y + (c == 2 ? 1.0 : 0.0);
    const auto kind = z + 0.5 * random.normal() > 1.2 ? "c" : z + 0.5 * random.normal() > 0.0 ? "b" : "a";
    out.push_back(fmt::format("{},{},{},{},{},{},{},{},{}", x, y, std::string(1, char('p' + c)), 1 + random.below(3), e,
                              z > 0.0 ? "yes" : "no", kind, z + 0.1 * random.normal(),
                              random.poisson(e * std::exp(0.4 * z))));
  }
  return out;
}

inline Table table_of_rows(const std::vector<std::string>& rows, std::size_t first, std::size_t count) {
  std::string text = "x,y,c,w,e,label,kind,value,count\n";
  for (std::size_t i = first; i < first + count; ++i) text += rows[i] + "\n";
  Table table;
  if (count > 0) return parse_table(text, "t.csv");
  table = parse_table(text + rows[0] + "\n", "t.csv");
  return take_rows(table, {});
}

/// Parts of these sizes, one after the other.
inline std::vector<Table> parts_of(const std::vector<std::string>& rows, const std::vector<std::size_t>& sizes) {
  std::vector<Table> parts;
  std::size_t first = 0;
  for (const std::size_t size : sizes) {
    parts.push_back(table_of_rows(rows, first, size));
    first += size;
  }
  return parts;
}

struct Steps {
  Plan plan;
  Model model;
};

/// As an engine would: sums are added from the last part to the first.
inline Steps in_steps(const std::vector<Table>& parts, const DataOptions& columns, const TrainOptions& options,
                      std::int64_t sample_size = 50'000) {
  Description all;
  std::vector<std::int64_t> first_row;
  for (const Table& part : parts) {
    first_row.push_back(all.rows_read);
    all += description_from(to_bytes(describe(part, columns)));
  }
  Sample sample;
  for (std::size_t k = parts.size(); k-- > 0;)
    sample += sample_from(to_bytes(draw(parts[k], columns, first_row[k], sample_size, 3)));
  Plan plan = make_plan(sample.table(), columns, options, &all);
  while (!plan.done()) {
    const std::string sent = to_bytes(plan);
    Statistics sums;
    for (std::size_t k = parts.size(); k-- > 0;)
      sums += statistics_from(to_bytes(statistics(parts[k], plan_from(sent))));
    plan = solve(plan_from(sent), sums);
  }
  const std::string sent = to_bytes(plan);
  std::vector<HeldOutPart> held_out;
  for (std::size_t k = 0; k < parts.size(); ++k)
    held_out.push_back(held_out_from(to_bytes(hold_out(parts[k], plan_from(sent), first_row[k]))));
  plan = plan_from(sent);
  Model model = finish(plan, held_out);
  return {std::move(plan), std::move(model)};
}

}  // namespace lacuna::testing
