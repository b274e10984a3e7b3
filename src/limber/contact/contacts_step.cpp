// The stages of a step: see contacts.h.
#include <algorithm>
#include <cmath>

#include "limber/contact/contacts.h"

namespace limber {

namespace {

/// Faster pairs than this share of the smaller one's size a step are looked at more often.
constexpr double kMostTravel = 0.75;
constexpr int kMostParts = 256;
constexpr double kSlop = 0.0005;  // of the size
constexpr double kSag = 0.02;     // of the size

}  // namespace

/// Whether it may be somewhere else after the step.
bool Contacts::moves(int who) const {
  const Participant& person = people_[who];
  return person.dynamic() ? !person.asleep : person.moving;
}

bool Contacts::may_touch(int a, int b) const {
  const Participant &x = people_[a], &y = people_[b];
  if (!x.dynamic() && !y.dynamic()) return false;
  if (!moves(a) && !moves(b)) return false;
  return meet(a, b);
}

bool Contacts::meet(int a, int b) const {
  const CollisionFilter &x = people_[a].filter, &y = people_[b].filter;
  return (x.groups & y.meets) != 0 && (y.groups & x.meets) != 0 && !excluded(a, b);
}

void Contacts::pose(double time, double h) {
  boxes_.resize(people_.size());
  for (std::size_t k = 0; k < people_.size(); ++k) {
    Participant& person = people_[k];
    boxes_[k] = Bounds();
    if (!person.alive) continue;
    if (person.body == nullptr) {
      const FrameState now = person.motion.at(time), end = person.motion.at(time + h);
      person.posed.set_obstacle(now, end);
      person.moving = now.position != end.position || now.rotation != end.rotation;
    }
    if (!person.posed_asleep) person.posed.reach(h);
    person.posed_asleep = person.asleep;
    boxes_[k] = person.posed.bounds();
    if (person.posed.shape().kind() != Collider::Kind::plane && !boxes_[k].low.allFinite())
      boxes_[k] = Bounds();  // lost its numbers: touches nobody
  }
}

void Contacts::find_pairs() {
  pairs_.clear();
  for (const OverlapPair& pair : broad_.find(boxes_)) {
    if (may_touch(pair.a, pair.b)) pairs_.push_back(pair);
  }
}

PairReach Contacts::reach_of(int a, int b, double h) const {
  const Participant &x = people_[a], &y = people_[b];
  PairReach reach;
  reach.size = std::min(x.size() > 0 ? x.size() : y.size(), y.size() > 0 ? y.size() : x.size());
  const double closing =
      (x.posed.velocity() - y.posed.velocity()).norm() + x.posed.spread() + y.posed.spread();
  const Participant& smaller = x.size() > 0 && (y.size() == 0 || x.size() < y.size()) ? x : y;
  reach.margin = closing * h + smaller.posed.resting_margin(h);
  return reach;
}

int Contacts::parts(double time, double h) {
  step_h_ = h;
  events_.clear();
  wake_disturbed();
  for (Participant& person : people_) {
    if (!person.asleep) person.force.setZero();
  }
  pose(time, h);
  find_pairs();
  double most = 1;
  for (const OverlapPair& pair : pairs_) {
    const Collider::Kind kinds[] = {people_[pair.a].posed.shape().kind(),
                                    people_[pair.b].posed.shape().kind()};
    if (kinds[0] == Collider::Kind::plane || kinds[1] == Collider::Kind::plane) continue;
    const PairReach reach = reach_of(pair.a, pair.b, h);
    most = std::max(most, reach.margin / (kMostTravel * reach.size));
  }
  const int count = static_cast<int>(std::min<double>(std::ceil(most), kMostParts));
  looked_ = count == 1;
  return count;
}

void Contacts::refresh(double time) {
  pose(time, 0);
  for (Participant& person : people_) {
    if (person.alive && !person.posed.evaluated()) person.posed.evaluate();
  }
}

void Contacts::substep(bool last) {
  Stopwatch stopwatch;
  solver_.substep(last);
  seconds_.solve += stopwatch.lap();
}

void Contacts::detect(double time, double h) {
  Stopwatch stopwatch;
  h_ = h;
  if (!looked_) {
    pose(time, h);
    find_pairs();
  }
  looked_ = false;
  find_contacts(h);
  while (wake_touched()) {
    find_pairs();
    find_contacts(h);
  }
  seconds_.detection += stopwatch.lap();
}

void Contacts::find_contacts(double h) {
  found_.clear();
  for (const OverlapPair& pair : pairs_) {
    // The first one is a body that moves.
    const bool swap = !people_[pair.a].dynamic();
    const int a = swap ? pair.b : pair.a, b = swap ? pair.a : pair.b;
    PosedCollider &posed_a = people_[a].posed, &posed_b = people_[b].posed;
    if (!posed_a.evaluated()) posed_a.evaluate();
    if (!posed_b.evaluated()) posed_b.evaluate();
    const PairReach reach = reach_of(a, b, h);
    Bounds near = posed_a.bounds();
    near.grow(reach.margin);
    if (!near.overlaps(posed_b.bounds())) continue;
    const auto before = memory_.of_pair(a, b);
    if (is_deep(a, b, before.empty(), reach)) {
      push_apart(a, b);
    } else {
      narrow_.find(a, posed_a, b, posed_b, reach, before, found_);
    }
  }
  find_self_contacts(h);
}

void Contacts::find_self_contacts(double h) {
  for (int who = 0; who < participant_count(); ++who) {
    Participant& person = people_[who];
    if (person.self && moves(who))
      self_contact_.find(who, person.posed, *person.self, h, memory_.of_pair(who, who), found_);
  }
}

/// Whether the pair started with the middle of one inside the other, and has not come apart since.
bool Contacts::is_deep(int a, int b, bool first_seen, const PairReach& reach) {
  const PairKey key{a, b};
  const auto known = std::lower_bound(deep_pairs_.begin(), deep_pairs_.end(), key);
  if (known != deep_pairs_.end() && *known == key) {
    if (overlap_along(a, b, apart_direction(a, b)) > kSlop * reach.size) return true;
    deep_pairs_.erase(known);
    return false;
  }
  if (!first_seen || people_[b].posed.shape().kind() == Collider::Kind::plane) return false;
  const auto inside = [&](int one, int other) {
    const Vec3 middle = people_[one].posed.bounds().middle();
    const SolidHit hit = people_[other].posed.query(middle, 0, middle);
    return hit.hit && hit.distance < 0;
  };
  if (!inside(a, b) && !inside(b, a)) return false;
  deep_pairs_.insert(known, key);
  return true;
}

Vec3 Contacts::apart_direction(int a, int b) const {
  const Vec3 between = people_[a].posed.bounds().middle() - people_[b].posed.bounds().middle();
  const double length = between.norm();
  return length > 1e-6 * people_[a].size() ? Vec3(between / length) : Vec3(Vec3::UnitY());
}

double Contacts::overlap_along(int a, int b, const Vec3& direction) const {
  double low_a = std::numeric_limits<double>::infinity(), high_b = -low_a;
  const double radii = people_[a].posed.shape().radius() + people_[b].posed.shape().radius();
  for (const PointState& point : people_[a].posed.points())
    low_a = std::min(low_a, direction.dot(point.position));
  for (const PointState& point : people_[b].posed.points())
    high_b = std::max(high_b, direction.dot(point.position));
  return high_b - low_a + radii;
}

/// Where one lies deep in the other, the nearest faces say nothing: all of the one is pushed away
/// from the middle of the other.
void Contacts::push_apart(int a, int b) {
  constexpr std::size_t kPoints = 8;
  const PosedCollider &one = people_[a].posed, &other = people_[b].posed;
  const std::size_t count = std::min({one.points().size(), other.points().size(), kPoints});
  Contact contact;
  contact.a = a;
  contact.b = b;
  contact.normal = apart_direction(a, b);
  contact.gap = -overlap_along(a, b, contact.normal);
  for (std::size_t k = 0; k < count; ++k) {
    contact.feature = kDeepFeature + static_cast<std::uint32_t>(k);
    contact.place = (one.points()[k].position + other.points()[k].position) / 2;
    contact.point_a = one.shape().points()[k].point;
    contact.point_b = other.shape().points()[k].point;
    found_.push_back(contact);
  }
}

/// Who sleeps and is touched by someone awake wakes, and all that slept with it: then there is more
/// to find.
bool Contacts::wake_touched() {
  bool woken = false;
  const auto wake_by = [&](int one, int other) {
    if (!people_[one].asleep || !moves(other)) return;
    wake(one);
    woken = true;
  };
  for (const Contact& contact : found_) {
    wake_by(contact.a, contact.b);
    wake_by(contact.b, contact.a);
  }
  return woken;
}

int Contacts::slot_of(int who) {
  if (who == kTheWorld) return -1;
  Participant& person = people_[who];
  if (!person.dynamic() || person.asleep) return -1;
  if (person.slot < 0) person.slot = solver_.add_body(*person.body, person.row_capacity);
  return person.slot;
}

namespace {

/// Sweeps that stacks of ten cubes need to stand still: 1 in each of 16 substeps, 8 in each of 4.
SolverSettings with_sweeps(const ContactOptions& options) {
  SolverSettings settings = options.solver;
  if (settings.sweeps == 0) {
    const double needed = std::pow(16.0 / options.substeps, 1.5);
    settings.sweeps = std::max(1, static_cast<int>(std::ceil(needed - 1e-9)));
  }
  if (settings.relaxing_sweeps < 0) settings.relaxing_sweeps = settings.sweeps;
  return settings;
}

}  // namespace

void Contacts::build(double h) {
  Stopwatch stopwatch;
  solver_.set(with_sweeps(options_));
  solver_.clear();
  for (Participant& person : people_) {
    person.slot = -1;
    person.held = false;
  }
  build_contacts();
  build_joints(h);
  solver_.build(h);
  seconds_.solve += stopwatch.lap();
}

void Contacts::build_contacts() {
  deep_.clear();
  for (const Contact& contact : found_) {
    const Participant &a = people_[contact.a], &b = people_[contact.b];
    const bool self = contact.a == contact.b;
    const double size = self ? a.self->thickness() : reach_of(contact.a, contact.b, h_).size;
    ContactInput input;
    input.a = slot_of(contact.a);
    input.b = slot_of(contact.b);
    if (!self) people_[contact.a].held = people_[contact.b].held = true;
    input.point_a = contact.point_a;
    input.point_b = contact.point_b;
    input.normal = contact.normal;
    input.place = contact.place;
    input.gap = contact.gap;
    input.friction = pair_friction(a.material, b.material);
    input.restitution = std::max(a.material.restitution, b.material.restitution);
    input.slop = kSlop * size;
    input.sag = kSag * size;
    input.drift = b.posed.drift_velocity(contact.place, h_);
    const auto before = memory_.of_pair(contact.a, contact.b);
    if (const RememberedContact* last = remembered(before, contact.feature)) {
      input.normal_impulse = last->normal_impulse;
      input.tangent_impulse = last->tangent_impulse.cast<double>();
    }
    if (contact.feature >= kDeepFeature && contact.feature < 2 * kDeepFeature) {
      input.friction = 0;
      if (deep_.empty() || deep_.back().a != contact.a || deep_.back().b != contact.b)
        deep_.push_back({contact.a, contact.b, -contact.gap});
    }
    solver_.add_contact(input);
  }
}

JointPose Contacts::pose_of(const Joint& joint) const {
  JointPose pose;
  const auto places = [&](int who, const std::array<BodyPoint, 3>& points,
                          std::array<Vec3, 3>& result) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (who != kTheWorld && people_[who].body != nullptr) {
        result[k] = people_[who].posed.state_of(points[k]).position;
      } else {
        const auto& w = points[k].weights;
        const Vec3 X(w[1], w[2], w[3]);  // affine, as RigidBody::point()
        result[k] = who == kTheWorld ? X : people_[who].posed.frame().to_world(X);
      }
    }
  };
  const int b = joint.spec().b;
  places(joint.spec().a, joint.points_a(), pose.a);
  places(b, joint.points_b(), pose.b);
  pose.drift.fill(Vec3::Zero());
  if (b != kTheWorld && people_[b].body == nullptr && h_ > 0) {
    for (std::size_t k = 0; k < 3; ++k)
      pose.drift[k] = people_[b].posed.drift_velocity(pose.b[k], h_);
    pose.spin = people_[b].posed.frame().angular_velocity;
  }
  return pose;
}

void Contacts::build_joints(double h) {
  for (JointSlot& slot : joints_) {
    const JointSpec& spec = slot.joint.spec();
    if (!slot.alive || slot.joint.broken()) continue;
    // Who is held by someone awake wakes.
    const bool awake = moves(spec.a) || (spec.b != kTheWorld && moves(spec.b));
    if (!awake) continue;
    for (const int who : {spec.a, spec.b}) {
      if (who != kTheWorld && people_[who].asleep) wake(who);
    }
    const int a = slot_of(spec.a), b = slot_of(spec.b);
    if (a < 0) continue;
    for (const int who : {spec.a, spec.b}) {
      if (who != kTheWorld) people_[who].held = true;
    }
    slot.joint.build(pose_of(slot.joint), a, b, h, solver_);
  }
}

void Contacts::finish() {
  remember_and_record();
  for (JointSlot& slot : joints_) {
    if (!slot.alive || slot.joint.broken() || people_[slot.joint.spec().a].slot < 0) continue;
    slot.joint.finish(solver_);
    if (slot.joint.broken()) {
      const JointSpec& spec = slot.joint.spec();
      std::erase(excluded_, PairKey{std::min(spec.a, spec.b), std::max(spec.a, spec.b)});
    }
  }
  find_events();
  if (options_.sleeping) find_islands();
}

/// Contacts between sleepers stay as they are; the others are those of the solver.
void Contacts::remember_and_record() {
  const auto sleeps = [&](int a, int b) { return !moves(a) && !moves(b); };
  memory_.begin();
  for (const RememberedContact& contact : memory_.all()) {
    if (sleeps(contact.a, contact.b)) memory_.add(contact);
  }
  std::erase_if(records_, [&](const ContactRecord& one) { return !sleeps(one.a, one.b); });
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const Contact& contact = found_[k];
    const ContactSolver::ContactResult result = solver_.contact_result(static_cast<int>(k));
    // Impulses beyond all numbers stop the bodies, and nothing may go on from them.
    if (!result.total.allFinite() || !std::isfinite(result.gap)) continue;
    memory_.add({contact.a, contact.b, contact.feature, static_cast<float>(result.normal_impulse),
                 result.tangent_impulse.cast<float>()});
    records_.push_back({contact.a, contact.b, contact.feature, contact.place, contact.normal,
                        result.total, -result.gap});
    if (contact.a == contact.b) continue;  // a body cannot push itself along
    people_[contact.a].force += result.total / step_h_;
    people_[contact.b].force -= result.total / step_h_;
  }
  memory_.finish();
}

void Contacts::find_events() {
  std::swap(touching_, touched_before_);
  touching_.clear();
  for (const ContactRecord& record : records_) {
    if (record.impulse != Vec3::Zero()) touching_.push_back({record.a, record.b});
  }
  std::sort(touching_.begin(), touching_.end());
  touching_.erase(std::unique(touching_.begin(), touching_.end()), touching_.end());
  std::size_t now = 0, before = 0;
  while (now < touching_.size() || before < touched_before_.size()) {
    const bool only_now = before == touched_before_.size() ||
                          (now < touching_.size() && touching_[now] < touched_before_[before]);
    const bool only_before = now == touching_.size() || (before < touched_before_.size() &&
                                                         touched_before_[before] < touching_[now]);
    if (only_now) {
      events_.push_back({ContactEvent::Kind::begin, touching_[now].a, touching_[now].b});
      ++now;
    } else if (only_before) {
      const PairKey& pair = touched_before_[before];
      events_.push_back({ContactEvent::Kind::end, pair.a, pair.b});
      ++before;
    } else {
      ++now, ++before;
    }
  }
}

}  // namespace limber
