#include "lacuna/compute/mpi/team.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "lacuna/kernel/specification.hpp"

namespace lacuna::compute::mpi {
namespace {

// Counts of MPI are ints.
constexpr std::size_t most_at_once = std::size_t(1) << 27;

const std::string user_written = "custom";

}  // namespace

Writer& Writer::raw(const void* data, std::size_t size) {
  const char* from = static_cast<const char*>(data);
  bytes_.insert(bytes_.end(), from, from + size);
  return *this;
}

Writer& Writer::operator<<(const std::string& text) {
  *this << Index(text.size());
  return raw(text.data(), text.size());
}

Writer& Writer::operator<<(const Matrix& m) {
  *this << m.rows() << m.cols();
  return raw(m.data(), std::size_t(m.size()) * sizeof(double));
}

Writer& Writer::operator<<(const Vector& v) {
  *this << v.size();
  return raw(v.data(), std::size_t(v.size()) * sizeof(double));
}

Writer& Writer::operator<<(const std::vector<Index>& v) {
  *this << Index(v.size());
  return raw(v.data(), v.size() * sizeof(Index));
}

Writer& Writer::operator<<(const RowsView& X) {
  *this << Index(X.is_sparse());
  const Rows copy = copy_rows(X);
  if (!X.is_sparse()) {
    const RowMatrix& m = copy.dense();
    *this << m.rows() << m.cols();
    return raw(m.data(), std::size_t(m.size()) * sizeof(double));
  }
  const SparseMatrix& m = copy.sparse();
  *this << m.rows << m.cols << Index(m.value.size());
  raw(m.row_start.data(), m.row_start.size() * sizeof m.row_start[0]);
  raw(m.column.data(), m.column.size() * sizeof m.column[0]);
  return raw(m.value.data(), m.value.size() * sizeof m.value[0]);
}

Writer& Writer::operator<<(const Kernel& kernel) {
  if (uses_geometry(kernel, kernels::Geometry::rows)) return *this << user_written;
  // Its form as text, which refuses values that an algorithm may well pass through; its parameters beside it.
  const std::vector<double> all = kernel_parameters(kernel), ones(all.size(), 1.0);
  *this << kernel_text(with_parameters(kernel, ones));
  return *this << Vector(Eigen::Map<const Vector>(all.data(), Index(all.size())));
}

std::string Reader::text() {
  std::string out(std::size_t(index()), ' ');
  copy(out.data(), out.size());
  return out;
}

Matrix Reader::matrix() {
  const Index rows = index(), cols = index();
  Matrix out(rows, cols);
  copy(out.data(), std::size_t(out.size()) * sizeof(double));
  return out;
}

Vector Reader::vector() {
  Vector out(index());
  copy(out.data(), std::size_t(out.size()) * sizeof(double));
  return out;
}

std::vector<Index> Reader::indices() {
  std::vector<Index> out(static_cast<std::size_t>(index()));
  copy(out.data(), out.size() * sizeof(Index));
  return out;
}

Rows Reader::rows() {
  const bool sparse = index() != 0;
  const Index rows = index(), cols = index();
  if (!sparse) {
    RowMatrix out(rows, cols);
    copy(out.data(), std::size_t(out.size()) * sizeof(double));
    return out;
  }
  SparseMatrix out;
  out.rows = rows;
  out.cols = cols;
  const auto count = std::size_t(index());
  out.row_start.resize(std::size_t(rows) + 1);
  out.column.resize(count);
  out.value.resize(count);
  copy(out.row_start.data(), out.row_start.size() * sizeof out.row_start[0]);
  copy(out.column.data(), count * sizeof out.column[0]);
  copy(out.value.data(), count * sizeof out.value[0]);
  return out;
}

std::optional<Kernel> Reader::kernel() {
  const std::string name = text();
  if (name == user_written) return {};
  const Kernel kernel = parse_kernel(name).kernel;
  const Vector all = vector();
  return with_parameters(kernel, as_span(all));
}

Team::Team(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
}

void Team::broadcast(void* data, std::size_t bytes) const {
  char* at = static_cast<char*>(data);
  for (std::size_t done = 0; done < bytes; done += most_at_once)
    MPI_Bcast(at + done, int(std::min(most_at_once, bytes - done)), MPI_BYTE, 0, comm_);
}

void Team::sum_at_first(double* data, Index count) const {
  const auto most = Index(most_at_once / 8);
  for (Index done = 0; done < count; done += most) {
    const int some = int(std::min(most, count - done));
    if (first())
      MPI_Reduce(MPI_IN_PLACE, data + done, some, MPI_DOUBLE, MPI_SUM, 0, comm_);
    else
      MPI_Reduce(data + done, nullptr, some, MPI_DOUBLE, MPI_SUM, 0, comm_);
  }
}

void Team::sum_everywhere(double* data, Index count) const {
  sum_at_first(data, count);  // MPI does not promise that the sums of an all-reduce have the same bits on all ranks
  broadcast(data, std::size_t(count) * sizeof(double));
}

void Team::move(double* data, Index count, int from, int to) const {
  if (from == to) return;
  if (rank_ == from) MPI_Send(data, int(count), MPI_DOUBLE, to, 0, comm_);
  if (rank_ == to) MPI_Recv(data, int(count), MPI_DOUBLE, from, 0, comm_, MPI_STATUS_IGNORE);
}

// A tree: rank k takes what ranks k + 1, k + 2, k + 4 ... have gathered.
void Team::add_up(double* data, Index count) const {
  Vector theirs;
  for (int step = 1; step < size_; step *= 2) {
    if (rank_ % (2 * step) == step) return move_all(data, count, rank_, rank_ - step);
    if (rank_ + step >= size_) continue;
    theirs.resize(count);
    move_all(theirs.data(), count, rank_ + step, rank_);
    Eigen::Map<Vector>(data, count) += theirs;
  }
}

void Team::move_all(double* data, Index count, int from, int to) const {
  const auto most = Index(most_at_once / 8);
  for (Index done = 0; done < count; done += most) move(data + done, std::min(most, count - done), from, to);
}

void Team::send(const Writer& message, int to) const {
  MPI_Send(message.bytes().data(), int(message.bytes().size()), MPI_BYTE, to, int(Tag::answer), comm_);
}

std::vector<char> Team::receive(int from, Tag tag) const {
  MPI_Status status;
  int count = 0;
  MPI_Probe(from, int(tag), comm_, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  std::vector<char> out(static_cast<std::size_t>(count));
  MPI_Recv(out.data(), count, MPI_BYTE, from, int(tag), comm_, MPI_STATUS_IGNORE);
  return out;
}

Sending::Sending(const Team& team, Writer message, int to) : message_(std::move(message)) {
  const std::vector<char>& bytes = message_.bytes();
  MPI_Isend(bytes.data(), int(bytes.size()), MPI_BYTE, to, int(Tag::ahead), team.comm(), &request_);
}

double Team::least(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MIN, comm_);
  return value;
}

void Team::agree(bool yes, const std::string& what) const {
  int no = yes ? size_ : rank_;
  MPI_Allreduce(MPI_IN_PLACE, &no, 1, MPI_INT, MPI_MIN, comm_);
  if (no < size_) throw Refused{Error::Kind::data, fmt::format("mpi: rank {} of {} {}", no, size_, what)};
}

void Team::abort(const std::string& message) const {
  const std::string line = fmt::format("lacuna: mpi: rank {} of {}: {}; all ranks end\n", rank_, size_, message);
  if (write(2, line.data(), line.size()) < 0) {
  }  // nothing is left to be done about it
  MPI_Abort(comm_, 1);
  _exit(1);
}

}  // namespace lacuna::compute::mpi
