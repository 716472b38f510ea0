// data/labels.cpp (of dataset.hpp) -- names of tasks, and the order of labels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/data/dataset.hpp"
#include "lacuna/read/cell.hpp"

namespace lacuna {

std::string_view name_of(Task task) {
  switch (task) {
    case Task::automatic:
      return "auto";
    case Task::binary:
      return "binary";
    case Task::multiclass:
      return "multiclass";
    case Task::regression:
      return "regression";
    case Task::counts:
      return "counts";
  }
  return "auto";
}

void sort_labels(std::vector<std::string>& labels) {
  std::vector<std::pair<double, std::string>> numbers;
  for (const std::string& label : labels) {
    const detail::Cell cell = detail::read_cell(label);
    if (cell.kind != detail::CellKind::number) break;
    numbers.emplace_back(cell.number, label);
  }
  if (numbers.size() < labels.size()) {
    std::sort(labels.begin(), labels.end());  // bytes of UTF-8 sort as code points do
    return;
  }
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = std::move(numbers[i].second);
}

}  // namespace lacuna
