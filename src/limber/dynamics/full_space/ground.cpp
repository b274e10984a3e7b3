#include "limber/dynamics/full_space/ground.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/mesh/boundary.h"

namespace limber {

Ground::Ground(const SimulatedMesh& mesh, const GroundPlane& plane) : plane_(plane) {
  const double length = plane.normal.norm();
  if (!(length > 0) || !std::isfinite(length) || !std::isfinite(plane.offset)) {
    throw Error("the normal needs a length and the offset must be finite", "ground plane",
                "give a normal such as 0 1 0 and an offset in metres");
  }
  if (!(plane.friction >= 0) || !std::isfinite(plane.friction)) {
    throw Error("friction must be finite and not negative", "ground plane",
                "give Coulomb's coefficient, for example 0.5");
  }
  plane_.normal /= length;
  plane_.offset /= length;
  for (const int node : boundary_surface(mesh.mesh()).nodes) {
    const int row = mesh.free().free_index(node);
    if (row >= 0) contacts_.push_back({node, row});
  }
  begin_step({}, {});
}

void Ground::set_stiffness(const BlockMatrix& rest, double elastic) {
  for (Contact& contact : contacts_) {
    const double own = rest.block(rest.pattern().diagonal[contact.row]).trace() / 3;
    contact.stiffness = kHardness * own / elastic;
  }
}

void Ground::begin_step(const FrameState& start, const FrameState& end) {
  const Mat3 to_frame = end.rotation.transpose();
  normal_ = to_frame * plane_.normal;
  height_ = plane_.normal.dot(end.position) - plane_.offset;
  old_turn_ = to_frame * start.rotation;
  old_shift_ = to_frame * (start.position - end.position);
}

Vec3 Ground::slip_velocity(const Contact& contact, const NodeMotion& motion) const {
  const Vec3 start = motion.start.row(contact.node).transpose();
  const Vec3 end = motion.end.row(contact.node).transpose();
  const Vec3 velocity = (end - (old_shift_ + old_turn_ * start)) / motion.h;
  return velocity - normal_.dot(velocity) * normal_;
}

bool Ground::linearise(const NodeMotion& motion, int pass) {
  constexpr int kFrictionPasses = 4;
  bool changed = false;
  for (Contact& contact : contacts_) {
    const Vec3 end = motion.end.row(contact.node).transpose();
    const double depth = -gap(end);
    const bool touches = depth > 0;
    changed |= touches != contact.touches;
    contact.touches = touches;
    if (plane_.friction == 0) continue;
    if (!touches || motion.h == 0) {
      contact.friction = 0;
    } else if (pass < kFrictionPasses) {
      const double speed = slip_velocity(contact, motion).norm();
      const double most = plane_.friction * contact.stiffness * depth;
      const double sticking = contact.stiffness * motion.h;
      const double friction = most < sticking * speed ? most / speed : sticking;
      changed |= friction != contact.friction;
      contact.friction = friction;
    }
  }
  return changed;
}

Vec3 Ground::force_on(const Contact& contact, const NodeMotion& motion) const {
  const Vec3 end = motion.end.row(contact.node).transpose();
  Vec3 force = -contact.stiffness * gap(end) * normal_;
  if (contact.friction > 0) force -= contact.friction * slip_velocity(contact, motion);
  return force;
}

void Ground::add_forces(const NodeMotion& motion, Positions& forces) const {
  for (const Contact& contact : contacts_) {
    if (contact.touches) forces.row(contact.node) += force_on(contact, motion).transpose();
  }
}

Vec3 Ground::force(const NodeMotion& motion) const {
  Vec3 sum = Vec3::Zero();
  for (const Contact& contact : contacts_) {
    if (contact.touches) sum += force_on(contact, motion);
  }
  return sum;
}

void Ground::add_blocks(double elastic, double damping, std::vector<AttachedBlock>& blocks) const {
  const Mat3 along = normal_ * normal_.transpose();
  for (const Contact& contact : contacts_) {
    if (!contact.touches) continue;
    blocks.push_back(AttachedBlock::at_row(
        contact.row, elastic * contact.stiffness * along +
                         damping * contact.friction * (Mat3::Identity() - along)));
  }
}

double Ground::energy(const NodeMotion& motion) const {
  double sum = 0;
  for (const Contact& contact : contacts_) {
    const double depth = -gap(motion.end.row(contact.node).transpose());
    if (depth > 0) sum += contact.stiffness / 2 * depth * depth;
  }
  return sum;
}

double Ground::lowest_gap(const Positions& positions) const {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts_) {
    lowest = std::min(lowest, gap(positions.row(contact.node).transpose()));
  }
  return lowest;
}

int Ground::contact_count() const {
  return static_cast<int>(std::count_if(contacts_.begin(), contacts_.end(),
                                        [](const Contact& c) { return c.touches; }));
}

}  // namespace limber
