// compute/mpi/team.hpp -- the ranks, and how they meet. Rank 0 runs the program; the others serve it: a call of the
// door on rank 0 is one broadcast of its name and its arguments, whereupon all ranks run the same operation, which is
// made of collective steps. So only rank 0 ever decides anything, and the others cannot decide otherwise.
//
// What an operation throws on all ranks alike (Refused) is a refusal, and rank 0 hands it to its caller. Anything that
// one rank throws alone would leave the others waiting: it ends them all, with one message (MPI_Abort).
#pragma once

#include <mpi.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/base/rows.hpp"
#include "lacuna/kernel/kernel.hpp"

namespace lacuna::compute::mpi {

/// Arguments on their way from rank 0 to all.
class Writer {
 public:
  Writer& operator<<(double v) { return raw(&v, sizeof v); }
  Writer& operator<<(Index v) { return raw(&v, sizeof v); }
  Writer& operator<<(const std::string& text);
  Writer& operator<<(const Matrix& m);
  Writer& operator<<(const Vector& v);
  Writer& operator<<(const std::vector<Index>& v);
  Writer& operator<<(const RowsView& X);
  Writer& operator<<(const Kernel& kernel);  ///< its text; of a user-written one only that it is one
  const std::vector<char>& bytes() const { return bytes_; }

 private:
  Writer& raw(const void* data, std::size_t size);
  std::vector<char> bytes_;
};

class Reader {
 public:
  explicit Reader(const std::vector<char>& bytes) : at_(bytes.data()) {}
  double number() { return raw<double>(); }
  Index index() { return raw<Index>(); }
  std::string text();
  Matrix matrix();
  Vector vector();
  std::vector<Index> indices();
  Rows rows();
  /// Empty: a user-written kernel, which only rank 0 can evaluate.
  std::optional<Kernel> kernel();

 private:
  template <class T>
  T raw() {
    T out;
    copy(&out, sizeof out);
    return out;
  }
  void copy(void* to, std::size_t size) {
    if (size > 0) std::memcpy(to, at_, size);
    at_ += size;
  }
  const char* at_;
};

/// Thrown on all ranks alike.
struct Refused {
  Error::Kind kind;
  std::string message;
};

/// What a message between two ranks is: what is sent ahead may arrive before an answer.
enum class Tag { answer, ahead };

class Team {
 public:
  explicit Team(MPI_Comm comm);
  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool first() const { return rank_ == 0; }

  void broadcast(void* data, std::size_t bytes) const;           ///< from rank 0
  void sum_at_first(double* data, Index count) const;            ///< on rank 0; elsewhere it is used up
  void sum_everywhere(double* data, Index count) const;          ///< the same bits on all ranks
  void move(double* data, Index count, int from, int to) const;  ///< called on both
  /// To rank 0, over all ranks, in an order that depends on their number alone; elsewhere it is used up.
  void add_up(double* data, Index count) const;
  void send(const Writer& message, int to) const;
  std::vector<char> receive(int from, Tag tag = Tag::answer) const;
  double least(double value) const;  ///< over the ranks, on all of them
  /// Throws Refused on all ranks when any of them says no; `what` is said of the first that does.
  void agree(bool yes, const std::string& what) const;
  /// Ends all ranks: this one says why.
  [[noreturn]] void abort(const std::string& message) const;

 private:
  void move_all(double* data, Index count, int from, int to) const;

  MPI_Comm comm_;
  int rank_ = 0, size_ = 1;
};

/// A message that is sent ahead; it has arrived when this is gone.
class Sending {
 public:
  Sending(const Team& team, Writer message, int to);
  ~Sending() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
  Sending(const Sending&) = delete;
  Sending& operator=(const Sending&) = delete;

 private:
  Writer message_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace lacuna::compute::mpi
