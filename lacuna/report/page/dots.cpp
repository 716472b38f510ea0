#include "lacuna/report/page/dots.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna::page {

void Dots::add(const std::string& name, double value, double half, bool marked) {
  const bool bar = std::isfinite(half);
  dots_["name"].push_back(name);
  dots_["value"].push_back(number(value));
  dots_["lower"].push_back(bar ? number(std::max(least_, value - half)) : Json(nullptr));
  dots_["upper"].push_back(bar ? number(value + half) : Json(nullptr));
  dots_["marked"].push_back(marked);
}

void Dots::add_tick(const std::string& name, double value) {
  ticks_["name"].push_back(name);
  ticks_["value"].push_back(number(value));
}

Json Dots::chart(const Words& words) const {
  Json zero = columns_of({"x"});
  if (words.zero) zero["x"].push_back(0);
  Json signals{{"xname", words.axis}};
  if (words.two_lines) signals["y_step"] = 44, signals["shift"] = -7;  // pixels, of what dots.vl.json compiles to
  return page::chart("dots", words.title, words.text, {{"dots", dots_}, {"splits", ticks_}, {"zero", std::move(zero)}},
                     "dots",
                     {{"name", words.name, false},
                      {"value", words.value, true, ".5~g"},
                      {"lower", "less " + words.bar, true, ".4~g"},
                      {"upper", "plus " + words.bar, true, ".4~g"}},
                     std::move(signals));
}

}  // namespace lacuna::page
