#include "limber/interpolate/motion/pose_ranges.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/mesh/boundary.h"
#include "limber/mesh/coincident.h"
#include "limber/mesh/union_find.h"

namespace limber {

namespace {

constexpr int kRow = NodalFactor::kRowSize;
/// Sixteen rounds leave a tenth of what edges stray; forty-eight more another tenth of that.
constexpr int kRounds = 16;
/// Below this nothing is gained by another round.
constexpr double kStraying = 1e-6;
/// Steps go so much farther than the minimum: rounds of 1.9 do as much as two of 1.
constexpr double kRelaxation = 1.9;
/// a_i over the sum of the weights around a node: keeps a frame in its place, and edges free.
constexpr double kAnchor = 1e-3;
/// Edges shorter than this part of the longest count as if they had it.
constexpr double kShortest = 1e-3;
/// Newton's on a cubic from a few hundredths: 1e-2, 1e-4, 1e-8, rounding.
constexpr int kVolumeSteps = 4;
constexpr int kRoundsBetweenVolumes = 4;
/// No step towards a volume moves a node by more of the body's size: parts without thickness would
/// run away.
constexpr double kFarthest = 0.05;

Triangles triangles_of(const Elements& elements) {
  if (!elements.is_shell()) {
    TetMesh mesh;
    mesh.V = elements.rest;
    mesh.T = elements.corners;
    const std::vector<int> faces = boundary_faces(mesh);
    Triangles F(static_cast<Eigen::Index>(faces.size()), 3);
    for (std::size_t f = 0; f < faces.size(); ++f) {
      for (int k = 0; k < 3; ++k) F(f, k) = mesh.T(faces[f] / 4, kTetFaces[faces[f] % 4][k]);
    }
    return F;
  }
  return elements.corners.leftCols<3>();
}

}  // namespace

PoseRanges::PoseRanges(const TriMesh& surface, const std::vector<int>& held) {
  nodes_ = surface.vertex_count();
  find_edges(surface.F);
  const std::vector<int> first = first_coincident(surface.V);
  for (int v = 0; v < nodes_; ++v) {
    if (first[v] != v) edges_.emplace_back(first[v], v);
  }
  start(surface.V, surface.F, held);
}

PoseRanges::PoseRanges(const Elements& elements, const std::vector<int>& held) {
  nodes_ = elements.node_count();
  if (elements.is_shell()) {
    find_edges(elements.corners.leftCols<3>());
  } else {
    Triangles faces(4 * elements.element_count(), 3);
    for (int e = 0; e < elements.element_count(); ++e) {
      for (int f = 0; f < 4; ++f) {
        for (int k = 0; k < 3; ++k) faces(4 * e + f, k) = elements.corners(e, kTetFaces[f][k]);
      }
    }
    find_edges(faces);
  }
  start(elements.rest, triangles_of(elements), held);
}

void PoseRanges::find_edges(const Triangles& F) {
  for (Eigen::Index f = 0; f < F.rows(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax({F(f, k), F(f, (k + 1) % 3)});
      if (a != b) edges_.emplace_back(a, b);
    }
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
}

void PoseRanges::start(const Positions& rest, const Triangles& boundary,
                       const std::vector<int>& held) {
  if (nodes_ > 0) size_ = (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm();
  find_parts(rest, boundary);
  factor(rest, held);
  volumes_.resize(parts_);
  slopes_.resize(parts_);
  gradient_.resize(nodes_, 3);
}

/// Parts hang together by edges; closed is one in which every side of a triangle meets another in
/// the opposite direction, vertices at one place taken for one.
void PoseRanges::find_parts(const Positions& rest, const Triangles& boundary) {
  UnionFind parts(nodes_);
  for (const auto& [a, b] : edges_) parts.join(a, b);
  const std::vector<int> first = first_coincident(rest);
  struct Side {
    int low;
    int high;
    int direction;
  };
  std::vector<Side> sides;
  sides.reserve(3 * static_cast<std::size_t>(boundary.rows()));
  for (Eigen::Index f = 0; f < boundary.rows(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const int a = first[boundary(f, k)];
      const int b = first[boundary(f, (k + 1) % 3)];
      if (a != b) sides.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::pair(a.low, a.high) < std::pair(b.low, b.high);
  });
  std::vector<char> open(nodes_, 0);
  for (std::size_t k = 0; k < sides.size();) {
    const Side& side = sides[k];
    int balance = 0;
    for (; k < sides.size() && sides[k].low == side.low && sides[k].high == side.high; ++k) {
      balance += sides[k].direction;
    }
    if (balance != 0) open[parts.root(side.low)] = 1;
  }
  std::vector<int> number(nodes_, -1);
  part_at_.resize(nodes_);
  std::vector<int> kept;
  for (Eigen::Index f = 0; f < boundary.rows(); ++f) {
    const int root = parts.root(boundary(f, 0));
    if (open[root]) continue;
    if (number[root] < 0) number[root] = parts_++;
    part_of_.push_back(number[root]);
    kept.push_back(static_cast<int>(f));
  }
  closed_.resize(static_cast<Eigen::Index>(kept.size()), 3);
  for (std::size_t k = 0; k < kept.size(); ++k) closed_.row(k) = boundary.row(kept[k]);
  for (int node = 0; node < nodes_; ++node) part_at_[node] = number[parts.root(node)];
}

void PoseRanges::factor(const Positions& rest, const std::vector<int>& held) {
  weights_.resize(static_cast<Eigen::Index>(edges_.size()));
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    weights_[e] = (rest.row(edges_[e].first) - rest.row(edges_[e].second)).norm();
  }
  if (edges_.empty() || !(weights_.maxCoeff() > 0)) return;
  const double longest = weights_.maxCoeff();
  weights_ = weights_.cwiseMax(kShortest * longest).cwiseAbs2().cwiseInverse();
  Vector around = Vector::Zero(nodes_);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    around[edges_[e].first] += weights_[e];
    around[edges_[e].second] += weights_[e];
  }
  for (const int node : held) around[node] = 0;
  row_of_.assign(nodes_, -1);
  int rows = 0;
  for (int node = 0; node < nodes_; ++node) {
    if (around[node] > 0) row_of_[node] = rows++;
  }
  if (rows == 0) return;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(4 * edges_.size() + rows);
  for (int node = 0; node < nodes_; ++node) {
    if (row_of_[node] >= 0)
      entries.emplace_back(row_of_[node], row_of_[node], kAnchor * around[node]);
  }
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const int a = row_of_[edges_[e].first];
    const int b = row_of_[edges_[e].second];
    if (a >= 0) entries.emplace_back(a, a, weights_[e]);
    if (b >= 0) entries.emplace_back(b, b, weights_[e]);
    if (a < 0 || b < 0) continue;
    entries.emplace_back(a, b, -weights_[e]);
    entries.emplace_back(b, a, -weights_[e]);
  }
  SparseMatrix A(rows, rows);
  A.setFromTriplets(entries.begin(), entries.end());
  factor_.emplace(A);
  std::vector<int> place(rows);
  for (int k = 0; k < rows; ++k) place[factor_->order()[k]] = k;
  for (int& row : row_of_) {
    if (row >= 0) row = place[row];
  }
  rows_.assign(static_cast<std::size_t>(kRow) * rows, 0.0);
}

void PoseRanges::add_pose(double time, const Positions& pose) {
  Lengths lengths{time, Vector(edges_.size()), Vector(parts_)};
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    lengths.edges[e] = (pose.row(edges_[e].first) - pose.row(edges_[e].second)).norm();
  }
  measure_volumes(pose, lengths.volumes);
  const auto later = [](const Lengths& a, const Lengths& b) { return a.time < b.time; };
  poses_.insert(std::upper_bound(poses_.begin(), poses_.end(), lengths, later), std::move(lengths));
}

void PoseRanges::remove_pose(double time) {
  std::erase_if(poses_, [&](const Lengths& pose) { return pose.time == time; });
}

void PoseRanges::measure_volumes(const Positions& positions, Vector& volumes) const {
  volumes.setZero();
  for (Eigen::Index f = 0; f < closed_.rows(); ++f) {
    // From a corner of the part, so that places far from the origin cost no digits.
    const Vec3 a = positions.row(closed_(f, 0)) - positions.row(closed_(0, 0));
    const Vec3 b = positions.row(closed_(f, 1)) - positions.row(closed_(0, 0));
    const Vec3 c = positions.row(closed_(f, 2)) - positions.row(closed_(0, 0));
    volumes[part_of_[f]] += a.dot(b.cross(c)) / 6;
  }
}

void PoseRanges::add_to_rows(int node, const Vec3& value) {
  if (row_of_[node] < 0) return;
  Eigen::Map<Vec3>(rows_.data() + static_cast<std::size_t>(kRow) * row_of_[node]) += value;
}

Vec3 PoseRanges::change(int node) const {
  if (row_of_[node] < 0) return Vec3::Zero();
  return Eigen::Map<const Vec3>(rows_.data() + static_cast<std::size_t>(kRow) * row_of_[node]);
}

double PoseRanges::step(const Lengths& before, const Lengths& behind, Positions& positions) {
  std::fill(rows_.begin(), rows_.end(), 0.0);
  double straying = 0;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const auto [i, j] = edges_[e];
    const Vec3 along = positions.row(i) - positions.row(j);
    const double length = along.norm();
    const auto [low, high] = std::minmax(before.edges[e], behind.edges[e]);
    const double wanted = std::clamp(length, low, high);
    if (wanted == length || length == 0) continue;
    straying = std::max(straying, std::abs(wanted - length) / std::max(wanted, 1e-9 * size_));
    const Vec3 pull = weights_[e] * (wanted / length - 1) * along;
    add_to_rows(i, pull);
    add_to_rows(j, -pull);
  }
  if (straying < kStraying) return straying;
  factor_->solve_in_place(rows_.data());
  for (int node = 0; node < nodes_; ++node) {
    positions.row(node) += kRelaxation * change(node).transpose();
  }
  return straying;
}

/// One Newton step for all parts at once: A joins no two of them.
void PoseRanges::keep_volumes(const Lengths& before, const Lengths& behind, Positions& positions) {
  measure_volumes(positions, volumes_);
  bool kept = true;
  for (int part = 0; part < parts_; ++part) {
    const auto [low, high] = std::minmax(before.volumes[part], behind.volumes[part]);
    volumes_[part] = std::clamp(volumes_[part], low, high) - volumes_[part];
    const double large = std::max(std::abs(low), std::abs(high));
    kept = kept && std::abs(volumes_[part]) <= 1e-12 * large;
  }
  if (kept) return;
  gradient_.setZero();
  for (Eigen::Index f = 0; f < closed_.rows(); ++f) {
    const Vec3 a = positions.row(closed_(f, 0));
    const Vec3 b = positions.row(closed_(f, 1));
    const Vec3 c = positions.row(closed_(f, 2));
    const Vec3 normal = (b - a).cross(c - a) / 6;  // of three corners; sums to ∇V when closed
    for (int k = 0; k < 3; ++k) gradient_.row(closed_(f, k)) += normal.transpose();
  }
  std::fill(rows_.begin(), rows_.end(), 0.0);
  for (int node = 0; node < nodes_; ++node) add_to_rows(node, gradient_.row(node).transpose());
  factor_->solve_in_place(rows_.data());
  slopes_.setZero();
  for (int node = 0; node < nodes_; ++node) {
    if (part_at_[node] >= 0) slopes_[part_at_[node]] += gradient_.row(node).dot(change(node));
  }
  Vector& steps = slopes_;
  for (int part = 0; part < parts_; ++part) {
    steps[part] = slopes_[part] > 0 ? volumes_[part] / slopes_[part] : 0;
  }
  double farthest = 0;
  for (int node = 0; node < nodes_; ++node) {
    if (part_at_[node] < 0) continue;
    farthest = std::max(farthest, std::abs(steps[part_at_[node]]) * change(node).norm());
  }
  const double share = farthest > kFarthest * size_ ? kFarthest * size_ / farthest : 1;
  for (int node = 0; node < nodes_; ++node) {
    if (part_at_[node] < 0) continue;
    positions.row(node) += share * steps[part_at_[node]] * change(node).transpose();
  }
}

void PoseRanges::apply(double t, Positions& positions) {
  if (!factor_) return;
  const auto at_or_before = [&](double time, const Lengths& pose) { return time < pose.time; };
  const auto behind = std::upper_bound(poses_.begin() + 1, poses_.end() - 1, t, at_or_before);
  const Lengths& last = *(behind - 1);
  for (int round = 0; round < kRounds; ++round) {
    if (step(last, *behind, positions) < kStraying) break;
    if (round % kRoundsBetweenVolumes == 0) keep_volumes(last, *behind, positions);
  }
  for (int k = 0; k < kVolumeSteps; ++k) keep_volumes(last, *behind, positions);
}

}  // namespace limber
