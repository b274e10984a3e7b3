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
  stretches_.assign(contacts_.size(), Vec3::Zero());
  begin_step({}, {});
}

void Ground::set_stiffness(const BlockMatrix& rest, double elastic) {
  for (Contact& contact : contacts_) {
    const double own = rest.block(rest.pattern().diagonal[contact.row]).trace() / 3;
    contact.stiffness = kHardness * own / elastic;
  }
}

void Ground::begin_step(const FrameState& start, const FrameState& end) {
  to_frame_ = end.rotation.transpose();
  normal_ = to_frame_ * plane_.normal;
  height_ = plane_.normal.dot(end.position) - plane_.offset;
  old_turn_ = to_frame_ * start.rotation;
  old_shift_ = to_frame_ * (start.position - end.position);
}

void Ground::end_step(const NodeMotion& motion, const FrameState& end) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    Vec3 stretch = Vec3::Zero();
    if (contact.friction > 0) {
      stretch = contact.friction / contact.stiffness * stretching(contact, motion);
      // c is the last pass's, the pressure now another: no more is kept than can be held.
      const double most =
          plane_.friction * std::max(0.0, -gap(motion.end.row(contact.node).transpose()));
      if (const double length = stretch.norm(); length > most) stretch *= most / length;
    }
    stretches_[i] = end.rotation * stretch;
  }
}

Vec3 Ground::stretching(const Contact& contact, const NodeMotion& motion) const {
  const Vec3 start = motion.start.row(contact.node).transpose();
  const Vec3 end = motion.end.row(contact.node).transpose();
  const Vec3 stretch =
      to_frame_ * stretches_[static_cast<std::size_t>(&contact - contacts_.data())];
  const Vec3 velocity = (end - (old_shift_ + old_turn_ * start) + stretch) / motion.h;
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
      const double speed = stretching(contact, motion).norm();
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
  if (contact.friction > 0) force -= contact.friction * stretching(contact, motion);
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

std::vector<GroundContact> Ground::contacts(const Positions& positions,
                                            const FrameState& frame) const {
  std::vector<GroundContact> result;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const Vec3 x = positions.row(contact.node).transpose();
    const double depth = -gap(x);
    if (!contact.touches || depth <= 0) continue;
    // end_step() kept u so that friction, −c (s + u/h), is −k u.
    result.push_back({frame.position + frame.rotation * x,
                      contact.stiffness * (depth * plane_.normal - stretches_[i])});
  }
  return result;
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
