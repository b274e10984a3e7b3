// How much detail the bodies of a world get under its budget. Decided before each step from what
// the bodies do and the model of their cost; clocks are looked at for the status alone.
#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/processor_time.h"
#include "limber/world/world.h"

namespace limber {

namespace {

/// Of the budget, for what the model does not see: contacts that begin with the step.
constexpr double kPlanned = 0.85;
/// s, that the budget must have room for more before a body gets it: else levels would flicker.
constexpr double kPatience = 0.25;

}  // namespace

void check(const DetailBudget& budget) {
  if (!(budget.microseconds >= 0) || !std::isfinite(budget.microseconds)) {
    throw Error("the budget is not a number from 0 up", "budget", "give microseconds a step");
  }
  check(budget.view);
  check(budget.costs);
}

void World::set_budget(const DetailBudget& budget) {
  check(budget);
  const bool had = budget_.microseconds > 0;
  budget_ = budget;
  if (had && budget.microseconds == 0) give_all_detail();
}

void World::set_view(const DetailView& view) {
  check(view);
  budget_.view = view;
}

void World::set_importance(BodyId id, double importance) {
  if (!(importance > 0) || !std::isfinite(importance)) {
    throw Error("the importance is not a positive number", body(id).name,
                "1 is as it is seen, 2 as if it were twice as large");
  }
  body(id).detail.importance = importance;
}

void World::give_all_detail() {
  for (WorldBody& one : bodies_) {
    one.detail.rung = 0;
    one.detail.could_be_finer = 0;
    one.dynamics->want_detail(one.dynamics->detail_size().full.with_interval(1));
  }
}

/// The sphere around its nodes, in the coordinates that it moves by.
void World::measure_size(WorldBody& body) {
  const DynamicBody& dynamics = *body.dynamics;
  if (dynamics.node_count() == 0) return;
  Positions x(dynamics.node_count(), 3);
  dynamics.node_positions(x);
  const Vec3 low = x.colwise().minCoeff(), high = x.colwise().maxCoeff();
  const RestPlace place = dynamics.rest_place();
  body.detail.rest_centre = place.rotation.transpose() * ((low + high) / 2 - place.position);
  body.detail.rest_radius = (high - low).norm() / 2;
}

DetailRequest World::request_of(const WorldBody& body) const {
  const DynamicBody& dynamics = *body.dynamics;
  DetailRequest request;
  request.work.size = dynamics.detail_size();
  request.work.nodes = dynamics.node_count();
  request.work.modal = traits(dynamics.method()).modal;
  request.work.free = dynamics.is_free();
  request.choice = dynamics.detail_choice();
  request.now = dynamics.detail_now();
  if (body.participant != kNobody) {
    request.work.contacts = contacts_of_[static_cast<std::size_t>(body.participant)];
    request.work.touching = contacts_.touches(body.participant);
  }
  if (!request.choice.any()) return request;
  const RestPlace place = dynamics.rest_place();
  SeenBody seen;
  seen.centre = place.position + place.rotation * body.detail.rest_centre;
  seen.radius = body.detail.rest_radius;
  seen.speed = std::sqrt(2 * dynamics.kinetic_energy() / dynamics.mass());
  seen.touching = request.work.contacts > 0;
  seen.importance = body.detail.importance;
  request.seen = seen_size(budget_.view, seen);
  return request;
}

/// Who sleeps or is stopped costs nothing worth counting.
bool World::spends(const WorldBody& body) const {
  return !body.stopped() && (body.participant == kNobody || !contacts_.asleep(body.participant));
}

void World::count_contacts() {
  contacts_of_.assign(static_cast<std::size_t>(contacts_.participant_count()), 0);
  for (const ContactRecord& record : contacts_.contacts()) {
    ++contacts_of_[static_cast<std::size_t>(record.a)];
    ++contacts_of_[static_cast<std::size_t>(record.b)];
  }
}

void World::share_detail(double h) noexcept {
  count_contacts();
  requests_.clear();
  for (const WorldBody& body : bodies_) {
    if (spends(body)) requests_.push_back(request_of(body));
  }
  const DetailShares shares =
      share_budget(requests_, budget_.costs, kPlanned * budget_.microseconds);
  auto request = requests_.begin();
  int phase = 0;
  detail_.choosing = detail_.fixed = 0;
  for (WorldBody& body : bodies_) {
    ++phase;
    if (!spends(body)) continue;
    BodyDetail& detail = body.detail;
    detail.seen = request->seen;
    ++(request->choice.any() ? detail_.choosing : detail_.fixed);
    // Less at once, more once there has been room for it for a while.
    detail.could_be_finer = request->rung < detail.rung ? detail.could_be_finer + h : 0;
    if (request->rung > detail.rung || detail.could_be_finer > kPatience) {
      detail.rung = request->rung;
      detail.could_be_finer = 0;
    }
    DetailLevel level = level_of(*request, detail.rung);
    level.phase = phase;
    body.dynamics->want_detail(level);
    body.dynamics->fade_detail(h);
    ++request;
  }
  ++detail_.steps;
  detail_.estimated = shares.cost;
  detail_.estimated_sum += shares.cost;
  detail_.allowed = shares.allowed;
  if (!shares.held) ++detail_.refused;
}

void World::note_time(double seconds) noexcept {
  detail_.measured = 1e6 * seconds;
  detail_.measured_sum += detail_.measured;
  detail_.worst_measured = std::max(detail_.worst_measured, detail_.measured);
  if (detail_.measured > budget_.microseconds) ++detail_.exceeded;
}

}  // namespace limber
