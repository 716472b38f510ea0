#include "lacuna/data/detail/offset.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna::detail {

Vector read_offset(const Table& table, std::size_t j, bool is_exposure, const std::vector<std::int64_t>& rows) {
  require_numeric(table, j, is_exposure ? "exposures must be numbers" : "offsets must be numbers");
  Vector out = gather(table, j, rows);
  if (!is_exposure) return out;
  for (Index i = 0; i < out.size(); ++i) {
    if (!(out[i] > 0.0))
      fail_data(fmt::format("data: {}: exposure {} is not positive; leave such rows out, or give them weight 0",
                            place(table, rows[std::size_t(i)], j), number_text(out[i])));
    out[i] = std::log(out[i]);
  }
  return out;
}

}  // namespace lacuna::detail
