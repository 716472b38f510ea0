#include "lacuna/compute/mpi/sweep.hpp"

#include <algorithm>
#include <array>
#include <list>

#include "lacuna/compute/lanes.hpp"

namespace lacuna::compute::mpi {
namespace {

// Few rows, too, are to lie on all ranks.
Index rows_of_block(Index rows, Index ranks) {
  return std::clamp<Index>((rows + 2 * ranks - 1) / (2 * ranks), 1, kBlockRows);
}

class Rounds {
 public:
  Rounds(const Team& team, Index rows) : team_(team), rows_(rows), block_(rows_of_block(rows, team.size())) {}

  Index count() const { return (rows_ + block_ * team_.size() - 1) / (block_ * team_.size()); }
  /// Of a rank in a round; perhaps of no rows.
  Share share(Index round, int rank) const {
    const Index first = std::min(rows_, (round * team_.size() + rank) * block_);
    return {first, std::min(block_, rows_ - first), rank};
  }
  std::vector<Share> others(Index round) const {
    std::vector<Share> out;
    for (int rank = 1; rank < team_.size(); ++rank)
      if (const Share s = share(round, rank); s.count > 0) out.push_back(s);
    return out;
  }

 private:
  const Team& team_;
  Index rows_, block_;
};

// Two rounds are under way at a time: one is worked on, one is sent.
void lead(const Team& team, const Rounds& rounds, const RowSource& X, const RoundBody& body) {
  std::array<std::list<Sending>, 2> sent;
  const auto send = [&](Index round) {
    auto& now = sent[std::size_t(round % 2)];
    now.clear();  // those of two rounds ago have arrived: their rows have been worked on
    for (const Share& s : rounds.others(round))
      now.emplace_back(team, Writer() << RowsView(X.block(s.first, s.count)), s.rank);
  };
  if (rounds.count() > 0) send(0);
  for (Index round = 0; round < rounds.count(); ++round) {
    if (round + 1 < rounds.count()) send(round + 1);
    const Share own = rounds.share(round, 0);
    const RowSource::Block block = X.block(own.first, own.count);
    body(own.first, block, rounds.others(round));
  }
}

void follow_rounds(const Team& team, const Rounds& rounds, const RoundBody& body) {
  for (Index round = 0; round < rounds.count(); ++round) {
    const Share own = rounds.share(round, team.rank());
    if (own.count == 0) continue;
    const std::vector<char> message = team.receive(0, Tag::ahead);
    const Rows block = Reader(message).rows();
    body(own.first, block, {});
  }
}

// Features of this rank, and the number of rows of the sweep.
struct Called {
  const cpu::CpuFeatures& features;
  const RowSource* X;
  Index rows;
};

Called called(Session& session, Reader& in) {
  const Index number = in.index(), rows = in.index();
  if (session.team().first()) return {session.sweep->features, &session.sweep->X, rows};
  return {*session.features.at(number), nullptr, rows};
}

}  // namespace

void in_rounds(const Team& team, const RowSource* X, Index rows, const RoundBody& body) {
  const Rounds rounds(team, rows);
  if (X != nullptr)
    lead(team, rounds, *X, body);
  else
    follow_rounds(team, rounds, body);
}

Result sweep_outputs(Session& session, Reader& in) {
  const Team& team = session.team();
  const Called of = called(session, in);
  const Matrix p = in.matrix();
  Matrix z(team.first() ? of.rows : 0, p.cols());
  in_rounds(team, of.X, of.rows, [&](Index first, const RowsView& block, std::span<const Share> others) {
    const Matrix own = of.features.of_block(block, p);
    if (!team.first()) return team.send(Writer() << own, 0);
    z.middleRows(first, block.rows()) = own;
    for (const Share& s : others) {
      const std::vector<char> answer = team.receive(s.rank);
      z.middleRows(s.first, s.count) = Reader(answer).matrix();
    }
  });
  return {.matrix = std::move(z)};
}

// Outputs go to rank 0, which says weights and right-hand sides; sums stay where their rows are until the end.
Result sweep_sums(Session& session, Reader& in) {
  const Team& team = session.team();
  const Called of = called(session, in);
  const Matrix p = in.matrix();
  FeatureSums sums{Matrix::Zero(p.rows(), p.rows()), Matrix::Zero(p.rows(), p.cols())};
  in_rounds(team, of.X, of.rows, [&](Index first, const RowsView& block, std::span<const Share> others) {
    const auto ask = [&](const Matrix& z, Vector& beta, Matrix& R) {
      team.send(Writer() << z, 0);
      const std::vector<char> answer = team.receive(0);
      Reader said(answer);
      beta = said.vector();
      R = said.matrix();
    };
    const auto say = [&](const Matrix& z, Vector& beta, Matrix& R) {
      const Reweigh& reweigh = *session.sweep->reweigh;
      reweigh(first, z, beta, R);
      for (const Share& s : others) {
        const std::vector<char> asked = team.receive(s.rank);
        Vector b = Vector::Zero(s.count);
        Matrix right = Matrix::Zero(s.count, p.cols());
        reweigh(s.first, Reader(asked).matrix(), b, right);
        team.send(Writer() << b << right, s.rank);
      }
    };
    if (team.first())
      of.features.accumulate(block, p, say, sums);
    else
      of.features.accumulate(block, p, ask, sums);
  });
  team.add_up(sums.ZWZ.data(), sums.ZWZ.size());
  team.add_up(sums.right.data(), sums.right.size());
  return {.sums = std::move(sums)};
}

Result sweep_moments(Session& session, Reader& in) {
  const Team& team = session.team();
  const Called of = called(session, in);
  const Matrix p = in.matrix(), ZWZ = in.matrix();
  const double lambda = in.number();
  const auto factor = of.features.CpuFeatures::factor(ZWZ, lambda);
  team.agree(factor != nullptr, "has no factor where rank 0 has one; all ranks need processors of one kind");
  const Matrix rotated = factor->rotate(p).transpose();
  RowMoments out{Matrix(team.first() ? of.rows : 0, p.cols()), Vector(team.first() ? of.rows : 0)};
  const auto put = [&](Index first, const RowMoments& some) {
    out.z.middleRows(first, some.z.rows()) = some.z;
    out.variance.segment(first, some.z.rows()) = some.variance;
  };
  in_rounds(team, of.X, of.rows, [&](Index first, const RowsView& block, std::span<const Share> others) {
    const RowMoments own = factor->moments_of(block, rotated);
    if (!team.first()) return team.send(Writer() << own.z << own.variance, 0);
    put(first, own);
    for (const Share& s : others) {
      const std::vector<char> answer = team.receive(s.rank);
      Reader said(answer);
      RowMoments theirs{said.matrix(), {}};
      theirs.variance = said.vector();
      put(s.first, theirs);
    }
  });
  return {.moments = std::move(out)};
}

}  // namespace lacuna::compute::mpi
