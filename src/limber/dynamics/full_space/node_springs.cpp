#include "limber/dynamics/full_space/node_springs.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "limber/core/error.h"

namespace limber {

int NodeSprings::add(const NodeSpring& spring) {
  const std::string where = "handle on node " + std::to_string(spring.node);
  if (spring.node < 0 || spring.node >= mesh_.node_count()) {
    throw Error("there is no such node", where,
                "name nodes from 0 to " + std::to_string(mesh_.node_count() - 1));
  }
  if (mesh_.free().free_index(spring.node) < 0) {
    throw Error("the node is held and cannot be pulled", where, "grab a node that is free");
  }
  if (!(spring.stiffness >= 0) || !(spring.damping >= 0) || !std::isfinite(spring.damping) ||
      !spring.target.allFinite()) {
    throw Error("stiffness and damping must not be negative, the target finite", where,
                "give N/m, N s/m and a point in metres");
  }
  const auto unused =
      std::find_if(entries_.begin(), entries_.end(), [](const Entry& e) { return !e.used; });
  const int number = static_cast<int>(unused - entries_.begin());
  if (unused == entries_.end()) entries_.emplace_back();
  const Vec3 start = spring.path ? spring.path->at(0).value : spring.target;
  Entry& entry = entries_[number];
  entry = {spring, start, own_stiffness(spring.node), true};
  entry.spring.target = start;
  // A held node misses its target by a millionth of what it would give way; more drowns the body's
  // own forces in rounding.
  constexpr double kHard = 1e6;
  entry.spring.stiffness = std::min(spring.stiffness, kHard * entry.own_stiffness);
  entry.spring.damping = std::min(spring.damping, kHard * entry.own_stiffness);
  return number;
}

double NodeSprings::own_stiffness(int node) const {
  double sum = 0;
  for (const int corner : mesh_.graph().corners(node)) {
    const int tet = corner / 4;
    sum += mesh_.materials().of(mesh_.mesh().region(tet)).young *
           std::cbrt(mesh_.geometry().volumes[tet]);
  }
  return sum;
}

double NodeSprings::softened_force(const Positions& positions) const {
  double sum = 0;
  for (const Entry& e : entries_) {
    if (!e.used) continue;
    const Vec3 x = positions.row(e.spring.node).transpose();
    const double stiffness = std::min(e.spring.stiffness, e.own_stiffness);
    sum += stiffness * stiffness * (x - e.spring.target).squaredNorm();
  }
  return std::sqrt(sum);
}

double NodeSprings::norm_beyond_rounding(const Positions& positions, const Vector& r) const {
  constexpr double kRounding = 4e-16;  // of a position, a few operations
  double squared = r.squaredNorm();
  for_each([&](const NodeSpring& spring) {
    const double farthest = std::max(positions.row(spring.node).cwiseAbs().maxCoeff(),
                                     spring.target.cwiseAbs().maxCoeff());
    const double length = r.segment<3>(3 * mesh_.free().free_index(spring.node)).norm();
    const double beyond = std::max(0.0, length - kRounding * spring.stiffness * farthest);
    squared += beyond * beyond - length * length;
  });
  return std::sqrt(std::max(0.0, squared));
}

bool NodeSprings::contains(int number) const {
  return number >= 0 && number < static_cast<int>(entries_.size()) && entries_[number].used;
}

NodeSprings::Entry& NodeSprings::entry(int number) {
  if (!contains(number)) {
    throw Error("there is no handle " + std::to_string(number), "handles",
                "use the number that adding it gave");
  }
  return entries_[number];
}

const NodeSpring& NodeSprings::operator[](int number) const {
  return const_cast<NodeSprings*>(this)->entry(number).spring;
}

void NodeSprings::move(int number, const Vec3& target) {
  if (!target.allFinite()) {
    throw Error("the target is not finite", "handle " + std::to_string(number),
                "give a point in metres");
  }
  entry(number).spring.target = target;
  entry(number).spring.path.reset();
}

void NodeSprings::remove(int number) { entry(number).used = false; }

double NodeSprings::largest_error(const Positions& positions) const {
  double largest = 0;
  for (const Entry& e : entries_) {
    if (!e.used) continue;
    const Vec3 x = positions.row(e.spring.node).transpose();
    largest = std::max(largest, (x - e.spring.target).norm());
  }
  return largest;
}

void NodeSprings::begin_step(double time) {
  for (Entry& e : entries_) {
    if (e.used && e.spring.path) e.spring.target = e.spring.path->at(time).value;
  }
}

void NodeSprings::end_step() {
  for (Entry& e : entries_) e.previous_target = e.spring.target;
}

void NodeSprings::add_forces(const NodeMotion& motion, Positions& forces) const {
  for (const Entry& e : entries_) {
    if (!e.used) continue;
    const Vec3 x = motion.end.row(e.spring.node).transpose();
    const Vec3 v = motion.velocities.row(e.spring.node).transpose();
    Vec3 force = e.spring.stiffness * (e.spring.target - x);
    if (motion.h > 0) {
      force += e.spring.damping * ((e.spring.target - e.previous_target) / motion.h - v);
    }
    forces.row(e.spring.node) += force.transpose();
  }
}

void NodeSprings::add_blocks(double elastic, double damping,
                             std::vector<AttachedBlock>& blocks) const {
  for (const Entry& e : entries_) {
    if (!e.used) continue;
    const int row = mesh_.free().free_index(e.spring.node);
    const double own = elastic * e.spring.stiffness + damping * e.spring.damping;
    blocks.push_back({row, own * Mat3::Identity()});
  }
}

double NodeSprings::energy(const Positions& positions) const {
  double sum = 0;
  for (const Entry& e : entries_) {
    if (!e.used) continue;
    const Vec3 x = positions.row(e.spring.node).transpose();
    sum += e.spring.stiffness / 2 * (x - e.spring.target).squaredNorm();
  }
  return sum;
}

bool NodeSprings::active() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& e) { return e.used; });
}

}  // namespace limber
