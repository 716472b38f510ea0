// experiment/chart.hpp -- a chart as a Vega-Lite specification: what is drawn is said in words of Vega-Lite, the
// figures come from a sheet.
#pragma once

#include <string>
#include <string_view>

#include "experiment/study.hpp"

namespace lacuna {

/// `specification`: a JSON object with title, marks and encodings by the names of the sheet's columns.
Chart chart_of(const std::string& name, const Sheet& sheet, std::string_view specification);

}  // namespace lacuna
