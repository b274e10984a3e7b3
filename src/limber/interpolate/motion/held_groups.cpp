#include "limber/interpolate/motion/held_groups.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <numeric>

#include "limber/core/rotation.h"
#include "limber/interpolate/coordinates/unwrap.h"

namespace limber {

namespace {

/// Second singular value over the first below which points lie on a line and show no turn about it.
constexpr double kLine = 1e-6;
/// A screw of half a turn and more would go round its axis on a wide circle.
constexpr double kWidestScrew = 0.95 * std::numbers::pi;

int root_of(std::vector<int>& parents, int place) {
  while (parents[place] != place) place = parents[place] = parents[parents[place]];
  return place;
}

/// Σ x' xᵀ about the means. `from` and `to` k×3.
Mat3 covariance(const Positions& from, const Positions& to) {
  const Positions centred_from = from.rowwise() - from.colwise().mean();
  const Positions centred_to = to.rowwise() - to.colwise().mean();
  return centred_to.transpose() * centred_from;
}

bool on_a_line(const Positions& points) {
  const Mat3 spread = covariance(points, points);
  const Vec3 widths =
      Eigen::SelfAdjointEigenSolver<Mat3>(spread, Eigen::EigenvaluesOnly).eigenvalues();
  return !(widths[1] > kLine * widths[2]);
}

}  // namespace

HeldGroups::HeldGroups(const Elements& elements, std::vector<int> nodes, std::vector<double> times,
                       const std::vector<Positions>& poses)
    : nodes_(std::move(nodes)), times_(std::move(times)) {
  for (const Positions& pose : poses) {
    Positions& here = poses_.emplace_back(static_cast<Eigen::Index>(nodes_.size()), 3);
    for (std::size_t k = 0; k < nodes_.size(); ++k) here.row(k) = pose.row(nodes_[k]);
  }
  find_groups(elements);
  match(elements);
}

/// Nodes of one element belong together.
void HeldGroups::find_groups(const Elements& elements) {
  std::vector<int> place_of(elements.node_count(), -1);
  for (std::size_t k = 0; k < nodes_.size(); ++k) place_of[nodes_[k]] = static_cast<int>(k);
  std::vector<int> parents(nodes_.size());
  std::iota(parents.begin(), parents.end(), 0);
  std::vector<std::pair<int, int>> touching;  // place and element
  for (int element = 0; element < elements.element_count(); ++element) {
    int first = -1;
    for (int k = 0; k < elements.corner_count(); ++k) {
      const int place = place_of[elements.corners(element, k)];
      if (place < 0) continue;
      if (first < 0) {
        first = place;
        touching.emplace_back(place, element);
      } else {
        parents[root_of(parents, place)] = root_of(parents, first);
      }
    }
  }
  std::vector<int> number(nodes_.size(), -1);
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    int& group = number[root_of(parents, static_cast<int>(k))];
    if (group < 0) {
      group = group_count();
      groups_.emplace_back();
    }
    groups_[group].members.push_back(static_cast<int>(k));
  }
  for (const auto& [place, element] : touching) {
    groups_[number[root_of(parents, place)]].elements.push_back(element);
  }
}

/// The rotation of each group in each key: nearest to its points', or where those lie on a line, to
/// the elements' around.
void HeldGroups::match(const Elements& elements) {
  const auto points_of = [](const Group& group, const Positions& all) {
    Positions points(static_cast<Eigen::Index>(group.members.size()), 3);
    for (std::size_t k = 0; k < group.members.size(); ++k)
      points.row(k) = all.row(group.members[k]);
    return points;
  };
  Positions rest(static_cast<Eigen::Index>(nodes_.size()), 3);
  for (std::size_t k = 0; k < nodes_.size(); ++k) rest.row(k) = elements.rest.row(nodes_[k]);
  for (Group& group : groups_) {
    const Positions at_rest = points_of(group, rest);
    const bool line = group.members.size() < 3 || on_a_line(at_rest);
    for (const Positions& pose : poses_) {
      const Positions posed = points_of(group, pose);
      group.centres.emplace_back(posed.colwise().mean().transpose());
      if (!line) group.rotations.push_back(polar_rotation(covariance(at_rest, posed)));
    }
  }
}

void HeldGroups::add_turns(const Elements& elements, const Mat3& frame,
                           const RotationStrain& coordinates) {
  if (groups_.empty()) return;
  frames_.push_back(frame);
  for (Group& group : groups_) {
    Vec3 mean = Vec3::Zero();
    double weight = 0;
    for (const int element : group.elements) {
      mean += elements.weights[element] * coordinates.w.row(element).transpose();
      weight += elements.weights[element];
    }
    mean /= weight;
    const std::size_t key = group.turns.size();
    if (key < group.rotations.size()) {
      const Mat3 turned = frame.transpose() * group.rotations[key];
      group.turns.push_back(lift_near(rotation_log(turned), mean));
      group.lacks.push_back(rotation_log(rotation_exp(-group.turns.back()) * turned));
    } else {
      group.turns.push_back(mean);
      group.lacks.emplace_back(Vec3::Zero());
    }
  }
  if (frames_.size() == times_.size()) finish();
}

void HeldGroups::finish() {
  places_.resize(nodes_.size());
  for (Group& group : groups_) {
    group.centre = Path(times_, group.centres);
    group.turn = Path(times_, group.turns);
    group.lack = Path(times_, group.lacks);
    for (const int member : group.members) {
      std::vector<Vec3> places;
      for (std::size_t key = 0; key < times_.size(); ++key) {
        const Vec3 offset = poses_[key].row(member).transpose() - group.centres[key];
        places.emplace_back(rotation_exp(-group.lacks[key]) * rotation_exp(-group.turns[key]) *
                            frames_[key].transpose() * offset);
      }
      places_[member] = Path(times_, places);
    }
    if (times_.size() != 2 || group.rotations.empty()) continue;
    const Mat3& first = group.rotations[0];
    const Mat3& last = group.rotations[1];
    const Vec3 screw = rotation_log(last * first.transpose());
    const bool whole_turns = (group.turns[1] - group.turns[0]).norm() > std::numbers::pi;
    if (screw.norm() < kWidestScrew && !whole_turns) group.screw = screw;
  }
  poses_.clear();
}

/// A screw: c₀ + s R~(s u) R~(u)⁻¹ (c₁ − c₀), the translation of exp(s ξ), ξ the twist that takes
/// the group from the first key to the second. A straight line for u = 0.
Vec3 HeldGroups::centre(const Group& group, double t) const {
  if (group.screw.isZero() || t <= times_.front() || t >= times_.back()) {
    return group.centre.at(t).value;
  }
  const double s = (t - times_[0]) / (times_[1] - times_[0]);
  const Vec3 way = group.centres[1] - group.centres[0];
  return group.centres[0] +
         s * mean_rotation(s * group.screw) * mean_rotation_inverse(group.screw) * way;
}

void HeldGroups::targets(double t, const Mat3& frame, Eigen::Index first, Positions& held) const {
  for (const Group& group : groups_) {
    const Vec3 middle = centre(group, t);
    const Mat3 turned =
        frame * rotation_exp(group.turn.at(t).value) * rotation_exp(group.lack.at(t).value);
    for (const int member : group.members) {
      held.row(first + member) = (middle + turned * places_[member].at(t).value).transpose();
    }
  }
}

}  // namespace limber
