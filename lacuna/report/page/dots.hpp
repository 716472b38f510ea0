// report/page/dots.hpp -- numbers with a bar of what they may be off by, a line for each name: the chart "dots".
#pragma once

#include <limits>

#include "lacuna/report/page/block.hpp"

namespace lacuna::page {

class Dots {
 public:
  /// Bars end where values do: at `least`.
  explicit Dots(double least = -std::numeric_limits<double>::infinity()) : least_(least) {}
  /// `half` is the bar to either side; not finite: there is none. Marked ones are orange.
  void add(const std::string& name, double value, double half, bool marked = false);
  /// A tick on the line of this name.
  void add_tick(const std::string& name, double value);
  std::size_t size() const { return dots_["name"].size(); }
  bool empty() const { return size() == 0; }

  struct Words {
    std::string title{}, text{}, axis{}, name{}, value{}, bar{};  ///< the last three head the columns of its table
    bool zero = false;                                            ///< with a line at 0
    bool two_lines = false;                                       ///< names have one line break each
  };
  Json chart(const Words& words) const;

 private:
  double least_;
  Json dots_ = columns_of({"name", "value", "lower", "upper", "marked"});
  Json ticks_ = columns_of({"name", "value"});
};

}  // namespace lacuna::page
