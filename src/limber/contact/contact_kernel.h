// The inner loops of the contact solver, for every instruction set.
//
// In scaled coordinates (see dynamic_body.h) a row is a list of floats, the body's velocity Ṽ
// another, and an impulse p along the row changes Ṽ by J̃ᵀp. Relative velocities are those of a
// seen from b; an impulse acts on a, and against b.
//
// Symbols: W = J̃J̃ᵀ summed over both bodies, v relative velocity along the rows, p normal impulse,
// t (2) tangent impulse, h the substep, γ softness, β rate of the bias.
#pragma once

#include <cstddef>

namespace limber {

/// Rows of a body that a constraint acts along, one after another, each `length` floats (a
/// multiple of 8); none when the other side does not move. The body's displacement follows its
/// velocity in memory.
struct ConstraintSide {
  const float* rows = nullptr;
  float* velocity = nullptr;
  std::ptrdiff_t length = 0;

  [[nodiscard]] const float* displacement() const { return velocity + length; }
};

/// Three rows: normal and two tangents.
struct ContactConstraint {
  ConstraintSide a, b;
  float W[3][3];             ///< of the three rows
  float tangent_inverse[3];  ///< of W's tangent block: 00, 01, 11
  float tangent_most;        ///< its larger eigenvalue
  float drift[3];            ///< of an obstacle's material along the rows, m/s
  float beta, gamma;         ///< soft contact; see contact_solver.cpp
  float slop;                ///< m, overlap that is left alone
  float friction, restitution;
  float first_gap;     ///< at the start of the step, m
  float gap;           ///< at the start of the substep, m
  float impulse[3];    ///< of this substep so far, N s
  float handed[3];     ///< of them, what the bodies have got
  float shift[3];      ///< of the place along the rows since the start of the step, m
  int shifted_at;      ///< the look (SweepSettings) that `shift` was found at
  float approach;      ///< normal velocity before the step, m/s
  float most_impulse;  ///< the largest normal one of the step

  [[nodiscard]] bool loaded() const {
    return impulse[0] != 0 || impulse[1] != 0 || impulse[2] != 0;
  }
};

/// Up to three rows solved as a block.
struct JointConstraint {
  ConstraintSide a, b;
  int rows = 0;
  float inverse[3][3];  ///< of W
  float drift[3];
  float error[3];  ///< at the start of the substep: m or rad
  float impulse[3];
  float lowest, highest;  ///< of the impulse of a single row
  float target;           ///< of the velocity of a single row: motors
  bool limit;             ///< a single row: error ≥ 0 is free
};

struct SweepSettings {
  float h;           ///< s
  float push_speed;  ///< m/s, the most that overlap is undone with
  bool relax;        ///< velocities only: no bias where bodies touch
  bool track;        ///< the bodies have moved: gaps, and places that carry load, follow first
  float elapsed;     ///< s, since the start of the step
  int look;          ///< counts how often the bodies have moved
};

namespace kernels {

/// One visit of every constraint, in order.
void sweep_contacts(ContactConstraint* contacts, int count, const SweepSettings& settings);
void sweep_joints(JointConstraint* joints, int count, const SweepSettings& settings);
/// Gaps of all contacts and places of those that carry load, for the bodies as they stand.
void track(ContactConstraint* contacts, int count, const SweepSettings& settings);
/// The place of one contact.
void find_shift(ContactConstraint& contact, int look);
/// Ṽ += J̃ᵀ · the impulses kept from before.
void warm_start(const ContactConstraint* contacts, int contact_count, const JointConstraint* joints,
                int joint_count);
/// Bounces: contacts that closed faster than `threshold` (m/s) leave with restitution times that.
void restitute(ContactConstraint* contacts, int count, float threshold);
/// Hauser et al. 2003, section 3.4.2: a spring and damper at each contact, each by itself.
void penalise(ContactConstraint* contacts, int count, float h, float frequency, float damping);

/// rows[k] · x for k rows on each side, a's less b's.
void relative(const ConstraintSide& a, const ConstraintSide& b, const float* x_a, const float* x_b,
              int rows, float* result);
/// W (rows×rows, row after row with this stride) of both sides.
void gram(const ConstraintSide& a, const ConstraintSide& b, int rows, float* W, int stride);

}  // namespace kernels
}  // namespace limber
