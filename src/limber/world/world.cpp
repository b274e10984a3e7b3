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

BodyId World::add(std::string name, std::unique_ptr<DynamicBody> body) {
  if (name.empty()) throw Error("a body needs a name", "world", "give it one");
  for (const WorldBody& other : bodies_) {
    if (other.name == name) {
      throw Error("two bodies are called \"" + name + "\"", "world", "give each its own name");
    }
  }
  const BodyId id{static_cast<std::uint32_t>(generations_.size()), 0};
  generations_.push_back(0);
  WorldBody added;
  added.id = id;
  added.name = std::move(name);
  added.dynamics = std::move(body);
  bodies_.push_back(std::move(added));
  structure_ = new_structure();
  return id;
}

void World::remove(BodyId id) {
  const std::size_t index = index_of(id);
  ++generations_[id.slot];
  bodies_.erase(bodies_.begin() + static_cast<std::ptrdiff_t>(index));
  structure_ = new_structure();
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

Fault World::step(double h) noexcept {
  if (!(h > 0) || !std::isfinite(h)) return {Fault::Kind::bad_step, h};
  predict(h);
  commit();
  time_ += h;
  return {};
}

void World::predict(double h) noexcept {
  for (WorldBody& body : bodies_) {
    if (body.stopped()) continue;
    if (const Fault fault = body.dynamics->predict(h, StepKind::flight)) stop(body, fault);
  }
}

void World::commit() noexcept {
  for (WorldBody& body : bodies_) {
    if (body.stopped()) continue;
    if (const Fault fault = body.dynamics->commit()) {
      stop(body, fault);
      continue;
    }
    const StepStatus& status = body.dynamics->last_step();
    if (!status.converged) ++body.unconverged_steps;
    body.worst_residual = std::max(body.worst_residual, status.residual);
  }
}

void World::stop(WorldBody& body, const Fault& fault) noexcept {
  body.fault = fault;
  body.stopped_at = time_;
}

void World::resume(BodyId id) { body(id).fault = {}; }

void World::settle(const SettleOptions& options) {
  for (WorldBody& body : bodies_) {
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
}

void World::archive(StateArchive& state) {
  state.value(time_);
  for (WorldBody& body : bodies_) {
    state.value(body.fault);
    state.value(body.stopped_at);
    state.value(body.unconverged_steps);
    state.value(body.worst_residual);
    body.dynamics->archive(state);
  }
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
                "take it from the same world; adding or removing a body makes it useless");
  }
  StateArchive state = StateArchive::loading(snapshot.bytes_);
  archive(state);
}

}  // namespace limber
