#include "limber/interpolate/quality/motion_quality.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"

namespace limber {

namespace {

/// Edges shorter than this part of the surface say nothing: their ends are one point.
constexpr double kShortest = 1e-6;

std::vector<std::pair<int, int>> edges_of(const TriMesh& surface) {
  const double size = (surface.V.colwise().maxCoeff() - surface.V.colwise().minCoeff()).norm();
  std::vector<std::pair<int, int>> edges;
  for (Eigen::Index f = 0; f < surface.F.rows(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax({surface.F(f, k), surface.F(f, (k + 1) % 3)});
      if ((surface.V.row(a) - surface.V.row(b)).norm() > kShortest * size) edges.emplace_back(a, b);
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

Vector lengths_of(const std::vector<std::pair<int, int>>& edges, const Positions& positions) {
  Vector lengths(static_cast<Eigen::Index>(edges.size()));
  for (std::size_t k = 0; k < edges.size(); ++k) {
    lengths[k] = (positions.row(edges[k].first) - positions.row(edges[k].second)).norm();
  }
  return lengths;
}

double enclosed_volume(const Positions& positions, const Triangles& F) {
  double sum = 0;
  for (Eigen::Index f = 0; f < F.rows(); ++f) {
    const Vec3 a = positions.row(F(f, 0));
    const Vec3 b = positions.row(F(f, 1));
    const Vec3 c = positions.row(F(f, 2));
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

}  // namespace

MotionQuality::MotionQuality(const TriMesh& surface, std::vector<double> times,
                             std::vector<Positions> poses)
    : F_(surface.F),
      times_(std::move(times)),
      poses_(std::move(poses)),
      edges_(edges_of(surface)),
      rest_lengths_(lengths_of(edges_, surface.V)),
      rest_volume_(enclosed_volume(surface.V, surface.F)),
      closed_(surface_topology(surface).closed) {
  if (times_.size() != poses_.size() || times_.size() < 2) {
    throw Error(fmt::format("{} times for {} poses", times_.size(), poses_.size()), "quality",
                "give two poses or more and a time for each");
  }
  for (const Positions& pose : poses_) {
    if (pose.rows() != surface.V.rows()) {
      throw Error(
          fmt::format("{} vertices where the surface has {}", pose.rows(), surface.V.rows()),
          "quality", "give poses of the same surface");
    }
    lengths_.push_back(lengths_of(edges_, pose));
    volumes_.push_back(enclosed_volume(pose, F_));
  }
}

MotionQuality::Interval MotionQuality::interval(double t) const {
  const auto behind = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  Interval result;
  result.key = static_cast<int>(behind - times_.begin()) - 1;
  result.share = std::clamp(
      (t - times_[result.key]) / (times_[result.key + 1] - times_[result.key]), 0.0, 1.0);
  return result;
}

FrameQuality MotionQuality::measure(double t, const Positions& positions) const {
  const int key = interval(t).key;
  FrameQuality quality;
  if (!edges_.empty()) {
    const Vector lengths = lengths_of(edges_, positions);
    const Vector ratios = lengths.cwiseQuotient(rest_lengths_);
    quality.longest = ratios.maxCoeff();
    quality.shortest = ratios.minCoeff();
    // A length that falls to nothing strays by more than any other, and by a finite number.
    const Vector least = 1e-9 * rest_lengths_;
    const Vector low = lengths_[key].cwiseMin(lengths_[key + 1]).cwiseMax(least);
    const Vector high = lengths_[key].cwiseMax(lengths_[key + 1]).cwiseMax(least);
    quality.straying = std::max({1.0, lengths.cwiseQuotient(high).maxCoeff(),
                                 low.cwiseQuotient(lengths.cwiseMax(least)).maxCoeff()});
  }
  quality.volume = enclosed_volume(positions, F_);
  const auto [small, large] = std::minmax({volumes_[key], volumes_[key + 1]});
  if (small > 0) {
    quality.swelling = quality.volume / large;
    quality.shrinking = quality.volume / small;
  }
  return quality;
}

FrameQuality MotionQuality::measure_blend(double t) const {
  const Interval at = interval(t);
  const Positions blend = (1 - at.share) * poses_[at.key] + at.share * poses_[at.key + 1];
  return measure(t, blend);
}

std::vector<double> MotionQuality::volumes_of_poses() const {
  std::vector<double> ratios = volumes_;
  for (double& ratio : ratios) ratio /= rest_volume_;
  return ratios;
}

FrameQuality worse(const FrameQuality& a, const FrameQuality& b) {
  return {std::max(a.longest, b.longest),   std::min(a.shortest, b.shortest),
          std::max(a.straying, b.straying), std::min(a.volume, b.volume),
          std::max(a.swelling, b.swelling), std::min(a.shrinking, b.shrinking)};
}

}  // namespace limber
