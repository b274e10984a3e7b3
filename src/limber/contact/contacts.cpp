#include "limber/contact/contacts.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

namespace {

constexpr double kUsualFriction = 0.5;

void check_material(const ContactMaterial& material) {
  const bool fine =
      (!material.friction || (*material.friction >= 0 && std::isfinite(*material.friction))) &&
      material.restitution >= 0 && material.restitution <= 1;
  if (!fine)
    throw Error("friction must be at least 0, restitution between 0 and 1", "contact",
                "for example 0.5 and 0");
}

}  // namespace

double pair_friction(const ContactMaterial& a, const ContactMaterial& b) {
  if (a.friction && b.friction) return std::sqrt(*a.friction * *b.friction);
  return a.friction.value_or(b.friction.value_or(kUsualFriction));
}

void Contacts::set_options(const ContactOptions& options) {
  const bool fine = options.substeps >= 1 && options.substeps <= 1000 &&
                    options.solver.sweeps >= 0 && options.solver.relaxing_sweeps >= -1 &&
                    options.solver.push_speed > 0 && options.solver.bounce_speed >= 0 &&
                    options.sleep_after >= 0 && options.sleep_speed >= 0;
  if (!fine)
    throw Error("a setting of contact is out of range", "contact",
                "substeps are at least 1, sweeps and speeds not negative");
  std::vector<std::shared_ptr<const SelfShape>> shapes;
  for (const Participant& person : people_) shapes.push_back(self_shape(person, options.self));
  for (std::size_t k = 0; k < people_.size(); ++k) {
    people_[k].self = shapes[k];
    if (shapes[k]) self_contact_.reserve(*shapes[k]);
  }
  options_ = options;
}

/// What a participant needs to touch itself; null where it does not. Bodies of one shape share it.
std::shared_ptr<const SelfShape> Contacts::self_shape(const Participant& participant,
                                                      bool usually) const {
  const bool body = participant.alive && participant.body != nullptr && participant.posed.soft();
  if (!body || !participant.wants_self.value_or(usually)) return nullptr;
  for (const Participant& other : people_) {
    if (other.self && other.self->shape() == participant.posed.shared_shape()) return other.self;
  }
  return std::make_shared<const SelfShape>(participant.posed.shared_shape());
}

int Contacts::add(Participant participant) {
  check_material(participant.material);
  const auto free = std::find_if(people_.begin(), people_.end(),
                                 [](const Participant& other) { return !other.alive; });
  if (free != people_.end()) {
    *free = std::move(participant);
    return static_cast<int>(free - people_.begin());
  }
  people_.push_back(std::move(participant));
  return static_cast<int>(people_.size()) - 1;
}

int Contacts::add_body(DynamicBody& body, Collider::Shared collider,
                       const ContactMaterial& material, const CollisionFilter& filter,
                       std::optional<bool> self) {
  if (collider->kind() == Collider::Kind::plane)
    throw Error("a plane cannot be a body", "contact", "use a box");
  Participant participant{
      PosedCollider(std::move(collider), &body), &body, {}, material, filter, self, nullptr};
  participant.self = self_shape(participant, options_.self);
  if (participant.self) self_contact_.reserve(*participant.self);
  participant.posed.reach(0);
  return add(std::move(participant));
}

int Contacts::add_obstacle(Collider::Shared collider, SupportMotion motion,
                           const ContactMaterial& material, const CollisionFilter& filter) {
  if (collider->kind() == Collider::Kind::soft)
    throw Error("a soft surface needs a body", "contact", "use a mesh");
  Participant participant{PosedCollider(std::move(collider), nullptr),
                          nullptr,
                          std::move(motion),
                          material,
                          filter,
                          {},
                          nullptr};
  participant.posed.set_obstacle(participant.motion.at(0), participant.motion.at(0));
  participant.posed.reach(0);
  return add(std::move(participant));
}

void Contacts::set_motion(int who, SupportMotion motion) {
  people_[who].motion = std::move(motion);
  for (const RememberedContact& contact : memory_.all()) {
    if (contact.a == who) wake(contact.b);
    if (contact.b == who) wake(contact.a);
  }
}

void Contacts::remove(int who) {
  for (const RememberedContact& contact : memory_.all()) {
    if (contact.a == who) wake(contact.b);
    if (contact.b == who) wake(contact.a);
  }
  for (JointSlot& slot : joints_) {
    if (slot.joint.spec().a == who || slot.joint.spec().b == who) slot.alive = false;
  }
  memory_.forget(who);
  std::erase_if(excluded_, [&](const PairKey& pair) { return pair.a == who || pair.b == who; });
  std::erase_if(touching_, [&](const PairKey& pair) { return pair.a == who || pair.b == who; });
  std::erase_if(records_, [&](const ContactRecord& one) { return one.a == who || one.b == who; });
  std::erase_if(deep_pairs_, [&](const PairKey& pair) { return pair.a == who || pair.b == who; });
  people_[who].alive = false;
  people_[who].body = nullptr;
  people_[who].self = nullptr;
}

void Contacts::exclude(int a, int b) {
  const PairKey pair{std::min(a, b), std::max(a, b)};
  const auto at = std::lower_bound(excluded_.begin(), excluded_.end(), pair);
  if (at == excluded_.end() || *at != pair) excluded_.insert(at, pair);
}

bool Contacts::excluded(int a, int b) const {
  return std::binary_search(excluded_.begin(), excluded_.end(),
                            PairKey{std::min(a, b), std::max(a, b)});
}

void Contacts::stop(int who) {
  people_[who].stopped = true;
  if (people_[who].slot >= 0) solver_.stop(people_[who].slot);
  people_[who].asleep = people_[who].posed_asleep = false;
}

void Contacts::resume(int who) { people_[who].stopped = false; }

std::array<BodyPoint, 3> Contacts::anchors(int who, const std::array<Vec3, 3>& places) const {
  std::array<BodyPoint, 3> points;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 X = who == kTheWorld ? places[k] : people_[who].posed.to_local(places[k]);
    points[k] = who == kTheWorld ? BodyPoint{{0, 1, 2, 3}, {1 - X.sum(), X.x(), X.y(), X.z()}}
                                 : people_[who].posed.shape().point_at(X);
  }
  return points;
}

int Contacts::add_joint(const JointSpec& wanted) {
  check(wanted);
  JointSpec spec = wanted;
  for (const int who : {spec.a, spec.b}) {
    if (who != kTheWorld && (who < 0 || who >= participant_count() || !people_[who].alive))
      throw Error("a joint names a body that is not there", "joint", "add the body first");
  }
  const auto is_dynamic = [&](int who) { return who != kTheWorld && people_[who].dynamic(); };
  if (!is_dynamic(spec.a)) {  // the first one is a body
    std::swap(spec.a, spec.b);
    std::swap(spec.point_a, spec.point_b);
    if (spec.at_b) std::swap(spec.at, *spec.at_b);
    spec.axis = -spec.axis;  // of a against b
  }
  if (!is_dynamic(spec.a))
    throw Error("a joint between two things that do not move", "joint", "name a body");
  double size = std::numeric_limits<double>::infinity();
  bool soft = false;
  for (const int who : {spec.a, spec.b}) {
    if (!is_dynamic(who)) continue;
    people_[who].posed.reach(0);
    size = std::min(size, people_[who].size());
    soft |= people_[who].posed.soft();
  }
  const double radius = spec.radius > 0 ? spec.radius : size / 4;
  const std::array<Vec3, 3> places = Joint::anchor_places(spec, radius);
  std::array<Vec3, 3> places_b = places;
  if (spec.at_b) places_b.fill(*spec.at_b);
  std::array<BodyPoint, 3> a = anchors(spec.a, places), b = anchors(spec.b, places_b);
  if (spec.point_a) a[0] = *spec.point_a;
  if (spec.point_b) b[0] = *spec.point_b;
  for (const BodyPoint& point : a) check(point, people_[spec.a].body->node_count(), "joint");
  if (is_dynamic(spec.b)) {
    for (const BodyPoint& point : b) check(point, people_[spec.b].body->node_count(), "joint");
  }
  if (!spec.collide && spec.b != kTheWorld) exclude(spec.a, spec.b);
  Joint made(spec, a, b, soft, 0);
  const JointPose now = pose_of(made);
  joints_.push_back({Joint(spec, a, b, soft, (now.a[0] - now.b[0]).norm())});
  wake(spec.a);
  if (spec.b != kTheWorld) wake(spec.b);
  return static_cast<int>(joints_.size()) - 1;
}

void Contacts::remove_joint(int number) {
  joints_[number].alive = false;
  const JointSpec& spec = joints_[number].joint.spec();
  wake(spec.a);
  if (spec.b != kTheWorld) wake(spec.b);
  std::erase(excluded_, PairKey{std::min(spec.a, spec.b), std::max(spec.a, spec.b)});
}

void Contacts::set_motor(int number, double speed, double torque) {
  joints_[number].joint.set_motor(speed, torque);
  wake(joints_[number].joint.spec().a);
}

int Contacts::contact_count(int who) const {
  return static_cast<int>(std::count_if(records_.begin(), records_.end(), [&](const auto& one) {
    return (one.a == who || one.b == who) && one.impulse != Vec3::Zero();
  }));
}

void ContactRecord::archive(StateArchive& state) {
  state.value(a);
  state.value(b);
  state.value(feature);
  state.numbers(point);
  state.numbers(normal);
  state.numbers(impulse);
  state.value(depth);
}

void Contacts::archive(StateArchive& state) {
  memory_.archive(state);
  for (Participant& person : people_) {
    state.value(person.asleep);
    if (state.is_loading()) person.posed_asleep = false;
    state.value(person.still);
    state.value(person.island);
    state.value(person.stopped);
    state.value(person.row_capacity);
    state.value(person.force);
  }
  for (JointSlot& slot : joints_) {
    state.value(slot.alive);
    slot.joint.archive(state);
  }
  state.value(next_island_);
  state.value(h_);
  state.list(excluded_);  // joints that broke since hold again, and their bodies pass through
  state.list(touching_);
  state.list(deep_pairs_);
  state.each(records_);
}

}  // namespace limber
