#include "limber/interpolate/motion/keyed_constraints.h"

#include <fmt/format.h>

#include <algorithm>

#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

void check_node(const Elements& elements, int node) {
  if (node >= 0 && node < elements.node_count() && elements.parts[node] >= 0) return;
  throw Error(fmt::format("node {} is not part of the body", node), "constraints",
              "give a node that belongs to an element, counted from 0");
}

void refuse_repetition(std::vector<int> nodes) {
  std::sort(nodes.begin(), nodes.end());
  const auto twice = std::adjacent_find(nodes.begin(), nodes.end());
  if (twice == nodes.end()) return;
  throw Error(fmt::format("node {} is held twice", *twice), "constraints", "name it once");
}

std::vector<int> elements_around(const Elements& elements, int node) {
  std::vector<int> around;
  for (int element = 0; element < elements.element_count(); ++element) {
    for (int k = 0; k < elements.corner_count(); ++k) {
      if (elements.corners(element, k) == node) around.push_back(element);
    }
  }
  return around;
}

/// The mean of the elements' polar rotations in a pose.
Mat3 mean_polar_rotation(const Elements& elements, const std::vector<int>& region,
                         const Positions& pose) {
  Mat3 sum = Mat3::Zero();
  for (const int element : region) {
    sum += elements.weights[element] * polar_rotation(elements.deformation_gradient(pose, element));
  }
  return polar_rotation(sum);
}

}  // namespace

Mat3 mean_rotation_of(const Elements& elements, const std::vector<int>& region,
                      const std::vector<Vec3>& w) {
  Mat3 sum = Mat3::Zero();
  for (std::size_t k = 0; k < region.size(); ++k) {
    sum += elements.weights[region[k]] * rotation_exp(w[k]);
  }
  return polar_rotation(sum);
}

KeyedConstraints::KeyedConstraints(const Elements& elements, const std::vector<double>& times,
                                   const std::vector<Positions>& poses,
                                   const std::vector<PositionConstraint>& positions,
                                   const std::vector<OrientationConstraint>& orientations) {
  std::vector<int> grouped;
  for (const PositionConstraint& constraint : positions) {
    check_node(elements, constraint.node);
    if (!constraint.path) {
      grouped.push_back(constraint.node);
      continue;
    }
    constraints_.held_nodes.push_back(constraint.node);
    paths_.push_back(*constraint.path);
  }
  constraints_.held_nodes.insert(constraints_.held_nodes.end(), grouped.begin(), grouped.end());
  refuse_repetition(constraints_.held_nodes);
  groups_ = HeldGroups(elements, std::move(grouped), times, poses);
  if (orientations.empty()) return;
  constraints_.element_factors = Vector::Ones(elements.element_count());
  for (const OrientationConstraint& constraint : orientations) {
    check_node(elements, constraint.node);
    if (!(constraint.stiffness >= 1) || !std::isfinite(constraint.stiffness)) {
      throw Error(fmt::format("an orientation of stiffness {:g}", constraint.stiffness),
                  "constraints", "give a number of one or more");
    }
    Region region{elements_around(elements, constraint.node), {}, constraint.path};
    std::vector<SupportKey> keys(poses.size());
    for (std::size_t k = 0; k < poses.size(); ++k) {
      keys[k].time = times[k];
      keys[k].rotation =
          Eigen::Quaterniond(mean_polar_rotation(elements, region.elements, poses[k]));
    }
    region.keyed = SupportMotion(keys);
    for (const int element : region.elements) {
      constraints_.element_factors[element] = constraint.stiffness;
    }
    regions_.push_back(std::move(region));
  }
}

void KeyedConstraints::held_targets(double t, const Mat3& frame, Positions& held) const {
  for (std::size_t k = 0; k < paths_.size(); ++k) {
    held.row(k) = paths_[k].at(t).value.transpose();
  }
  groups_.targets(t, frame, std::ssize(paths_), held);
}

Mat3 KeyedConstraints::Region::target(double t) const {
  return path ? rotation_exp(path->at(t).value) : keyed.at(t).rotation;
}

}  // namespace limber
