// A substep of the solver: see contact_solver.h.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/contact/contact_solver.h"

namespace limber {

namespace {

/// Joints are few and hold with equality: chains need more visits than contacts do.
constexpr int kJointPasses = 8;
/// Springs of the penalty response: a tenth of the fastest that stays stable.
constexpr double kPenaltyPhase = 0.3;  // rad a substep
constexpr double kPenaltyDamping = 0.5;

}  // namespace

void ContactSolver::substep(bool last) {
  if (contacts_.empty() && joints_.empty()) return;
  const bool first = elapsed_ == 0;
  read_motion(false);
  if (first) note_approach();
  if (settings_.response == Response::penalty) {
    penalise();
  } else {
    warm_start(first);
    sweep(false, settings_.sweeps);
  }
  hand_over(true);
  elapsed_ += h_;
  ++look_;
  read_motion(true);
  track_joints();
  if (settings_.response == Response::soft && settings_.relaxing_sweeps > 0) {
    sweep(true, settings_.relaxing_sweeps);
  } else {
    kernels::track(contact_rows_.data(), contact_count(), sweep_settings(true, true));
  }
  if (settings_.response == Response::soft) {
    if (last)
      kernels::restitute(contact_rows_.data(), contact_count(),
                         static_cast<float>(settings_.bounce_speed));
    hand_over(false);
  }
  add_totals();
}

/// The bodies' velocities and, once they have moved, displacements.
void ContactSolver::read_motion(bool moved) {
  for (const Slot& slot : slots_) {
    float* const velocity = motion_.data() + slot.vector;
    float* const displacement = (moved ? motion_ : change_).data() + slot.vector + slot.length;
    slot.body->scaled_motion(velocity, displacement);
    std::copy_n(velocity, slot.length, before_.data() + slot.vector);
  }
}

/// Impulses of the last substep once more. Their sums are known, but for a step's first one.
void ContactSolver::warm_start(bool first) {
  if (first) {
    kernels::warm_start(contact_rows_.data(), contact_count(), joint_rows_.data(), joint_count());
    return;
  }
  for (const Slot& slot : slots_) {
    float* const velocity = motion_.data() + slot.vector;
    const float* const warm = warm_.data() + slot.vector;
    for (int k = 0; k < slot.length; ++k) velocity[k] += warm[k];
  }
}

SweepSettings ContactSolver::sweep_settings(bool relax, bool track) const {
  return {static_cast<float>(h_),
          static_cast<float>(settings_.push_speed),
          relax,
          track,
          static_cast<float>(elapsed_),
          look_};
}

void ContactSolver::sweep(bool relax, int times) {
  for (int k = 0; k < times; ++k) {
    const SweepSettings settings = sweep_settings(relax, relax && k == 0);
    for (int pass = 0; pass < kJointPasses; ++pass)
      kernels::sweep_joints(joint_rows_.data(), joint_count(), settings);
    kernels::sweep_contacts(contact_rows_.data(), contact_count(), settings);
  }
}

/// Errors and the places that impulses act at, for the bodies as they stand.
void ContactSolver::track_joints() {
  const auto moved_by = [](const ConstraintSide& own, float* result) {
    if (own.length > 0) kernels::relative(own, {}, own.displacement(), nullptr, 3, result);
  };
  const auto time = static_cast<float>(elapsed_);
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    float a[3] = {}, b[3] = {};
    JointConstraint& j = joint_rows_[k];
    moved_by(j.a, a);
    moved_by(j.b, b);
    for (int r = 0; r < j.rows; ++r)
      j.error[r] = static_cast<float>(joints_[k].error[r]) + a[r] - b[r] - j.drift[r] * time;
    if (joints_[k].angular) continue;
    for (std::size_t r = 0; r < 3; ++r)
      joint_shifts_[3 * k + r] = j.b.length == 0 ? a[r] : (a[r] + b[r]) / 2;
  }
}

/// What the sweeps have added to Ṽ.
void ContactSolver::take_changes(bool move) {
  for (Slot& slot : slots_) {
    const float* const velocity = motion_.data() + slot.vector;
    const float* const before = before_.data() + slot.vector;
    float* const change = change_.data() + slot.vector;
    float* const warm = warm_.data() + slot.vector;
    for (int k = 0; k < slot.length; ++k) {
      const float by = velocity[k] - before[k];
      change[k] = by - by == 0 ? by : 0;  // velocities beyond float's are left alone
      warm[k] = move ? change[k] : warm[k] + change[k];
    }
    slot.sum.change = std::span<const float>(change, static_cast<std::size_t>(slot.length));
    slot.sum.impulse.setZero();
    slot.sum.moment.setZero();
  }
}

void ContactSolver::push_side(int slot, int row, double sign, const Place& place,
                              const double* change, const Vec3& impulse, const Vec3& shift) {
  if (slot < 0) return;
  Slot& own = slots_[slot];
  if (!own.takes_sums) {
    for (int r = 0; r < 3; ++r) {
      impulses_[row + r] = sign * change[r];
      carried_[row + r] = shift;
    }
  } else if (place.angular) {
    own.sum.moment += sign * impulse;
  } else {
    own.sum.impulse += sign * impulse;
    own.sum.moment += sign * (place.at + shift - own.sum.about).cross(impulse);
  }
}

/// Both sides of a constraint get what its impulses have grown by. The sum of those on a body that
/// touches itself is nothing.
void ContactSolver::push(const Place& place, const float* impulse, float* handed,
                         const float* shift) {
  double change[3];
  Vec3 sum = Vec3::Zero(), moved = Vec3::Zero();
  for (std::size_t r = 0; r < 3; ++r) {
    change[r] = static_cast<double>(impulse[r]) - static_cast<double>(handed[r]);
    handed[r] = impulse[r];
    sum += change[r] * place.directions[r];
    moved += static_cast<double>(shift[r]) * place.directions[r];
  }
  if (place.slot_a >= 0 && place.slot_a == place.slot_b && slots_[place.slot_a].takes_sums) return;
  push_side(place.slot_a, place.a, 1, place, change, sum, moved);
  push_side(place.slot_b, place.b, -1, place, change, sum, moved);
}

/// Gives the bodies what the impulses have grown by since the last time.
void ContactSolver::hand_over(bool move) {
  take_changes(move);
  std::fill(impulses_.begin(), impulses_.end(), 0.0);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    ContactConstraint& c = contact_rows_[k];
    if (move) std::fill(c.handed, c.handed + 3, 0.0F);
    if (std::equal(c.impulse, c.impulse + 3, c.handed)) continue;
    if (c.shifted_at != look_) kernels::find_shift(c, look_);
    push(contact_places_[k], c.impulse, c.handed, c.shift);
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    JointConstraint& j = joint_rows_[k];
    float* const handed = joint_handed_.data() + 3 * k;
    if (move) std::fill(handed, handed + 3, 0.0F);
    push(joint_places_[k], j.impulse, handed, joint_shifts_.data() + 3 * k);
  }
  for (const Slot& slot : slots_) {
    if (slot.stopped) continue;
    if (slot.takes_sums) {
      slot.body->apply_sum(slot.sum, move);
    } else {
      const auto first = static_cast<std::size_t>(slot.first);
      const auto count = static_cast<std::size_t>(slot.rows);
      slot.body->apply(std::span(impulses_).subspan(first, count), move,
                       std::span(carried_).subspan(first, count));
    }
  }
}

void ContactSolver::add_totals() {
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const ContactConstraint& c = contact_rows_[k];
    if (!c.loaded()) continue;
    for (std::size_t r = 0; r < 3; ++r)
      totals_[k] += static_cast<double>(c.impulse[r]) * contact_places_[k].directions[r];
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    for (int r = 0; r < joint_rows_[k].rows; ++r) joint_totals_[k][r] += joint_rows_[k].impulse[r];
  }
}

/// How fast contacts close before anything acts: what bounces give back a share of.
void ContactSolver::note_approach() {
  for (ContactConstraint& c : contact_rows_) {
    if (c.restitution == 0) continue;
    kernels::relative(c.a, c.b, c.a.velocity, c.b.velocity, 1, &c.approach);
    c.approach -= c.drift[0];
  }
}

/// Springs at the contacts, each by itself; joints as ever.
void ContactSolver::penalise() {
  for (ContactConstraint& c : contact_rows_) std::fill(c.impulse, c.impulse + 3, 0.0F);
  kernels::warm_start(nullptr, 0, joint_rows_.data(), joint_count());
  kernels::penalise(contact_rows_.data(), contact_count(), static_cast<float>(h_),
                    static_cast<float>(kPenaltyPhase / h_), static_cast<float>(kPenaltyDamping));
  const SweepSettings settings = sweep_settings(false, false);
  for (int k = 0; k < settings_.sweeps; ++k)
    kernels::sweep_joints(joint_rows_.data(), joint_count(), settings);
}

}  // namespace limber
