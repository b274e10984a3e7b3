#include "world.h"

#include <array>
#include <atomic>

#include "arguments.h"
#include "limber/constraint/make_body.h"
#include "memory.h"
#include "results.h"

namespace limber::c {

limber_body number_of(BodyId id) {
  return (static_cast<limber_body>(id.generation) << 32) | (id.slot + 1ULL);
}

Body& body_of(limber_world* world, limber_body number) {
  require(world, "world");
  for (Body& body : world->bodies) {
    if (number_of(body.id) == number) return body;
  }
  throw Error("there is no such body", "world", "it may have been removed");
}

DynamicBody& dynamics_of(limber_world* world, limber_body number) {
  return *world->world.body(body_of(world, number).id).dynamics;
}

const DynamicBody& dynamics_of(const limber_world* world, limber_body number) {
  return dynamics_of(const_cast<limber_world*>(world), number);
}

DynamicBody& woken(limber_world* world, limber_body number) {
  DynamicBody& body = dynamics_of(world, number);
  world->world.wake(body_of(world, number).id);
  return body;
}

Body& soft_body_of(limber_world* world, limber_body number) {
  Body& body = body_of(world, number);
  if (body.model) return body;
  throw Error("a rigid body has no surface and no modes", "body",
              "draw its shape with limber_body_matrix()");
}

Loads gravity_alone(const Vec3& gravity) {
  Loads loads;
  loads.gravity.push_back({gravity});
  return loads;
}

std::string name_for(const char* given, const char* kind) {
  static std::atomic<unsigned long> unnamed{1};
  return given != nullptr ? given : std::string(kind) + " " + std::to_string(unnamed++);
}

}  // namespace limber::c

namespace {

using namespace limber;
using namespace limber::c;

ModalBodyOptions modal_options(const limber_body_options& given) {
  constexpr std::array kMethods{Method::modal_warping, Method::linear_modal};
  constexpr std::array kIntegrators{Integrator::exact, Integrator::semi_implicit,
                                    Integrator::newmark};
  if (given.method < 0 || given.method >= static_cast<int>(kMethods.size())) {
    throw Error("there is no method " + std::to_string(given.method), "body options",
                "take LIMBER_MODAL_WARPING or LIMBER_LINEAR_MODAL");
  }
  if (given.integrator < 0 || given.integrator >= static_cast<int>(kIntegrators.size())) {
    throw Error("there is no integrator " + std::to_string(given.integrator), "body options",
                "take LIMBER_EXACT, LIMBER_SEMI_IMPLICIT or LIMBER_NEWMARK");
  }
  if (given.fast != 0 && given.fast != 1) {
    throw Error("`fast` is neither 0 nor 1", "body options", "begin with {sizeof options}");
  }
  ModalBodyOptions options;
  options.method = kMethods[static_cast<std::size_t>(given.method)];
  options.integrator = kIntegrators[static_cast<std::size_t>(given.integrator)];
  options.fast = given.fast == 1;
  options.damping = {given.mass_damping, given.stiffness_damping};
  return options;
}

std::unique_ptr<DynamicBody> make(const limber_world& world, const Model& model,
                                  const limber_body_options& options) {
  const SupportMotion place(
      {{0, vector(options.position, "position"), rotation(options.rotation, "rotation")}});
  const Vec3 velocity = vector(options.velocity, "velocity");
  const Vec3 turning = vector(options.angular_velocity, "angular_velocity");
  std::unique_ptr<DynamicBody> body =
      make_body(model.baked.body, modal_options(options), gravity_alone(world.gravity), place);
  if (!velocity.isZero(0) || !turning.isZero(0)) body->set_velocity(velocity, turning);
  return body;
}

/// Warns of bodies that the last step has stopped, and throws for the first of them.
void tell_stopped(limber_world& world) {
  const WorldBody* first = nullptr;
  for (Body& body : world.bodies) {
    const WorldBody& in_world = world.world.body(body.id);
    if (in_world.stopped() && !body.told) {
      log(LIMBER_LOG_WARNING, error_of(in_world.fault, in_world.name).what());
      if (first == nullptr) first = &in_world;
    }
    body.told = in_world.stopped();
  }
  if (first != nullptr) throw error_of(first->fault, first->name);
}

}  // namespace

extern "C" {

limber_result limber_world_new(const limber_world_options* options, limber_world** world) {
  return guarded([&] {
    require(world, "world");
    limber_world_options given{};
    if (options != nullptr) given = versioned(options, "world options");
    Vec3 gravity = vector(given.gravity, "gravity");
    if (given.no_gravity != 0 && !gravity.isZero(0)) {
      throw Error("`no_gravity` and a gravity", "world options", "give one of them");
    }
    if (given.no_gravity == 0 && gravity.isZero(0)) gravity = {0, -9.81, 0};
    auto made = std::make_unique<limber_world>();
    made->gravity = gravity;
    ContactOptions contact;
    if (given.substeps != 0) contact.substeps = given.substeps;
    contact.sleeping = given.no_sleep == 0;
    made->world.contacts().set_options(contact);
    *world = made.release();
  });
}

void limber_world_free(limber_world* world) { delete world; }

limber_result limber_world_add(limber_world* world, const limber_model* model,
                               const limber_body_options* options, limber_body* body) {
  return guarded([&] {
    require(world, "world");
    require(model, "model");
    require(body, "body");
    limber_body_options given{};
    if (options != nullptr) given = versioned(options, "body options");
    Body added;
    added.model = model->shared;
    added.skin = given.method == LIMBER_LINEAR_MODAL ? SkinMethod::linear : SkinMethod::warped;
    added.positions.resize(3 * static_cast<std::size_t>(added.model->skin.vertex_count()));
    added.normals.resize(added.positions.size());
    std::unique_ptr<DynamicBody> dynamics = make(*world, *added.model, given);
    const ContactPart part = contact_part(
        given.touch, given.touch.none == 0 ? added.model->collider() : Collider::Shared());
    std::string name = name_for(given.name, "body");
    const NeverRefused all_or_none;
    added.id = world->world.add(std::move(name), std::move(dynamics), part);
    *body = number_of(added.id);
    world->bodies.push_back(std::move(added));
  });
}

limber_result limber_world_remove(limber_world* world, limber_body body) {
  return guarded([&] {
    const BodyId id = body_of(world, body).id;
    const NeverRefused all_or_none;
    world->world.remove(id);
    forget_joints(*world, body);
    std::erase_if(world->bodies, [&](const Body& each) { return each.id == id; });
  });
}

limber_result limber_world_set_gravity(limber_world* world, const double gravity[3]) {
  return guarded([&] {
    require(world, "world");
    const Vec3 given = vector(gravity, "gravity");
    const NeverRefused all_or_none;
    for (WorldBody& body : world->world.bodies()) body.dynamics->set_loads(gravity_alone(given));
    world->world.contacts().wake_all();
    world->gravity = given;
  });
}

limber_result limber_world_set_budget(limber_world* world, const limber_budget_options* options) {
  return guarded([&] {
    require(world, "world");
    const limber_budget_options given = versioned(options, "options");
    if (given.has_view != 0 && given.has_view != 1)
      throw Error("`has_view` is neither 0 nor 1", "budget options", "begin with {sizeof options}");
    DetailBudget budget;
    budget.microseconds = given.microseconds;
    if (given.machine != 0) budget.costs.machine = given.machine;
    if (given.has_view == 1) {
      budget.view.given = true;
      budget.view.eye = vector(given.eye, "eye");
      budget.view.towards = vector(given.towards, "towards");
      if (!budget.view.towards.isZero(0)) budget.view.half_angle = given.angle / 2;
    }
    world->world.set_budget(budget);
  });
}

limber_result limber_body_set_importance(limber_world* world, limber_body body, double importance) {
  return guarded([&] { world->world.set_importance(body_of(world, body).id, importance); });
}

limber_result limber_world_step(limber_world* world, double seconds) {
  return guarded([&] {
    require(world, "world");
    const NeverRefused whole_step;
    if (const Fault fault = world->world.step(seconds)) throw error_of(fault, "step");
    tell_stopped(*world);
  });
}

limber_result limber_world_settle(limber_world* world) {
  return guarded([&] {
    require(world, "world");
    world->world.settle();
  });
}

limber_result limber_world_time(const limber_world* world, double* seconds) {
  return guarded([&] {
    require(world, "world");
    require(seconds, "seconds");
    *seconds = world->world.time();
  });
}

}  // extern "C"
