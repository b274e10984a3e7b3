// The products are compiled once for each instruction set and chosen at run time.
#include "limber/dynamics/full_space/warped_stiffness.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/dynamics/full_space/warped_stiffness.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Four = hn::CappedTag<double, kNeighbourLanes>;

/// sum = Σ_j k_ij Rᵀ (x_j − x_i) over a node's lanes; R row by row.
HWY_INLINE void sum_of_row(const NeighbourLanes* begin, const NeighbourLanes* end, const double* R,
                           const double* x, const double* own, double* sum) {
  const Four d;
  auto total0 = hn::Zero(d);
  auto total1 = hn::Zero(d);
  auto total2 = hn::Zero(d);
  for (const NeighbourLanes* lanes = begin; lanes != end; ++lanes) {
    alignas(64) double edge[3][kNeighbourLanes];
    for (int l = 0; l < kNeighbourLanes; ++l) {
      const double* const other = x + 3 * static_cast<std::size_t>(lanes->node[l]);
      for (int c = 0; c < 3; ++c) edge[c][l] = other[c] - own[c];
    }
    for (int l = 0; l < kNeighbourLanes; l += static_cast<int>(hn::Lanes(d))) {
      const auto e0 = hn::Load(d, edge[0] + l);
      const auto e1 = hn::Load(d, edge[1] + l);
      const auto e2 = hn::Load(d, edge[2] + l);
      const auto turned = [&](int c) {
        return hn::MulAdd(hn::Set(d, R[6 + c]), e2,
                          hn::MulAdd(hn::Set(d, R[3 + c]), e1, hn::Mul(hn::Set(d, R[c]), e0)));
      };
      const auto u0 = turned(0);
      const auto u1 = turned(1);
      const auto u2 = turned(2);
      const auto add_row = [&](int r, auto total) {
        const auto k = [&](int c) { return hn::Load(d, lanes->block[3 * r + c].data() + l); };
        return hn::MulAdd(k(2), u2, hn::MulAdd(k(1), u1, hn::MulAdd(k(0), u0, total)));
      };
      total0 = add_row(0, total0);
      total1 = add_row(1, total1);
      total2 = add_row(2, total2);
    }
  }
  sum[0] = hn::GetLane(hn::SumOfLanes(d, total0));
  sum[1] = hn::GetLane(hn::SumOfLanes(d, total1));
  sum[2] = hn::GetLane(hn::SumOfLanes(d, total2));
}

/// out_i += R_i (factor · Σ_j k_ij R_iᵀ (x_j − x_i) + start_i); `start` may be null.
void add_rows(const std::vector<int>& nodes, const int* offsets, const NeighbourLanes* lanes,
              const TetMatrices& rotations, const double* x, double factor, const double* start,
              double* out) {
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    double R[9];
    const BatchMatrices& batch = rotations[i / kTetLanes];
    for (int k = 0; k < 9; ++k) R[k] = batch.entry[k][i % kTetLanes];
    const std::size_t own = 3 * static_cast<std::size_t>(nodes[i]);
    double sum[3];
    sum_of_row(lanes + offsets[i], lanes + offsets[i + 1], R, x, x + own, sum);
    for (int c = 0; c < 3; ++c) {
      sum[c] *= factor;
      if (start != nullptr) sum[c] += start[3 * static_cast<std::size_t>(i) + c];
    }
    for (int r = 0; r < 3; ++r) {
      out[own + r] += R[3 * r] * sum[0] + R[3 * r + 1] * sum[1] + R[3 * r + 2] * sum[2];
    }
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(add_rows);

namespace {

Mat3 block_of(const SparseMatrix& K, int row, int column) {
  Mat3 block;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) block(r, c) = K.coeff(3 * row + r, 3 * column + c);
  }
  return block;
}

Mat3 block_of(const NeighbourLanes& lanes, int lane) {
  Mat3 block;
  for (int k = 0; k < 9; ++k) block(k / 3, k % 3) = lanes.block[k][lane];
  return block;
}

}  // namespace

WarpedStiffness::WarpedStiffness(const SimulatedMesh& mesh, const SparseMatrix& K)
    : mesh_(mesh), rest_forces_(Eigen::Matrix3Xd::Zero(3, mesh.free_count())) {
  const Positions& X = mesh.mesh().V;
  for (int i = 0; i < mesh.free_count(); ++i) {
    offsets_.push_back(static_cast<int>(lanes_.size()));
    const int node = mesh.free().nodes()[i];
    int lane = kNeighbourLanes;
    for (const int other : mesh.graph().neighbours(node)) {
      if (other == node) continue;
      if (lane == kNeighbourLanes) {
        lanes_.emplace_back(NeighbourLanes{}).node.fill(node);
        lane = 0;
      }
      const Mat3 block = block_of(K, node, other);
      for (int k = 0; k < 9; ++k) lanes_.back().block[k][lane] = block(k / 3, k % 3);
      lanes_.back().node[lane++] = other;
      rest_forces_.col(i) += block * (X.row(other) - X.row(node)).transpose();
    }
  }
  offsets_.push_back(static_cast<int>(lanes_.size()));
}

void WarpedStiffness::add_product(double factor, const NodeRotations& rotations, const Positions& x,
                                  Positions& out) const {
  HWY_DYNAMIC_DISPATCH(add_rows)
  (mesh_.free().nodes(), offsets_.data(), lanes_.data(), rotations.lanes(), x.data(), factor,
   nullptr, out.data());
}

void WarpedStiffness::add_forces(const NodeRotations& rotations, const Positions& x,
                                 Positions& forces) const {
  HWY_DYNAMIC_DISPATCH(add_rows)
  (mesh_.free().nodes(), offsets_.data(), lanes_.data(), rotations.lanes(), x.data(), -1,
   rest_forces_.data(), forces.data());
}

void WarpedStiffness::add_to(double factor, const NodeRotations& rotations, BlockMatrix& A) const {
  const BlockPattern& pattern = A.pattern();
  for (int i = 0; i < mesh_.free_count(); ++i) {
    const Mat3 R = rotations[i];
    const int own = mesh_.free().nodes()[i];
    Mat3 diagonal = Mat3::Zero();
    for (int k = offsets_[i]; k < offsets_[i + 1]; ++k) {
      for (int lane = 0; lane < kNeighbourLanes; ++lane) {
        const int other = lanes_[k].node[lane];
        if (other == own) continue;
        const Mat3 turned = factor * R * block_of(lanes_[k], lane) * R.transpose();
        diagonal -= turned;
        const int column = mesh_.free().free_index(other);
        if (column >= 0) A.block(pattern.find(i, column)) += turned;
      }
    }
    A.block(pattern.diagonal[i]) += diagonal;
  }
}

}  // namespace limber
#endif
