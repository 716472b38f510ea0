// evaluate/number_line.hpp -- a result that is nothing but numbers, as a line of a journal: [1.5,null,2], null for NaN.
#pragma once

#include <string>
#include <vector>

namespace lacuna {

/// `count` numbers; Error(data) when the line holds anything else.
std::vector<double> numbers_of(const std::string& line, std::size_t count);
/// `rows` lists of `count` numbers each.
std::vector<std::vector<double>> rows_of_numbers(const std::string& line, std::size_t rows, std::size_t count);

}  // namespace lacuna
