#include "limber/dynamics/full_space/rotation_field.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "limber/fem/corotational.h"

namespace limber {

NodeRotations::NodeRotations(const SimulatedMesh& mesh)
    : mesh_(mesh), rotations_((mesh.free_count() + kTetLanes - 1) / kTetLanes) {
  for (BatchMatrices& batch : rotations_) {
    for (int k = 0; k < 9; ++k) batch.entry[k].fill(k % 4 == 0 ? 1.0 : 0.0);
  }
}

void NodeRotations::average(const TetMatrices& tet_rotations) {
  for (int i = 0; i < mesh_.free_count(); ++i) {
    double sum[9] = {};
    for (const int corner : mesh_.graph().corners(mesh_.free().nodes()[i])) {
      const int tet = corner / 4;
      const BatchMatrices& batch = tet_rotations[tet / kTetLanes];
      for (int k = 0; k < 9; ++k) sum[k] += batch.entry[k][tet % kTetLanes];
    }
    BatchMatrices& own = rotations_[i / kTetLanes];
    for (int k = 0; k < 9; ++k) own.entry[k][i % kTetLanes] = sum[k];
  }
  orthonormalise();
}

void NodeRotations::set(int free_node, const Mat3& matrix) {
  BatchMatrices& own = rotations_[free_node / kTetLanes];
  for (int k = 0; k < 9; ++k) own.entry[k][free_node % kTetLanes] = matrix(k / 3, k % 3);
}

void NodeRotations::orthonormalise() { nearest_rotations(rotations_); }

namespace {

/// Columns n₁ n₂ n₃; Müller et al. 2002, Figure 5. Degenerate edges give zeros or NaN.
/// Deviates: n₂ is normalised, or the matrix is no rotation.
Mat3 edge_frame(const Vec3& a, const Vec3& b, const Vec3& c) {
  Mat3 frame;
  frame.col(0) = (a.normalized() + b.normalized() + c.normalized()).normalized();
  frame.col(1) = frame.col(0).cross(a).normalized();
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return frame;
}

/// How far three edges are from giving no frame: 1 would be best, 0 is useless.
double frame_quality(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 sum = (a.normalized() + b.normalized() + c.normalized()) / 3;
  const double length = sum.norm();
  return length > 0 ? length * (sum / length).cross(a.normalized()).norm() : 0;
}

}  // namespace

EdgeRotations::EdgeRotations(const SimulatedMesh& mesh, RotationField kind)
    : mesh_(mesh), kind_(kind) {
  if (kind_ != RotationField::edge_frames) return;
  for (const int node : mesh_.free().nodes()) triples_.push_back(best_triple(node));
}

EdgeRotations::Triple EdgeRotations::best_triple(int node) const {
  std::vector<int> neighbours;
  for (const int other : mesh_.graph().neighbours(node)) {
    if (other != node) neighbours.push_back(other);
  }
  const Positions& V = mesh_.mesh().V;
  const auto edge = [&](int other) { return Vec3((V.row(other) - V.row(node)).transpose()); };
  Triple best{};
  double best_quality = -1;
  // The first edge of a triple also gives n₂, so every order of three counts.
  for (const int a : neighbours) {
    for (std::size_t p = 0; p < neighbours.size(); ++p) {
      for (std::size_t q = p + 1; q < neighbours.size(); ++q) {
        const int b = neighbours[p];
        const int c = neighbours[q];
        if (a == b || a == c) continue;
        const double quality = frame_quality(edge(a), edge(b), edge(c));
        if (quality <= best_quality) continue;
        best_quality = quality;
        best.nodes = {a, b, c};
      }
    }
  }
  best.rest_transposed =
      edge_frame(edge(best.nodes[0]), edge(best.nodes[1]), edge(best.nodes[2])).transpose();
  return best;
}

void EdgeRotations::find(const Positions& positions, NodeRotations& rotations) const {
  if (kind_ == RotationField::edge_frames) {
    find_by_frames(positions, rotations);
  } else {
    find_by_polar(positions, rotations);
  }
}

// Müller et al. 2002, eqs. 14 and 15, u the edges at rest and v as they are: the rotation nearest
// to Σ v uᵀ. Deviates: the nearest proper rotation; V Uᵀ as printed may be a reflection.
void EdgeRotations::find_by_polar(const Positions& positions, NodeRotations& rotations) const {
  const double* const x = positions.data();
  const double* const X = mesh_.mesh().V.data();
  for (int i = 0; i < mesh_.free_count(); ++i) {
    const int node = mesh_.free().nodes()[i];
    Mat3 sum = Mat3::Zero();
    const Eigen::Map<const Vec3> x_own(x + 3 * node);
    const Eigen::Map<const Vec3> X_own(X + 3 * node);
    for (const int other : mesh_.graph().neighbours(node)) {
      const Vec3 v = Eigen::Map<const Vec3>(x + 3 * other) - x_own;
      const Vec3 u = Eigen::Map<const Vec3>(X + 3 * other) - X_own;
      sum.noalias() += v * u.transpose();
    }
    rotations.set(i, sum);
  }
  rotations.orthonormalise();
}

// Müller et al. 2002, eq. 16. Where the edges have collapsed the last rotation stays.
void EdgeRotations::find_by_frames(const Positions& positions, NodeRotations& rotations) const {
  for (int i = 0; i < mesh_.free_count(); ++i) {
    const int node = mesh_.free().nodes()[i];
    const Triple& triple = triples_[i];
    const auto edge = [&](int k) {
      return Vec3((positions.row(triple.nodes[k]) - positions.row(node)).transpose());
    };
    const Mat3 R = edge_frame(edge(0), edge(1), edge(2)) * triple.rest_transposed;
    constexpr double kStillARotation = 0.5;  // det R is 1 or, for collapsed edges, 0 or NaN
    if (R.determinant() > kStillARotation) rotations.set(i, R);
  }
}

}  // namespace limber
