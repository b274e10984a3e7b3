// Rest of a world: bodies alone by their own equations; together, and free modal bodies on handles,
// by dynamic relaxation, that is by
// letting them move and taking out all motion whenever it begins to fade (kinetic damping, Cundall
// 1976).
#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/core/error.h"
#include "limber/world/world.h"

namespace limber {

namespace {

constexpr double kStep = 1.0 / 120;  // s
constexpr int kMostSteps = 20'000;
/// At rest: slower than this many sizes a second, root mean square, for so long. Contacts of single
/// precision leave some 1e-4.
constexpr double kSpeed = 2e-4;
constexpr int kStillSteps = 120;
/// Of a body over its elements, in all of those steps: a thousand
/// implicit ones in 16 substeps each take a tenth of it.
constexpr long kMostPassesToRest = 1'000'000;
/// Slower than this, contacts and the bodies' own damping do better than stopping all at once,
/// which takes the contacts' warm start for motion. Where handles alone hold, stops go on, and what
/// they leave of the fast modes is slower than this, some 1e-5 of the size wide.
constexpr double kSlow = 1e-3;

double speed_of(const DynamicBody& body) {
  return std::sqrt(2 * body.kinetic_energy() / body.mass());
}

/// Its equations of rest are about one frame, and handles turn and shift that of a free body.
bool hangs_freely(const DynamicBody& body) {
  return body.is_free() && traits(body.method()).modal && !body.handles().empty();
}

double box_diagonal(const DynamicBody& body) {
  Positions x(body.node_count(), 3);
  body.node_positions(x);
  return (x.colwise().maxCoeff() - x.colwise().minCoeff()).norm();
}

/// The shape as it is, and no motion at all.
void stand_still(DynamicBody& body) {
  if (body.is_free()) {
    body.set_velocity(Vec3::Zero(), Vec3::Zero());
  } else if (!body.modal().empty()) {
    const std::vector<double> q(body.modal().begin(), body.modal().end());
    body.set_modal(q, std::vector<double>(q.size(), 0.0));
  } else {
    Positions x(body.node_count(), 3);
    body.node_positions(x);
    body.set_node_state(x, Positions::Zero(x.rows(), 3));
  }
}

}  // namespace

/// Rest is that of full detail.
void World::settle(const SettleOptions& options) {
  const double microseconds = std::exchange(budget_.microseconds, 0);
  if (microseconds > 0) give_all_detail();
  try {
    settle_all(options);
  } catch (...) {
    budget_.microseconds = microseconds;
    throw;
  }
  budget_.microseconds = microseconds;
}

void World::settle_all(const SettleOptions& options) {
  bool together = false;
  for (WorldBody& body : bodies_) {
    if (may_touch_others(body) || hangs_freely(*body.dynamics)) {
      together = true;
    } else {
      settle_alone(body, options);
    }
  }
  if (together) relax();
}

void World::settle_alone(WorldBody& body, const SettleOptions& options) {
  SettleStatus status;
  try {
    status = body.dynamics->settle(options);
  } catch (const Error& error) {
    if (bodies_.size() < 2) throw;
    throw error.in(body.name);
  }
  if (!status.converged) {
    throw Error("no equilibrium after " + std::to_string(status.iterations) +
                    " iterations, residual " + short_number(status.residual),
                body.name, "reduce the load or stiffen the body", Error::Kind::work_failed);
  }
}

bool World::may_touch_others(const WorldBody& body) const {
  if (body.participant == kNobody) return false;
  if (contacts_.participant(body.participant).self) return true;
  for (int other = 0; other < contacts_.participant_count(); ++other) {
    if (other != body.participant && contacts_.participant(other).alive &&
        contacts_.meet(body.participant, other))
      return true;
  }
  for (int k = 0; k < contacts_.joint_count(); ++k) {
    const JointSpec& spec = contacts_.joint(k).spec();
    if (spec.a == body.participant || spec.b == body.participant) return true;
  }
  return false;
}

void World::relax() {
  // Also where a body fails: nobody sleeps meanwhile, and no time passes.
  const struct Usual {
    World& world;
    ContactOptions options = world.contacts_.options();
    double time = world.time_;
    ~Usual() {
      world.contacts_.set_options(options);
      world.time_ = time;
    }
  } usual{*this};
  ContactOptions awake = usual.options;
  awake.sleeping = false;
  contacts_.set_options(awake);
  contacts_.wake_all();
  std::vector<double> sizes;
  for (const WorldBody& body : bodies_) sizes.push_back(box_diagonal(*body.dynamics));
  const bool touching = std::any_of(bodies_.begin(), bodies_.end(),
                                    [&](const WorldBody& body) { return may_touch_others(body); });
  std::vector<long> passes(bodies_.size(), 0);
  double before = 0;
  int still = 0;
  WorldBody* fastest = nullptr;
  for (int step = 0; step < kMostSteps && still < kStillSteps; ++step) {
    time_ = usual.time;  // loads and obstacles are those of now
    if (this->step(kStep)) break;
    for (WorldBody& body : bodies_) body.dynamics->idle(-kStep);
    double energy = 0, speed = -1;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      WorldBody& body = bodies_[k];
      if (body.stopped()) throw error_of(body.fault, body.name);
      if ((passes[k] += body.passes) > kMostPassesToRest) {
        throw Error(
            "no rest within " + std::to_string(kMostPassesToRest) + " passes over the elements",
            body.name, "use the implicit integrator, softer materials or fewer elements",
            Error::Kind::work_failed);
      }
      energy += body.dynamics->kinetic_energy();
      const double own = speed_of(*body.dynamics) / sizes[k];
      if (own > speed) {
        speed = own;
        fastest = &body;
      }
    }
    still = speed < (touching ? kSpeed : kSlow) ? still + 1 : 0;
    if (energy < before && speed > (touching ? kSlow : 0)) {
      for (WorldBody& body : bodies_) stand_still(*body.dynamics);
      energy = 0;
    }
    before = energy;
  }
  for (WorldBody& body : bodies_) stand_still(*body.dynamics);
  if (still < kStillSteps)
    throw Error("no rest after " + std::to_string(kMostSteps) + " steps of relaxation",
                fastest->name, "is there something that holds it?", Error::Kind::work_failed);
}

}  // namespace limber
