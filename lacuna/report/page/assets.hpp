// report/page/assets.hpp -- what every report page carries, whatever it is about: Vega with its interpreter, our charts
// compiled to Vega, and the style sheet. Made when Lacuna is built (page/build.mjs), where npm is there.
#pragma once

#include <string>
#include <vector>

namespace lacuna {

struct PageAssets {
  std::string missing{};                    ///< why there are none, and how to have them; "" where there are
  std::vector<std::string> charts{};        ///< names
  std::string script_hash{}, style_hash{};  ///< "sha256-...", for the Content-Security-Policy
  std::string script{}, style{};
};
const PageAssets& page_assets();

}  // namespace lacuna
