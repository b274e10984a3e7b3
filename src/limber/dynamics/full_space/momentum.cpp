#include "limber/dynamics/full_space/momentum.h"

#include <Eigen/Dense>

namespace limber {

MomentumKeeper::MomentumKeeper(const SimulatedMesh& mesh)
    : mesh_(mesh), mass_times_(mesh.node_count(), 3), arms_(mesh.node_count(), 3) {}

Momentum impulse(const Positions& positions, const Positions& forces, double h) {
  Momentum sum;
  for (int node = 0; node < positions.rows(); ++node) {
    const Vec3 force = forces.row(node).transpose();
    const Vec3 arm = positions.row(node).transpose();
    sum.linear += force;
    sum.angular += arm.cross(force);
  }
  sum.linear *= h;
  sum.angular *= h;
  return sum;
}

Momentum MomentumKeeper::momentum(const Positions& positions, const Positions& velocities) {
  mesh_.multiply_mass(velocities, mass_times_);
  return impulse(positions, mass_times_, 1);
}

Mat3 MomentumKeeper::inertia(const Positions& positions) {
  const Vec3 centre = (mesh_.node_mass().transpose() * positions).transpose() / mesh_.total_mass();
  arms_ = positions.rowwise() - centre.transpose();
  mesh_.multiply_mass(arms_, mass_times_);
  const Mat3 second = arms_.transpose() * mass_times_;
  return second.trace() * Mat3::Identity() - second;
}

Momentum MomentumKeeper::rigid_motion(const Momentum& wanted, const Positions& positions) {
  const double mass = mesh_.total_mass();
  const Vec3 centre = (mesh_.node_mass().transpose() * positions).transpose() / mass;
  const Mat3 about_centre = inertia(positions);
  const Eigen::LDLT<Mat3> factor(about_centre);
  // A body that has collapsed onto a line cannot be turned about it.
  const double largest = about_centre.diagonal().maxCoeff();
  const bool turns = factor.isPositive() && factor.vectorD().minCoeff() > 1e-12 * largest;
  const Vec3 angular = wanted.angular - centre.cross(wanted.linear);
  return {wanted.linear / mass, turns ? Vec3(factor.solve(angular)) : Vec3(Vec3::Zero())};
}

void MomentumKeeper::set_momentum(const Momentum& wanted, const Positions& positions,
                                  Positions& velocities) {
  Momentum change = momentum(positions, velocities);
  change.linear = wanted.linear - change.linear;
  change.angular = wanted.angular - change.angular;
  const Momentum motion = rigid_motion(change, positions);
  for (int node = 0; node < velocities.rows(); ++node) {
    const Vec3 arm = arms_.row(node).transpose();
    velocities.row(node) += (motion.linear + motion.angular.cross(arm)).transpose();
  }
}

void MomentumKeeper::balance(const Positions& positions, Positions& forces) {
  const Momentum motion = rigid_motion(impulse(positions, forces, 1), positions);
  for (int node = 0; node < forces.rows(); ++node) {
    const Vec3 arm = arms_.row(node).transpose();
    arms_.row(node) = (motion.linear + motion.angular.cross(arm)).transpose();
  }
  mesh_.multiply_mass(arms_, mass_times_);
  forces -= mass_times_;
}

}  // namespace limber
