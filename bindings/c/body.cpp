// What is done to bodies, and what can be known of them.
#include <cmath>

#include "arguments.h"
#include "results.h"
#include "world.h"

namespace {

using namespace limber;
using namespace limber::c;

void copy(const Vec3& from, double* to) { std::copy_n(from.data(), 3, to); }

/// A point of the body, or Error.
BodyPoint checked_point(const DynamicBody& body, const limber_point* given) {
  const BodyPoint result = point(given);
  check(result, body.node_count(), "point");
  return result;
}

Handle handle_of(const limber_handle_options& given) {
  if (given.kind < LIMBER_POSITION || given.kind > LIMBER_SPRING) {
    throw Error("there is no kind of handle " + std::to_string(given.kind), "handle options",
                "take LIMBER_POSITION to LIMBER_SPRING");
  }
  if (given.treatment < LIMBER_PREVIOUS || given.treatment > LIMBER_NEWTON) {
    throw Error("there is no treatment " + std::to_string(given.treatment), "handle options",
                "take LIMBER_PREVIOUS to LIMBER_NEWTON");
  }
  if (given.reserved != 0) {
    throw Error("`reserved` is not zero", "handle options", "begin with {sizeof options}");
  }
  Handle handle;
  handle.kind = static_cast<HandleKind>(given.kind);
  handle.treatment = static_cast<Treatment>(given.treatment);
  handle.point = point(&given.point);
  handle.target = Path({0.0}, {vector(given.target, "target")});
  handle.stiffness = given.stiffness;
  handle.damping = given.damping;
  return handle;
}
static_assert(static_cast<int>(HandleKind::spring) == LIMBER_SPRING &&
              static_cast<int>(HandleKind::orientation) == LIMBER_ORIENTATION &&
              static_cast<int>(Treatment::newton) == LIMBER_NEWTON);

bool is_finite(const limber_body_state& state) {
  double sum = state.kinetic_energy + state.elastic_energy;
  for (int c = 0; c < 3; ++c) {
    sum += std::abs(state.position[c]) + std::abs(state.momentum[c]) +
           std::abs(state.angular_momentum[c]) + std::abs(state.contact_force[c]);
  }
  return std::isfinite(sum);
}

}  // namespace

extern "C" {

limber_result limber_body_get_state(const limber_world* world, limber_body number,
                                    limber_body_state* state) {
  return guarded([&] {
    const DynamicBody& body = dynamics_of(world, number);
    limber_body_state filled{};
    const WorldBody& in_world =
        world->world.body(body_of(const_cast<limber_world*>(world), number).id);
    filled.stopped = in_world.stopped() ? 1 : 0;
    if (in_world.participant != kNobody) {
      const Contacts& contacts = world->world.contacts();
      filled.asleep = contacts.asleep(in_world.participant) ? 1 : 0;
      filled.contacts = contacts.contact_count(in_world.participant);
      copy(contacts.contact_force(in_world.participant), filled.contact_force);
    }
    const RestPlace place = body.rest_place();
    copy(place.position, filled.position);
    const Quaternion turn(place.rotation);
    std::copy_n(turn.coeffs().data(), 4, filled.rotation);
    const Momentum momentum = body.momentum();
    copy(momentum.linear, filled.momentum);
    copy(momentum.angular, filled.angular_momentum);
    filled.kinetic_energy = body.kinetic_energy();
    filled.elastic_energy = body.elastic_energy();
    if (!in_world.stopped() && !is_finite(filled)) {
      throw Error("the motion has left every sensible size", in_world.name,
                  "take smaller velocities, masses or forces");
    }
    give(filled, state, "state");
  });
}

limber_result limber_body_place(limber_world* world, limber_body body, const double position[3],
                                const double turn[4]) {
  return guarded([&] {
    const Vec3 place = vector(position, "position");
    const Mat3 rotated = rotation(turn, "rotation").toRotationMatrix();
    woken(world, body).place(place, rotated);
  });
}

limber_result limber_body_set_velocity(limber_world* world, limber_body body,
                                       const double velocity[3], const double angular_velocity[3]) {
  return guarded([&] {
    const Vec3 linear = vector(velocity, "velocity");
    const Vec3 angular = vector(angular_velocity, "angular_velocity");
    woken(world, body).set_velocity(linear, angular);
  });
}

limber_result limber_body_set_support(limber_world* world, limber_body body, const limber_key* keys,
                                      size_t count) {
  return guarded([&] {
    DynamicBody& held = woken(world, body);
    held.set_support(SupportMotion(support_keys(keys, count)));
  });
}

limber_result limber_body_impulse(limber_world* world, limber_body body, const limber_point* at,
                                  const double impulse[3]) {
  return guarded([&] {
    DynamicBody& hit = woken(world, body);
    hit.apply_impulse(checked_point(hit, at), vector(impulse, "impulse"));
  });
}

limber_result limber_body_point(const limber_world* world, limber_body body, const limber_point* at,
                                double position[3], double velocity[3]) {
  return guarded([&] {
    const DynamicBody& seen = dynamics_of(world, body);
    const BodyPoint wanted = checked_point(seen, at);
    PointState state;
    seen.point_states({&wanted, 1}, {&state, 1});
    if (position != nullptr) copy(state.position, position);
    if (velocity != nullptr) copy(state.velocity, velocity);
  });
}

limber_result limber_body_set_modal(limber_world* world, limber_body body, const double* amplitudes,
                                    const double* velocities, size_t count) {
  return guarded([&] {
    DynamicBody& moved = woken(world, body);
    static_cast<void>(soft_body_of(world, body));
    require(amplitudes, "amplitudes");
    require_count(count, moved.modal().size(), "amplitudes");
    const std::vector<double> q(amplitudes, amplitudes + count);
    std::vector<double> v(count, 0.0);
    if (velocities != nullptr) v.assign(velocities, velocities + count);
    if (!Eigen::Map<const Vector>(q.data(), static_cast<Eigen::Index>(count)).allFinite() ||
        !Eigen::Map<const Vector>(v.data(), static_cast<Eigen::Index>(count)).allFinite()) {
      throw Error("an amplitude is not finite", "argument", "give ordinary numbers");
    }
    moved.set_modal(q, v);
  });
}

limber_result limber_body_resume(limber_world* world, limber_body number) {
  return guarded([&] {
    Body& body = body_of(world, number);
    world->world.resume(body.id);
    body.told = false;
  });
}

limber_result limber_body_hold(limber_world* world, limber_body body,
                               const limber_handle_options* options, int32_t* handle) {
  return guarded([&] {
    DynamicBody& held = woken(world, body);
    require(handle, "handle");
    *handle = held.handles().add(handle_of(versioned(options, "handle options")));
  });
}

limber_result limber_body_move_handle(limber_world* world, limber_body body, int32_t handle,
                                      const double target[3]) {
  return guarded([&] { woken(world, body).handles().move(handle, vector(target, "target")); });
}

limber_result limber_body_release(limber_world* world, limber_body body, int32_t handle) {
  return guarded([&] { woken(world, body).handles().remove(handle); });
}

limber_result limber_body_handle_errors(const limber_world* world, limber_body body, double* metres,
                                        double* radians) {
  return guarded([&] {
    const HandleErrors errors = dynamics_of(world, body).handles().errors();
    if (metres != nullptr) *metres = errors.position;
    if (radians != nullptr) *radians = errors.orientation;
  });
}

}  // extern "C"
