// What no step may do: overflow, turn a body inside out, tear it apart or gain energy from nowhere.
// Each stops with an error, and the body stays as it was before the step.
//
// Energy: implicit Euler loses some, so at all times K + U ≤ K₀ + U₀ + W with K kinetic and U
// elastic energy and W the work of all outer forces, handles and the ground. Methods that hold
// rotations gain a little; a motion that runs away gains as much as it had in every step.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "limber/core/error.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/fem/stvk.h"

namespace limber {

namespace {

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

[[noreturn]] void fail(const std::string& what, const std::string& where, const char* remedy) {
  throw Error(what, where, remedy, Error::Kind::work_failed);
}

double extent(const Positions& positions) {
  return (positions.colwise().maxCoeff() - positions.colwise().minCoeff()).maxCoeff();
}

}  // namespace

/// For error messages.
std::string FullBody::at_time() const { return "time " + digits(time_); }

void FullBody::refuse_parts(double parts) const {
  constexpr double kMostParts = 1e5;
  refuse_overflow(parts);
  if (parts <= kMostParts) return;
  throw Error("an explicit step would need " + digits(parts) + " parts", at_time(),
              "use the implicit integrator or a smaller step");
}

/// Squares of numbers from 1e154 on are infinite, and every residual is small beside them.
void FullBody::refuse_overflow(double norm) const {
  if (std::isfinite(norm)) return;
  fail("forces, velocities or stiffnesses are too large to compute with", at_time(),
       "use smaller loads and materials");
}

/// Green strain with a linear law gives way under strong compression: there is nothing to converge
/// to.
void FullBody::refuse_inversion(double least_volume) const {
  const VolumeRatio worst = smallest_volume_ratio(mesh_.tets(), end_);
  if (worst.ratio > least_volume) return;
  const std::string fate = worst.ratio > 0
                               ? " is crushed to " + digits(worst.ratio) + " of its volume"
                               : std::string(" has turned inside out");
  fail("tet " + std::to_string(worst.tet) + fate, "StVK at " + at_time(),
       "use a smaller step, smaller loads or the corotational method");
}

void FullBody::open_budget() {
  if (energy_.known) return;
  remainder_.setZero();  // it belongs to a step that was not kept
  energy_.budget = kinetic_energy() + elastic_energy();
  refuse_overflow(energy_.budget);
  energy_.largest = energy_.budget;
  energy_.known = true;
}

/// The work of `forces` (n×3) from `start` to `end`.
void FullBody::add_work(const Positions& forces, const Positions& start, const Positions& end) {
  for (const int node : mesh_.free().nodes()) {
    energy_.budget += forces.row(node).dot(end.row(node) - start.row(node));
  }
  energy_.largest = std::max(energy_.largest, energy_.budget);
}

/// How many times as long as at rest the body is.
double FullBody::refuse_stretch(const Positions& positions) const {
  constexpr double kLongest = 1e3;  // no law of elasticity goes so far
  const double stretch = extent(positions) / extent(mesh_.mesh().V);
  if (stretch < kLongest) return stretch;
  fail("the body is stretched to " + digits(stretch) + " times its size", at_time(),
       "use smaller loads, a stiffer material or a smaller time step");
}

/// Looks at the step from x_ to end_ with trial_v_, whose work has been added.
void FullBody::refuse_runaway() {
  constexpr double kUsual = 2;    // stretch below which elastic energy need not be asked for
  constexpr double kGain = 10;    // above what held rotations add to a stable motion
  constexpr double kSlow = 1e-3;  // sizes a step: rounding moves bodies that nothing moves
  energy_.known = false;          // unless the step is kept
  if (!end_.allFinite() || !trial_v_.allFinite()) {
    fail("the step gave numbers that are not finite", at_time(),
         "use smaller forces or a smaller time step");
  }
  const double size = extent(mesh_.mesh().V);
  const double stretch = refuse_stretch(end_);
  const double slow = kSlow * size / h_;
  const double most = kGain * (energy_.largest + mesh_.total_mass() * slow * slow / 2);
  double energy = mesh_.kinetic_energy(trial_v_);
  if (stretch > kUsual) energy += elasticity_->energy(end_);
  energy_.known = energy <= most;
  if (energy_.known) return;
  fail("the motion runs away: " + digits(energy) + " J where forces have done " +
           digits(energy_.largest) + " J of work",
       at_time(), "use a smaller step, less different materials or the corotational method");
}

}  // namespace limber
