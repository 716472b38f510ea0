// compute/mpi/session.hpp -- the operations that ranks carry out together, and what they keep between two of them. Rank
// 0 calls one by its name; all ranks run it on the same arguments.
#pragma once

#include <map>
#include <memory>

#include "lacuna/compute/cpu/features.hpp"
#include "lacuna/compute/mpi/factor.hpp"
#include "lacuna/compute/mpi/gram.hpp"
#include "lacuna/compute/mpi/spread.hpp"

namespace lacuna::compute::mpi {

class Session;
struct Sweep;

/// What rank 0 has of an operation; elsewhere nothing of use.
struct Result {
  bool yes = true;
  double number = 0.0;
  Vector vector = {};
  Matrix matrix = {};
  AdjointResult adjoint = {};
  FeatureSums sums = {};
  RowMoments moments = {};
};

/// What is lent while this lives.
template <class T>
class Lend {
 public:
  Lend(const T*& place, const T& what) : place_(place) { place = &what; }
  ~Lend() { place_ = nullptr; }
  Lend(const Lend&) = delete;
  Lend& operator=(const Lend&) = delete;

 private:
  const T*& place_;
};

using Operation = Result (*)(Session& session, Reader& arguments);

class Session {
 public:
  explicit Session(MPI_Comm comm) : team_(comm), grid_(team_) {}

  const Team& team() const { return team_; }
  const Grid& grid() const { return grid_; }

  /// On rank 0. Throws what all ranks refuse alike as an Error; a stop that was asked for ends before, never within.
  Result call(Operation operation, const Writer& arguments) const;
  /// On the others: runs what rank 0 calls until it calls end().
  void serve();
  void end() const;
  /// Gives up on all ranks what they know by this number; also while an exception is under way. Not after the end.
  static void drop(const Session& session, Operation operation, Index number) noexcept;

  std::map<Index, std::unique_ptr<SpreadGram>> grams;
  std::map<Index, std::unique_ptr<SpreadFactor>> factors;
  std::map<Index, std::shared_ptr<const cpu::CpuFeatures>> features;
  // Lent by rank 0 for the time of a call, since they cannot be sent.
  const Kernel* user_written = nullptr;
  const Sweep* sweep = nullptr;

  Index next_number() { return ++last_number_; }

 private:
  Result run(Operation operation, const std::vector<char>& arguments);

  Team team_;
  Grid grid_;
  Index last_number_ = 0;
};

/// Operations by their place, which is what crosses: functions may lie elsewhere in another process.
const std::vector<Operation>& operations();

// Of the door (operations.cpp, features.cpp, sweep.cpp). Arguments in order:
Result make_gram(Session&, Reader&);         // number, kernel, X, use, c
Result drop_gram(Session&, Reader&);         // number
Result gram_diagonal(Session&, Reader&);     // number -> vector
Result gram_multiply(Session&, Reader&);     // number, V -> matrix
Result gram_part(Session&, Reader&);         // number, rows, columns -> matrix
Result gram_eigenvalues(Session&, Reader&);  // number -> vector
Result make_factor(Session&, Reader&);       // number, Gram's number, beta, lambda, want -> yes, log determinant
Result drop_factor(Session&, Reader&);       // number
Result factor_solve(Session&, Reader&);      // number, B -> matrix
Result factor_diagonal(Session&, Reader&);   // number -> vector
Result factor_part(Session&, Reader&);       // number, rows -> matrix
Result factor_contract(Session&, Reader&);   // number, left, right, v, xi, curvature, inverse -> adjoint
Result factor_second(Session&, Reader&);     // number, xi, alpha, curvature -> vector
Result factor_pairs(Session&, Reader&);      // number, xi, side, tie, alpha, eta -> vector, won by rows in the system
Result share_expand(Session&, Reader&);      // kernel, X, Y, A -> matrix
Result share_slopes(Session&, Reader&);      // kernel, X, Y, A, weights -> vector
Result free_bytes(Session&, Reader&);        // -> number
Result make_features(Session&, Reader&);     // number, fewest rows, kernel, basis, rows
Result drop_features(Session&, Reader&);     // number
Result sweep_outputs(Session&, Reader&);     // number, rows, p -> matrix
Result sweep_sums(Session&, Reader&);        // number, rows, p -> sums
Result sweep_moments(Session&, Reader&);     // number, rows, p, ZWZ, lambda -> moments

}  // namespace lacuna::compute::mpi
