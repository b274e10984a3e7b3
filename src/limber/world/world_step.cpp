// A step of the world, in its stages: see world.h and contacts.h.
#include <algorithm>
#include <cmath>

#include "limber/core/processor_time.h"
#include "limber/world/world.h"

namespace limber {

namespace {

/// Of a body over its elements in one step of the world. Fast contacts cut a step into 256 parts,
/// each of as many substeps as the scene says, and each of those may by itself be as expensive as
/// this: 100,000 explicit parts, or fifty Newton steps of 2000 iterations.
constexpr long kMostPasses = 100'000;

}  // namespace

Fault World::step(double h) noexcept {
  if (!(h >= kShortestStep && h <= kLongestStep)) return {Fault::Kind::bad_step, h};
  if (budget_.microseconds == 0) {
    step_parts(h);
    return {};
  }
  const double begin = processor_seconds();
  share_detail(h);
  step_parts(h);
  note_time(processor_seconds() - begin);
  return {};
}

void World::step_parts(double h) noexcept {
  const double end = time_ + h;
  const int parts = contacts_.parts(time_, h);
  for (WorldBody& body : bodies_) body.passes = 0;
  for (int part = 0; part < parts; ++part) step_part(h / parts);
  time_ = end;
}

void World::step_part(double h) noexcept {
  contacts_.detect(time_, h);
  contacts_.build(h / contacts_.options().substeps);
  step_touching(h);
  step_others(h);
  contacts_.finish();
  time_ += h;
}

bool World::touches(const WorldBody& body) const noexcept {
  return !body.stopped() && body.participant != kNobody && contacts_.touches(body.participant);
}

void World::step_touching(double h) noexcept {
  const int substeps = contacts_.options().substeps;
  for (int substep = 0; substep < substeps; ++substep) {
    for (WorldBody& body : bodies_) {
      if (!touches(body)) continue;
      Fault fault = check_cost(body);
      if (!fault) fault = body.dynamics->predict(h / substeps, StepKind::touching);
      if (fault) stop(body, fault);
    }
    contacts_.substep(substep == substeps - 1);
    for (WorldBody& body : bodies_) {
      if (!touches(body)) continue;
      if (const Fault fault = body.dynamics->commit()) {
        stop(body, fault);
      } else {
        note_status(body);
      }
    }
  }
  for (WorldBody& body : bodies_) {
    if (touches(body)) body.dynamics->end_touching();
  }
}

void World::step_others(double h) noexcept {
  for (WorldBody& body : bodies_) {
    if (body.stopped() || touches(body)) continue;
    if (body.participant != kNobody && contacts_.asleep(body.participant)) {
      body.dynamics->idle(h);
    } else if (const Fault costly = check_cost(body)) {
      stop(body, costly);
    } else if (const Fault fault = advance(*body.dynamics, h)) {
      stop(body, fault);
    } else {
      note_status(body);
    }
  }
}

void World::note_status(WorldBody& body) noexcept {
  const StepStatus& status = body.dynamics->last_step();
  if (!status.converged) ++body.unconverged_steps;
  body.worst_residual = std::max(body.worst_residual, status.residual);
  body.passes += status.passes;
}

/// Counted, never timed: where a body stops does not depend on the machine. What begins is always
/// finished, so that a step in one part is as it would be without this.
Fault World::check_cost(const WorldBody& body) noexcept {
  if (body.passes <= kMostPasses) return {};
  return {Fault::Kind::costly, static_cast<double>(kMostPasses)};
}

void World::stop(WorldBody& body, const Fault& fault) noexcept {
  body.fault = fault;
  body.stopped_at = time_;
  if (body.participant != kNobody) contacts_.stop(body.participant);
}

void World::resume(BodyId id) {
  WorldBody& one = body(id);
  one.fault = {};
  if (one.participant != kNobody) contacts_.resume(one.participant);
}

}  // namespace limber
