// Gaussian-process classifiers against GPML on Ripley's data; gp_gpml.csv says what was computed. The data are not ours
// to carry: tests/machine/gp_reference_test.cpp asks the same of rows of our own, and gp_textbook.py, which made the
// values there, agrees with these to 6e-7.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/gp_reference.hpp"

namespace lacuna {
namespace gp_gpml_test {

using testing::Cells;
using testing::columns;
using testing::number;
using testing::read_cells;

TEST(GpReference, EvidenceGradientAndLatentMomentsEqualThoseOfGpml) {
  const std::filesystem::path folder = std::filesystem::path(LACUNA_SHARED_DATA) / "mass";
  const std::vector<Cells> train = read_cells(folder / "synth_tr.csv"), test = read_cells(folder / "synth_te.csv");
  ASSERT_EQ(train.size(), 250u) << "a folder of data that is not whole";
  ASSERT_EQ(test.size(), 1000u);
  const RowMatrix X = columns(train, {"xs", "ys"}, 0, train.size()), X_new = columns(test, {"xs", "ys"}, 0, 10);
  const Vector t = columns(train, {"yc"}, 0, train.size());
  const std::vector<Cells> reference = read_cells(std::filesystem::path(LACUNA_HERE) / "gp_gpml.csv");
  ASSERT_EQ(reference.size(), 9u);
  for (const Cells& row : reference) {
    SCOPED_TRACE(row.at("method") + ", log ell " + row.at("log_ell"));
    // 3e-7 was seen: as far as GPML's search for the mode goes. Its average over a logistic function is good to 1e-3.
    testing::expect_gp_reference(row, std::exp(number(row, "log_ell")), std::exp(number(row, "log_sf")), X, t, X_new,
                                 1e-6, 3e-3);
  }
}

}  // namespace gp_gpml_test
}  // namespace lacuna
