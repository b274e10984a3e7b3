// Islands of bodies that touch or are joined: they fall asleep and wake together.
#include <algorithm>
#include <cmath>

#include "limber/contact/contacts.h"

namespace limber {

int Contacts::island_of(int who) {
  while (island_parents_[who] != who) {
    island_parents_[who] = island_parents_[island_parents_[who]];
    who = island_parents_[who];
  }
  return who;
}

void Contacts::join_islands(int a, int b) {
  const int x = island_of(a), y = island_of(b);
  island_parents_[std::max(x, y)] = std::min(x, y);
}

void Contacts::find_islands() {
  island_parents_.resize(people_.size());
  for (int k = 0; k < participant_count(); ++k) island_parents_[k] = k;
  const auto awake_body = [&](int who) {
    return who != kTheWorld && people_[who].dynamic() && !people_[who].asleep;
  };
  for (const ContactRecord& record : records_) {
    // Near ones too: whoever woke the other alone would be woken by it again.
    if (awake_body(record.a) && awake_body(record.b)) join_islands(record.a, record.b);
  }
  for (const JointSlot& slot : joints_) {
    const JointSpec& spec = slot.joint.spec();
    if (slot.alive && !slot.joint.broken() && awake_body(spec.a) && awake_body(spec.b))
      join_islands(spec.a, spec.b);
  }
  fall_asleep();
}

void Contacts::fall_asleep() {
  island_still_.assign(people_.size(), std::numeric_limits<double>::infinity());
  for (int k = 0; k < participant_count(); ++k) {
    Participant& person = people_[k];
    if (!person.alive || !person.dynamic() || person.asleep) continue;
    const double speed = std::sqrt(2 * person.body->kinetic_energy() / person.body->mass());
    // In flight nothing rests, however slow it is at the top.
    const bool rests = person.slot >= 0 && person.held && person.body->is_free() &&
                       person.body->handles().empty() &&
                       steady_after(person.body->loads(), person.body->time()) &&
                       speed < options_.sleep_speed * person.size();
    person.still = rests ? person.still + h_ : 0;
    double& least = island_still_[island_of(k)];
    least = std::min(least, person.still);
  }
  // Next to an obstacle that moves nobody sleeps.
  for (const ContactRecord& record : records_) {
    if (people_[record.a].dynamic() && !people_[record.b].dynamic() && people_[record.b].moving &&
        record.impulse != Vec3::Zero())
      island_still_[island_of(record.a)] = 0;
  }
  bool slept = false;
  for (int k = 0; k < participant_count(); ++k) {
    Participant& person = people_[k];
    if (!person.alive || !person.dynamic() || person.asleep) continue;
    const int island = island_of(k);
    if (island_still_[island] < options_.sleep_after) continue;
    person.asleep = true;
    person.island = next_island_ + island;
    person.body->set_velocity(Vec3::Zero(), Vec3::Zero());
    slept = true;
  }
  if (slept) next_island_ += participant_count();
}

void Contacts::wake_island(int island) {
  for (Participant& person : people_) {
    if (!person.asleep || person.island != island) continue;
    person.asleep = person.posed_asleep = false;
    person.still = 0;
  }
}

/// Who sleeps and was pushed or taken hold of meanwhile.
void Contacts::wake_disturbed() {
  for (const Participant& person : people_) {
    if (person.alive && person.asleep &&
        (!person.body->handles().empty() || person.body->kinetic_energy() > 0))
      wake_island(person.island);
  }
}

void Contacts::wake(int who) {
  people_[who].still = 0;
  if (people_[who].asleep) wake_island(people_[who].island);
}

void Contacts::wake_all() {
  for (Participant& person : people_) {
    person.asleep = person.posed_asleep = false;
    person.still = 0;
  }
}

}  // namespace limber
