// The edge frames are compiled once for each instruction set and chosen at run time.
#include "limber/dynamics/full_space/rotation_field.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "limber/core/rotation.h"
#include "limber/fem/corotational.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/dynamics/full_space/rotation_field.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "limber/fem/tet_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

HWY_INLINE LaneVector normalised(const LaneVector& a) {
  const V inverse = hn::Div(constant(1), hn::Sqrt(dot(a, a)));
  return {mul(a.v[0], inverse), mul(a.v[1], inverse), mul(a.v[2], inverse)};
}

HWY_INLINE LaneVector cross(const LaneVector& a, const LaneVector& b) {
  return {minor(a.v[1], a.v[2], b.v[1], b.v[2]), minor(a.v[2], a.v[0], b.v[2], b.v[0]),
          minor(a.v[0], a.v[1], b.v[0], b.v[1])};
}

/// Rows n₁ n₂ n₃; Müller et al. 2002, Figure 5. Degenerate edges give NaN.
/// Deviates: n₂ is normalised, or the matrix is no rotation.
HWY_INLINE LaneMatrix edge_frame(const FrameLanes& lanes, int lane, const double* positions) {
  const LaneVector own = gather_corner(lanes.nodes, 0, lane, positions);
  LaneVector sum = {hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
  LaneVector first;
  for (int k = 1; k < 4; ++k) {
    LaneVector edge = gather_corner(lanes.nodes, k, lane, positions);
    for (int c = 0; c < 3; ++c) edge.v[c] = hn::Sub(edge.v[c], own.v[c]);
    if (k == 1) first = edge;
    edge = normalised(edge);
    for (int c = 0; c < 3; ++c) sum.v[c] = add(sum.v[c], edge.v[c]);
  }
  const LaneVector n1 = normalised(sum);
  const LaneVector n2 = normalised(cross(n1, first));
  const LaneVector n3 = cross(n1, n2);
  return {n1.v[0], n1.v[1], n1.v[2], n2.v[0], n2.v[1], n2.v[2], n3.v[0], n3.v[1], n3.v[2]};
}

void frames_at_rest(const double* positions, std::vector<FrameLanes>& frames) {
  for (FrameLanes& lanes : frames) {
    for (int lane = 0; lane < kTetLanes; lane += static_cast<int>(hn::Lanes(D()))) {
      store_matrix(edge_frame(lanes, lane, positions), lanes.rest, lane);
    }
  }
}

// Müller et al. 2002, eq. 16. Where the edges have collapsed the last rotation stays.
void rotations_of_frames(const std::vector<FrameLanes>& frames, const double* positions,
                         TetMatrices& rotations) {
  for (std::size_t b = 0; b < frames.size(); ++b) {
    for (int lane = 0; lane < kTetLanes; lane += static_cast<int>(hn::Lanes(D()))) {
      const LaneMatrix R = transposed_product(edge_frame(frames[b], lane, positions),
                                              load_matrix(frames[b].rest, lane));
      const LaneMatrix last = load_matrix(rotations[b], lane);
      // The trace of a rotation lies between −1 and 3.
      const auto sound = hn::Lt(hn::Abs(hn::Sub(trace(R), constant(1))), constant(2.5));
      LaneMatrix kept;
      for (int k = 0; k < 9; ++k) kept.v[k] = hn::IfThenElse(sound, R.v[k], last.v[k]);
      store_matrix(kept, rotations[b], lane);
    }
  }
}

/// Σ_j (x_j − x_i) u_jᵀ for every free node i; Müller et al. 2002, eq. 14. A row of it lies in four
/// lanes, the last of them empty.
void sums_of_edges(const RestEdges& rest, const double* positions, TetMatrices& sums) {
  const hn::CappedTag<double, 4> four;
  for (std::size_t i = 0; i + 1 < rest.offsets.size(); ++i) {
    BatchMatrices& batch = sums[i / kTetLanes];
    for (std::size_t l = 0; l < 4; l += hn::Lanes(four)) {
      hn::Vec<decltype(four)> row[3] = {hn::Zero(four), hn::Zero(four), hn::Zero(four)};
      for (int k = rest.offsets[i]; k < rest.offsets[i + 1]; ++k) {
        const double* const x = positions + 3 * static_cast<std::size_t>(rest.nodes[k]);
        const auto u = hn::LoadU(four, rest.edges[k].data() + l);
        for (int r = 0; r < 3; ++r) row[r] = hn::MulAdd(hn::Set(four, x[r]), u, row[r]);
      }
      for (int r = 0; r < 3; ++r) {
        alignas(64) double entries[4];
        hn::Store(row[r], four, entries);
        for (std::size_t c = l; c < std::min<std::size_t>(3, l + hn::Lanes(four)); ++c) {
          batch.entry[3 * r + c][i % kTetLanes] = entries[c - l];
        }
      }
    }
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(frames_at_rest);
HWY_EXPORT(rotations_of_frames);
HWY_EXPORT(sums_of_edges);

NodeRotations::NodeRotations(const SimulatedMesh& mesh)
    : mesh_(mesh), rotations_((mesh.free_count() + kTetLanes - 1) / kTetLanes) {
  for (BatchMatrices& batch : rotations_) {
    for (int k = 0; k < 9; ++k) batch.entry[k].fill(k % 4 == 0 ? 1.0 : 0.0);
  }
}

void NodeRotations::average(const TetMatrices& tet_rotations) {
  constexpr std::size_t kEnough = 8;  // of about 24 tets; more do not save an iteration
  for (int i = 0; i < mesh_.free_count(); ++i) {
    double sum[9] = {};
    const std::span<const int> corners = mesh_.graph().corners(mesh_.free().nodes()[i]);
    const std::size_t step = (corners.size() + kEnough - 1) / kEnough;
    for (std::size_t c = 0; c < corners.size(); c += step) {
      const int tet = corners[c] / 4;
      const BatchMatrices& batch = tet_rotations[tet / kTetLanes];
      for (int k = 0; k < 9; ++k) sum[k] += batch.entry[k][tet % kTetLanes];
    }
    BatchMatrices& own = rotations_[i / kTetLanes];
    for (int k = 0; k < 9; ++k) own.entry[k][i % kTetLanes] = sum[k];
  }
  orthonormalise();
}

void NodeRotations::set(int free_node, const Mat3& rotation) {
  BatchMatrices& batch = rotations_[free_node / kTetLanes];
  for (int k = 0; k < 9; ++k) batch.entry[k][free_node % kTetLanes] = rotation(k / 3, k % 3);
}

void NodeRotations::set_all(const Mat3& rotation) {
  for (BatchMatrices& batch : rotations_) {
    for (int k = 0; k < 9; ++k) batch.entry[k].fill(rotation(k / 3, k % 3));
  }
}

void NodeRotations::orthonormalise() { nearest_rotations(rotations_); }

namespace {

/// How far three edges are from giving no frame: 1 would be best, 0 is useless.
double frame_quality(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 sum = (a.normalized() + b.normalized() + c.normalized()) / 3;
  const double length = sum.norm();
  return length > 0 ? length * (sum / length).cross(a.normalized()).norm() : 0;
}

/// Pa; of the stiffest tet that has these two nodes.
double young_at_edge(const SimulatedMesh& mesh, int node, int other) {
  double stiffest = 0;
  for (const int corner : mesh.graph().corners(node)) {
    const int tet = corner / 4;
    if ((mesh.mesh().T.row(tet).array() != other).all()) continue;
    stiffest = std::max(stiffest, mesh.materials().of(mesh.mesh().region(tet)).young);
  }
  return stiffest;
}

}  // namespace

Mat3 shape_matching_rotation(const Vector& mass, const Positions& X, const Positions& x) {
  const Vec3 rest_centre = X.transpose() * mass / mass.sum();
  const Vec3 centre = x.transpose() * mass / mass.sum();
  Mat3 moment = Mat3::Zero();
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    moment += mass[i] * (x.row(i).transpose() - centre) *
              (X.row(i).transpose() - rest_centre).transpose();
  }
  return polar_rotation(moment);
}

EdgeRotations::EdgeRotations(const SimulatedMesh& mesh, RotationField kind)
    : mesh_(mesh), kind_(kind) {
  if (kind_ == RotationField::edge_frames) {
    choose_frames();
  } else if (kind_ == RotationField::edges_polar) {
    collect_edges();
  }
}

void EdgeRotations::collect_edges() {
  const Positions& X = mesh_.mesh().V;
  const auto add = [&](int node, const Vec3& u) {
    rest_.nodes.push_back(node);
    rest_.edges.push_back({u.x(), u.y(), u.z(), 0});
  };
  for (const int node : mesh_.free().nodes()) {
    rest_.offsets.push_back(static_cast<int>(rest_.nodes.size()));
    const double stiffest = young_at_edge(mesh_, node, node);
    Vec3 sum = Vec3::Zero();
    for (const int other : mesh_.graph().neighbours(node)) {
      if (other == node) continue;
      const double weight = young_at_edge(mesh_, node, other) / stiffest;
      const Vec3 u = weight * (X.row(other) - X.row(node)).transpose();
      add(other, u);
      sum += u;
    }
    add(node, -sum);
  }
  rest_.offsets.push_back(static_cast<int>(rest_.nodes.size()));
}

void EdgeRotations::choose_frames() {
  const std::vector<int>& nodes = mesh_.free().nodes();
  frames_.resize((nodes.size() + kTetLanes - 1) / kTetLanes);
  for (std::size_t i = 0; i < kTetLanes * frames_.size(); ++i) {
    const std::array<int, 4> star = best_star(nodes[std::min(i, nodes.size() - 1)]);
    for (int k = 0; k < 4; ++k) frames_[i / kTetLanes].nodes[k][i % kTetLanes] = star[k];
  }
  HWY_DYNAMIC_DISPATCH(frames_at_rest)(mesh_.mesh().V.data(), frames_);
}

/// The node and three neighbours whose edges make the best frame.
std::array<int, 4> EdgeRotations::best_star(int node) const {
  const auto neighbours = mesh_.graph().neighbours(node);
  const Positions& V = mesh_.mesh().V;
  const auto edge = [&](int other) { return Vec3((V.row(other) - V.row(node)).transpose()); };
  std::array<int, 4> best{};
  double best_quality = -1;
  // The first edge of a frame also gives n₂, so every order of three counts.
  for (const int a : neighbours) {
    for (std::size_t p = 0; p < neighbours.size(); ++p) {
      for (std::size_t q = p + 1; q < neighbours.size(); ++q) {
        const int b = neighbours[p];
        const int c = neighbours[q];
        if (a == b || a == c || a == node || b == node || c == node) continue;
        const double quality = frame_quality(edge(a), edge(b), edge(c));
        if (quality <= best_quality) continue;
        best_quality = quality;
        best = {node, a, b, c};
      }
    }
  }
  return best;
}

void EdgeRotations::find(const Positions& positions, NodeRotations& rotations) const {
  if (kind_ == RotationField::edge_frames) {
    HWY_DYNAMIC_DISPATCH(rotations_of_frames)(frames_, positions.data(), rotations.lanes());
  } else if (kind_ == RotationField::whole_body) {
    rotations.set_all(shape_matching_rotation(mesh_.node_mass(), mesh_.mesh().V, positions));
  } else {
    find_by_polar(positions, rotations);
  }
}

// Müller et al. 2002, eqs. 14 and 15, u the edges at rest and v as they are: the rotation nearest
// to Σ w v uᵀ. Deviates: the nearest proper rotation; V Uᵀ as printed may be a reflection. Where
// materials differ, w makes nodes between them turn with the stiffer one.
void EdgeRotations::find_by_polar(const Positions& positions, NodeRotations& rotations) const {
  HWY_DYNAMIC_DISPATCH(sums_of_edges)(rest_, positions.data(), rotations.lanes());
  rotations.orthonormalise();
}

}  // namespace limber
#endif
