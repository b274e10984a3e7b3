#include "limber/dynamics/full_space/guard.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "limber/dynamics/full_space/full_system.h"
#include "limber/fem/stvk.h"

namespace limber {

Fault overflow_of(double norm) {
  return std::isfinite(norm) ? Fault{} : Fault{Fault::Kind::overflow, norm};
}

Fault inversion_of(const SimulatedMesh& mesh, const Positions& positions, double least_volume) {
  const VolumeRatio worst = smallest_volume_ratio(mesh.tets(), positions);
  if (worst.ratio > least_volume) return {};
  const Fault::Kind kind = worst.ratio > 0 ? Fault::Kind::crushed : Fault::Kind::inverted;
  return {kind, worst.ratio, worst.tet};
}

std::string time_text(double time) {
  char text[32];
  std::snprintf(text, sizeof text, "time %.3g", time);
  return text;
}

Guard::Guard(const SimulatedMesh& mesh) : mesh_(mesh), size_(extent(mesh.mesh().V)) {}

void Guard::set_energy(double energy) { kept_ = {energy, energy, true}; }

void Guard::add_work(double work) {
  tried_.now += work;
  tried_.largest = std::max(tried_.largest, tried_.now);
}

void Guard::add_work(const Positions& forces, const Positions& start, const Positions& end) {
  double work = 0;
  for (const int node : mesh_.free().nodes()) {
    work += forces.row(node).dot(end.row(node) - start.row(node));
  }
  add_work(work);
}

double Guard::stretch(const Positions& positions) const { return extent(positions) / size_; }

Fault Guard::fault_of_stretch(double stretch) {
  constexpr double kLongest = 1e3;  // no law of elasticity goes so far
  return stretch < kLongest ? Fault{} : Fault{Fault::Kind::stretched, stretch};
}

Fault Guard::check(const Positions& end, const Positions& velocities, double h,
                   Elasticity& elasticity) const {
  constexpr double kUsual = 2;    // stretch below which elastic energy need not be asked for
  constexpr double kGain = 10;    // above what held rotations add to a stable motion
  constexpr double kSlow = 1e-3;  // sizes a step: rounding moves bodies that nothing moves
  if (!end.allFinite() || !velocities.allFinite()) return {Fault::Kind::overflow};
  const double stretched = stretch(end);
  if (const Fault fault = fault_of_stretch(stretched)) return fault;
  const double slow = kSlow * size_ / h;
  const double most = tried_.largest + mesh_.total_mass() * slow * slow / 2;
  double energy = mesh_.kinetic_energy(velocities);
  if (stretched > kUsual) energy += elasticity.energy(end);
  if (energy <= kGain * most) return {};
  return {Fault::Kind::runaway, energy / most};
}

}  // namespace limber
