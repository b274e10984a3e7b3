#include "limber/interpolate/motion/rigid_guide.h"

#include <algorithm>

#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

SupportMotion turning_motion(const Elements& elements, const std::vector<double>& times,
                             const std::vector<Positions>& poses) {
  std::vector<SupportKey> keys;
  for (std::size_t k = 0; k < poses.size(); ++k) {
    SupportKey key;
    key.time = times[k];
    key.rotation = Eigen::Quaterniond(mean_rotation_of(elements, poses[k]));
    keys.push_back(key);
  }
  return SupportMotion(keys, Interpolation::smooth, "key poses");
}

}  // namespace

Mat3 mean_rotation_of(const Elements& elements, const Positions& pose) {
  Mat3 sum = Mat3::Zero();
  for (int element = 0; element < elements.element_count(); ++element) {
    sum += elements.weights[element] * elements.deformation_gradient(pose, element);
  }
  return polar_rotation(sum);
}

RigidGuide::RigidGuide(const Elements& elements, const std::vector<double>& times,
                       const std::vector<Positions>& poses, bool turns,
                       const BarycentreOptions& options)
    : times_(times) {
  if (turns) turning_ = turning_motion(elements, times, poses);
  if (options.kind == BarycentrePath::ballistic) {
    if (!options.gravity.allFinite()) {
      throw Error("gravity is not finite", "barycentre", "give three numbers in m/s²");
    }
    gravity_ = options.gravity;
  }
  if (options.kind == BarycentrePath::given) {
    if (!options.path) throw Error("no path is given", "barycentre", "give its keys");
    whole_ = options.path;
  }
  const Vector weights = elements.node_weights / elements.node_weights.sum();
  std::vector<Positions> centres;
  for (const Positions& pose : poses) {
    centres.push_back(limber::barycentres(elements, pose));
    if (whole_) centres.back().rowwise() -= weights.transpose() * pose;
  }
  const Interpolation interpolation =
      options.kind == BarycentrePath::smooth ? Interpolation::smooth : Interpolation::linear;
  for (int part = 0; part < elements.part_count; ++part) {
    std::vector<Vec3> points;
    for (const Positions& centre : centres) points.emplace_back(centre.row(part).transpose());
    parts_.emplace_back(times, points, interpolation, "key poses");
  }
}

Mat3 RigidGuide::rotation(double t) const { return turning_.at(t).rotation; }

void RigidGuide::barycentres(double t, Positions& result) const {
  Vec3 shift = fall(t);
  if (whole_) shift += whole_->at(t).value;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    result.row(part) = (parts_[part].at(t).value + shift).transpose();
  }
}

/// What gravity adds to the straight line: ½ g s (s − T) between keys T apart.
Vec3 RigidGuide::fall(double t) const {
  if (t <= times_.front() || t >= times_.back()) return Vec3::Zero();
  const auto behind = std::upper_bound(times_.begin(), times_.end(), t);
  const double since = t - *(behind - 1);
  const double left = *behind - t;
  return -0.5 * since * left * gravity_;
}

}  // namespace limber
