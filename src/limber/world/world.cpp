#include "limber/world/world.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

namespace {

/// So that a snapshot of one world is never taken for another's.
std::uint64_t new_structure() {
  static std::atomic<std::uint64_t> next{1};
  return next++;
}

}  // namespace

World::World() : structure_(new_structure()) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

void World::check_name(const std::string& name) const {
  if (name.empty()) throw Error("a body needs a name", "world", "give it one");
  const auto refuse = [&](const char* what) {
    throw Error(what + (" called \"" + name + "\""), "world", "give each its own name");
  };
  for (const WorldBody& other : bodies_) {
    if (other.name == name) refuse("two bodies are");
  }
  for (const WorldObstacle& other : obstacles_) {
    if (other.name == name) refuse("an obstacle and another thing are");
  }
}

BodyId World::add(std::string name, std::unique_ptr<DynamicBody> body, const ContactPart& part) {
  check_name(name);
  WorldBody added;
  if (part.collider) {
    try {
      added.participant =
          contacts_.add_body(*body, part.collider, part.material, part.filter, part.self);
    } catch (const Error& error) {
      throw error.in(name);
    }
  }
  added.id = {static_cast<std::uint32_t>(generations_.size()), 0};
  added.name = std::move(name);
  added.dynamics = std::move(body);
  measure_size(added);
  generations_.push_back(0);
  bodies_.push_back(std::move(added));
  requests_.reserve(bodies_.size());
  contacts_of_.reserve(static_cast<std::size_t>(contacts_.participant_count()));
  structure_ = new_structure();
  return bodies_.back().id;
}

void World::remove(BodyId id) {
  const std::size_t index = index_of(id);
  ++generations_[id.slot];
  if (bodies_[index].participant != kNobody) contacts_.remove(bodies_[index].participant);
  bodies_.erase(bodies_.begin() + static_cast<std::ptrdiff_t>(index));
  structure_ = new_structure();
}

int World::add_obstacle(std::string name, const ContactPart& part, SupportMotion motion) {
  check_name(name);
  if (!part.collider) throw Error("an obstacle needs a shape", name, "give it a collider");
  const int participant =
      contacts_.add_obstacle(part.collider, std::move(motion), part.material, part.filter);
  obstacles_.push_back({std::move(name), participant});
  structure_ = new_structure();
  return participant;
}

std::vector<WorldObstacle>::const_iterator World::find_obstacle(int participant) const {
  const auto found =
      std::find_if(obstacles_.begin(), obstacles_.end(),
                   [&](const WorldObstacle& one) { return one.participant == participant; });
  if (found == obstacles_.end()) throw Error("there is no such obstacle", "world", "name another");
  return found;
}

void World::move_obstacle(int participant, SupportMotion motion) {
  (void)find_obstacle(participant);
  contacts_.set_motion(participant, std::move(motion));
}

void World::remove_obstacle(int participant) {
  const auto found = find_obstacle(participant);
  contacts_.remove(participant);
  obstacles_.erase(found);
  structure_ = new_structure();
}

int World::add_joint(const JointSpec& joint) {
  const int number = contacts_.add_joint(joint);
  structure_ = new_structure();
  return number;
}

void World::remove_joint(int joint) {
  contacts_.remove_joint(joint);
  structure_ = new_structure();
}

int World::participant(BodyId id) const {
  const WorldBody& one = body(id);
  if (one.participant == kNobody)
    throw Error("the body takes no part in contact", one.name, "add it with a collider");
  return one.participant;
}

const std::string& World::name_of(int participant) const {
  for (const WorldBody& one : bodies_) {
    if (one.participant == participant) return one.name;
  }
  for (const WorldObstacle& one : obstacles_) {
    if (one.participant == participant) return one.name;
  }
  throw Error("nobody takes part under this number", "world", "it may have been removed");
}

void World::wake(BodyId id) {
  const WorldBody& one = body(id);
  if (one.participant != kNobody) contacts_.wake(one.participant);
}

bool World::contains(BodyId id) const {
  return id.slot < generations_.size() && generations_[id.slot] == id.generation;
}

std::size_t World::index_of(BodyId id) const {
  for (std::size_t k = 0; k < bodies_.size() && contains(id); ++k) {
    if (bodies_[k].id == id) return k;
  }
  throw Error("there is no such body", "world", "it may have been removed");
}

WorldBody& World::body(BodyId id) { return bodies_[index_of(id)]; }
const WorldBody& World::body(BodyId id) const { return bodies_[index_of(id)]; }

BodyId World::find(const std::string& name) const {
  std::string names;
  for (const WorldBody& body : bodies_) {
    if (body.name == name) return body.id;
    names += (names.empty() ? "" : ", ") + body.name;
  }
  throw Error("no body is called \"" + name + "\"", "world", "there are: " + names);
}

void World::archive(StateArchive& state) {
  state.value(time_);
  for (WorldBody& body : bodies_) {
    state.value(body.fault.kind);
    state.value(body.fault.value);
    state.value(body.fault.element);
    state.value(body.stopped_at);
    state.value(body.unconverged_steps);
    state.value(body.worst_residual);
    state.value(body.detail.rung);
    state.value(body.detail.could_be_finer);
    body.dynamics->archive(state);
  }
  contacts_.archive(state);
}

void World::save(WorldSnapshot& snapshot) const {
  StateArchive state = StateArchive::saving(snapshot.bytes_);
  const_cast<World*>(this)->archive(state);  // saving changes nothing
  snapshot.structure_ = structure_;
}

WorldSnapshot World::snapshot() const {
  WorldSnapshot snapshot;
  save(snapshot);
  return snapshot;
}

void World::restore(const WorldSnapshot& snapshot) {
  if (snapshot.structure_ != structure_) {
    throw Error("the snapshot does not fit the world", "restore",
                "take it from the same world; adding or removing makes it useless");
  }
  StateArchive state = StateArchive::loading(snapshot.bytes_);
  archive(state);
}

}  // namespace limber
