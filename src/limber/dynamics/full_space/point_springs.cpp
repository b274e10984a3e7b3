#include "limber/dynamics/full_space/point_springs.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

void PointSpring::archive(StateArchive& state) {
  state.value(point);
  state.value(owner);
  state.value(stiffness);
  state.value(damping);
  for (Vec3* part : {&target, &target_rate, &force}) state.raw(part->data(), sizeof(double) * 3);
}

void PointSprings::add(const PointSpring& spring) {
  if (!(spring.stiffness >= 0) || !(spring.damping >= 0) || !std::isfinite(spring.damping)) {
    throw Error("stiffness and damping must not be negative", "handle", "give N/m and N s/m");
  }
  const double hardest = kHard * own_stiffness(spring.point);
  springs_.push_back(spring);
  springs_.back().stiffness = std::min(spring.stiffness, hardest);
  springs_.back().damping = std::min(spring.damping, hardest);
}

void PointSprings::remove_owned_by(int owner) {
  std::erase_if(springs_, [&](const PointSpring& spring) { return spring.owner == owner; });
}

double PointSprings::own_stiffness(int node) const {
  double sum = 0;
  for (const int corner : mesh_.graph().corners(node)) {
    const int tet = corner / 4;
    sum += mesh_.materials().of(mesh_.mesh().region(tet)).young *
           std::cbrt(mesh_.geometry().volumes[tet]);
  }
  return sum;
}

double PointSprings::own_stiffness(const BodyPoint& point) const {
  double sum = 0, weight = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] == 0) continue;
    sum += std::abs(point.weights[k]) * own_stiffness(point.nodes[k]);
    weight += std::abs(point.weights[k]);
  }
  return sum / weight;
}

bool PointSpring::ties_to_a_place() const {
  constexpr double kPoint = 0.5;  // weights sum to one, or to zero
  const auto& w = point.weights;
  return stiffness > 0 && w[0] + w[1] + w[2] + w[3] > kPoint;
}

bool PointSprings::holds() const {
  return std::any_of(springs_.begin(), springs_.end(),
                     [](const PointSpring& spring) { return spring.ties_to_a_place(); });
}

bool PointSprings::holds_hard(double h) const {
  constexpr double kHardBeside = 1e3;  // the body itself
  return std::any_of(springs_.begin(), springs_.end(), [&](const PointSpring& spring) {
    const double all = spring.stiffness + spring.damping / h;
    return all > kHardBeside * own_stiffness(spring.point);
  });
}

Vec3 PointSprings::force(const PointSpring& spring, const NodeMotion& motion) {
  Vec3 force = spring.stiffness * (spring.target - spring.point.sum(motion.end));
  if (motion.h > 0) {
    force += spring.damping * (spring.target_rate - spring.point.sum(motion.velocities));
  }
  return force;
}

double PointSprings::softened_force(const NodeMotion& motion) const {
  double sum = 0;
  for (const PointSpring& spring : springs_) {
    const double own = own_stiffness(spring.point);
    const double stiffness = std::min(spring.stiffness, own);
    sum += stiffness * stiffness * (spring.point.sum(motion.end) - spring.target).squaredNorm();
    if (spring.stiffness > 0) continue;
    const double damping = std::min(spring.damping, own * motion.h);
    const Vec3 missing = spring.point.sum(motion.velocities) - spring.target_rate;
    sum += damping * damping * missing.squaredNorm();
  }
  return std::sqrt(sum);
}

double PointSprings::norm_beyond_rounding(const Positions& positions, const Vector& r) const {
  constexpr double kRounding = 4e-16;  // of a position, a few operations
  double squared = r.squaredNorm();
  for (const PointSpring& spring : springs_) {
    for (std::size_t k = 0; k < 4; ++k) {
      const int node = spring.point.nodes[k];
      const int row = mesh_.free().free_index(node);
      if (spring.point.weights[k] == 0 || row < 0) continue;
      const double farthest =
          std::max(positions.row(node).cwiseAbs().maxCoeff(), spring.target.cwiseAbs().maxCoeff());
      const double lost =
          std::abs(spring.point.weights[k]) * kRounding * spring.stiffness * farthest;
      const double length = r.segment<3>(3 * row).norm();
      const double beyond = std::max(0.0, length - lost);
      squared += beyond * beyond - length * length;
    }
  }
  return std::sqrt(std::max(0.0, squared));
}

void PointSprings::keep_forces(const NodeMotion& motion) {
  for (PointSpring& spring : springs_) spring.force = force(spring, motion);
}

void PointSprings::add_forces(const NodeMotion& motion, Positions& forces) const {
  for (const PointSpring& spring : springs_) {
    const Vec3 pull = force(spring, motion);
    for (std::size_t k = 0; k < 4; ++k) {
      if (spring.point.weights[k] == 0) continue;
      forces.row(spring.point.nodes[k]) += spring.point.weights[k] * pull.transpose();
    }
  }
}

void PointSprings::add_blocks(double elastic, double damping,
                              std::vector<AttachedBlock>& blocks) const {
  for (const PointSpring& spring : springs_) {
    AttachedBlock block;
    for (std::size_t k = 0; k < 4; ++k) {
      const int row = mesh_.free().free_index(spring.point.nodes[k]);
      if (spring.point.weights[k] == 0 || row < 0) continue;
      block.rows[block.count] = row;
      block.weights[block.count++] = spring.point.weights[k];
    }
    block.matrix = (elastic * spring.stiffness + damping * spring.damping) * Mat3::Identity();
    if (block.count > 0) blocks.push_back(block);
  }
}

double PointSprings::energy(const NodeMotion& motion) const {
  double sum = 0;
  for (const PointSpring& spring : springs_) {
    sum += spring.stiffness / 2 * (spring.point.sum(motion.end) - spring.target).squaredNorm();
    if (spring.damping == 0 || motion.h == 0) continue;
    const Vec3 missing = spring.point.sum(motion.velocities) - spring.target_rate;
    sum += motion.h * spring.damping / 2 * missing.squaredNorm();
  }
  return sum;
}

}  // namespace limber
