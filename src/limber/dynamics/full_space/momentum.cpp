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

void MomentumKeeper::set_momentum(const Momentum& wanted, const Positions& positions,
                                  Positions& velocities) {
  const double mass = mesh_.total_mass();
  const Vec3 centre = (mesh_.node_mass().transpose() * positions).transpose() / mass;
  const Momentum present = momentum(positions, velocities);
  const Vec3 linear = wanted.linear - present.linear;
  const Vec3 angular = wanted.angular - present.angular - centre.cross(linear);
  arms_ = positions.rowwise() - centre.transpose();
  mesh_.multiply_mass(arms_, mass_times_);
  const Mat3 second = arms_.transpose() * mass_times_;
  const Mat3 inertia = second.trace() * Mat3::Identity() - second;
  const Eigen::LDLT<Mat3> factor(inertia);
  // A body that has collapsed onto a line cannot be turned about it.
  const double largest = inertia.diagonal().maxCoeff();
  const bool turns = factor.isPositive() && factor.vectorD().minCoeff() > 1e-12 * largest;
  const Vec3 spin = turns ? Vec3(factor.solve(angular)) : Vec3::Zero();
  for (int node = 0; node < velocities.rows(); ++node) {
    const Vec3 arm = arms_.row(node).transpose();
    velocities.row(node) += (linear / mass + spin.cross(arm)).transpose();
  }
}

}  // namespace limber
