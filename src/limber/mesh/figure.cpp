#include "limber/mesh/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "limber/core/error.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/tet_geometry.h"

namespace limber {

namespace {

/// A limb of unit height's figure: all points within `radius` of the line from a to b.
struct Capsule {
  Vec3 a;
  Vec3 b;
  double radius;

  [[nodiscard]] bool holds(const Vec3& x) const {
    const Vec3 along = b - a;
    const double length = along.squaredNorm();
    const double t = length > 0 ? std::clamp((x - a).dot(along) / length, 0.0, 1.0) : 0.0;
    return (x - a - t * along).norm() <= radius;
  }
};

const std::array<Capsule, 9>& limbs() {
  static const std::array<Capsule, 9> all{{
      {{0, 0.46, 0}, {0, 0.60, 0}, 0.15},           // belly
      {{-0.06, 0.66, 0}, {0.06, 0.66, 0}, 0.12},    // chest
      {{0, 0.72, 0}, {0, 0.84, 0}, 0.06},           // neck
      {{0, 0.875, 0}, {0, 0.885, 0}, 0.115},        // head
      {{-0.12, 0.68, 0}, {-0.42, 0.60, 0}, 0.065},  // arms
      {{0.12, 0.68, 0}, {0.42, 0.60, 0}, 0.065},
      {{-0.08, 0.42, 0}, {-0.12, 0.075, 0}, 0.075},  // legs
      {{0.08, 0.42, 0}, {0.12, 0.075, 0}, 0.075},
      {{-0.08, 0.40, 0}, {0.08, 0.40, 0}, 0.09},  // hips
  }};
  return all;
}

constexpr Vec3::Scalar kWidth = 1.0;
constexpr Vec3::Scalar kDepth = 0.36;

/// Keeps the tets of cubes in the figure and the nodes they use.
TetMesh carve(const TetMesh& block, int cells_a_cube) {
  std::vector<int> kept;
  for (int cube = 0; cube < block.tet_count() / cells_a_cube; ++cube) {
    Vec3 centre = Vec3::Zero();
    for (int k = 0; k < cells_a_cube; ++k) {
      for (int c = 0; c < 4; ++c) {
        centre += block.V.row(block.T(cube * cells_a_cube + k, c)).transpose();
      }
    }
    centre /= 4.0 * cells_a_cube;
    const bool inside = std::any_of(limbs().begin(), limbs().end(),
                                    [&](const Capsule& limb) { return limb.holds(centre); });
    for (int k = 0; inside && k < cells_a_cube; ++k) kept.push_back(cube * cells_a_cube + k);
  }
  TetMesh mesh;
  mesh.T.resize(static_cast<Eigen::Index>(kept.size()), 4);
  std::vector<int> number(block.node_count(), -1);
  std::vector<int> nodes;
  for (std::size_t t = 0; t < kept.size(); ++t) {
    for (int c = 0; c < 4; ++c) {
      int& node = number[block.T(kept[t], c)];
      if (node < 0) {
        node = static_cast<int>(nodes.size());
        nodes.push_back(block.T(kept[t], c));
      }
      mesh.T(static_cast<Eigen::Index>(t), c) = node;
    }
  }
  mesh.V = block.V(nodes, Eigen::all);
  return mesh;
}

/// Moves boundary nodes towards the middle of their neighbours on the boundary, as far as no tet
/// loses more than four fifths of its volume.
void smooth_boundary(TetMesh& mesh, int rounds) {
  const Boundary boundary = boundary_surface(mesh);
  std::vector<double> least(mesh.tet_count());
  const auto volume_of = [&](int tet) {
    return six_volumes(mesh.V.row(mesh.T(tet, 0)), mesh.V.row(mesh.T(tet, 1)),
                       mesh.V.row(mesh.T(tet, 2)), mesh.V.row(mesh.T(tet, 3)));
  };
  std::vector<std::vector<int>> tets_of(mesh.node_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    least[tet] = 0.2 * volume_of(tet);
    for (int c = 0; c < 4; ++c) tets_of[mesh.T(tet, c)].push_back(tet);
  }
  for (int round = 0; round < rounds; ++round) {
    Positions sums = Positions::Zero(mesh.node_count(), 3);
    Vector counts = Vector::Zero(mesh.node_count());
    for (Eigen::Index f = 0; f < boundary.surface.F.rows(); ++f) {
      for (int k = 0; k < 3; ++k) {
        const int node = boundary.nodes[boundary.surface.F(f, k)];
        const int next = boundary.nodes[boundary.surface.F(f, (k + 1) % 3)];
        sums.row(node) += mesh.V.row(next);
        counts[node] += 1;
      }
    }
    for (const int node : boundary.nodes) {
      const Eigen::RowVector3d before = mesh.V.row(node);
      mesh.V.row(node) = 0.5 * (before + sums.row(node) / counts[node]);
      const bool sound = std::all_of(tets_of[node].begin(), tets_of[node].end(),
                                     [&](int tet) { return volume_of(tet) >= least[tet]; });
      if (!sound) mesh.V.row(node) = before;
    }
  }
}

}  // namespace

TetMesh figure(double height, int cells) {
  constexpr int kLeastCells = 12;
  constexpr int kTetsACube = 6;
  if (cells < kLeastCells) {
    throw Error("a figure of " + std::to_string(cells) + " cells falls apart", "sample shape",
                "give at least 12");
  }
  const CellCounts counts{static_cast<int>(std::ceil(kWidth * cells)), cells,
                          static_cast<int>(std::ceil(kDepth * cells))};
  const double cell = 1.0 / cells;
  TetMesh block = bar({counts[0] * cell, 1, counts[2] * cell}, counts);
  block.V.col(0).array() -= counts[0] * cell / 2;
  block.V.col(2).array() -= counts[2] * cell / 2;
  TetMesh mesh = carve(block, kTetsACube);
  smooth_boundary(mesh, 4);
  mesh.V *= height;
  return mesh;
}

}  // namespace limber
