#include "lacuna/report/page/map.hpp"

#include "lacuna/curves/contours.hpp"

namespace lacuna::page {

Json map_cells(const Vector& x, const Vector& y, const Matrix& height) {
  const double dx = x[1] - x[0], dy = y[1] - y[0];
  Json out = columns_of({"x", "x2", "y", "y2", "z"});
  for (Index i = 0; i < x.size(); ++i)
    for (Index j = 0; j < y.size(); ++j) {
      out["x"].push_back(number(x[i] - 0.5 * dx));
      out["x2"].push_back(number(x[i] + 0.5 * dx));
      out["y"].push_back(number(y[j] - 0.5 * dy));
      out["y2"].push_back(number(y[j] + 0.5 * dy));
      out["z"].push_back(number(height(i, j)));
    }
  return out;
}

Json lines_at(const Vector& x, const Vector& y, const Matrix& height, double level) {
  Json out = columns_of({"x", "y", "line", "at"});
  int line = 0;
  for (const ContourLine& l : contours(x, y, height, level)) {
    for (std::size_t k = 0; k < l.x.size(); ++k) {
      out["x"].push_back(number(l.x[k]));
      out["y"].push_back(number(l.y[k]));
      out["line"].push_back(line);
      out["at"].push_back(k);
    }
    ++line;
  }
  return out;
}

std::vector<Column> map_columns(const std::string& x, const std::string& y, const std::string& z,
                                const std::string& x_format, const std::string& y_format) {
  return {{"x", x + " from", true, x_format},
          {"x2", "to", true, x_format},
          {"y", y + " from", true, y_format},
          {"y2", "to", true, y_format},
          {"z", z, true, ".4~g"}};
}

}  // namespace lacuna::page
