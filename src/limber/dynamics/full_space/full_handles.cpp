#include "limber/dynamics/full_space/full_handles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

/// An orientation's edges beside the tets around them: the cluster turns as one, and misses its
/// target by a thousandth of what it would give way. Harder ones cost the solver iterations.
constexpr double kGrip = 1e3;

bool free_to_move(const SimulatedMesh& mesh, const BodyPoint& point) {
  for (std::size_t k = 0; k < 4; ++k) {
    if (point.weights[k] != 0 && mesh.free().free_index(point.nodes[k]) >= 0) return true;
  }
  return false;
}

int heaviest_node(const BodyPoint& point) {
  const auto largest = std::max_element(point.weights.begin(), point.weights.end());
  return point.nodes[static_cast<std::size_t>(largest - point.weights.begin())];
}

}  // namespace

void FullHandles::Held::archive(StateArchive& state) {
  state.value(number);
  state.value(kind);
  state.value(point);
  state.value(centre);
  state.value(cluster);
  state.value(path);
  state.value(fresh);
  for (Vec3* part : {&target, &reached, &in_frame}) state.raw(part->data(), 3 * sizeof(double));
}

void FullHandles::check(const Handle& handle) const {
  const std::string where = "handle on node " + std::to_string(handle.point.nodes[0]);
  const int nodes = system_.mesh.node_count();
  limber::check(handle.point, nodes, where.c_str());
  for (const BodyPoint& point : handle.exercised) limber::check(point, nodes, where.c_str());
  if (!free_to_move(system_.mesh, handle.point)) {
    throw Error("the point is fixed and cannot be held", where, "take a point that is free");
  }
  if (!handle.target.at(0).value.allFinite()) {
    throw Error("the target is not finite", where, "give three finite numbers");
  }
  const bool damper =
      handle.kind == HandleKind::velocity || handle.kind == HandleKind::acceleration;
  if (damper && system_.options.integrator == TimeIntegrator::symplectic_euler) {
    throw Error("an explicit step cannot be given a velocity or an acceleration", where,
                "use the implicit integrator");
  }
  if (damper && !handle.exercised.empty()) {
    throw Error("a velocity or acceleration is given to the point itself", where,
                "leave \"exercised\" out for bodies at full resolution");
  }
}

int FullHandles::add(const Handle& handle) {
  check(handle);
  Held held;
  held.number = next_number_;
  held.kind = handle.kind;
  held.point = handle.point;
  held.centre = heaviest_node(handle.point);
  held.target = handle.target.at(now_.time).value;
  if (handle.kind == HandleKind::orientation) {
    add_edges(handle, held);
  } else {
    add_springs(handle, held);
  }
  if (handle.target.times().size() > 1) {
    held.path = static_cast<int>(paths_.size());
    paths_.push_back(handle.target);
  }
  held.in_frame = held.reached = place_in_frame(held.target);
  held_.push_back(held);
  set_springs(held, 0, now_.v);
  return next_number_++;
}

void FullHandles::add_springs(const Handle& handle, Held& held) {
  held.cluster = !handle.exercised.empty();
  const std::size_t count = std::max<std::size_t>(1, handle.exercised.size());
  for (std::size_t k = 0; k < count; ++k) {
    PointSpring spring;
    spring.point = held.cluster ? handle.exercised[k] : handle.point;
    if (!free_to_move(system_.mesh, spring.point)) continue;
    spring.owner = held.number;
    if (handle.kind == HandleKind::position) {
      spring.stiffness = std::numeric_limits<double>::infinity();
    } else if (handle.kind == HandleKind::spring) {
      spring.stiffness = handle.stiffness / static_cast<double>(count);
      spring.damping = handle.damping / static_cast<double>(count);
    }
    system_.springs.add(spring);
  }
}

void FullHandles::add_edges(const Handle& handle, Held& held) {
  std::vector<int> ends;
  for (const BodyPoint& point : handle.exercised) ends.push_back(heaviest_node(point));
  if (ends.empty()) {
    const auto around = system_.mesh.graph().neighbours(held.centre);
    ends.assign(around.begin(), around.end());
  }
  held.cluster = true;
  Mat3 spread = Mat3::Zero();
  const Positions& V = system_.mesh.mesh().V;
  for (const int end : ends) {
    if (end == held.centre) continue;
    const Vec3 edge = (V.row(end) - V.row(held.centre)).transpose();
    spread += edge * edge.transpose();
  }
  // Edges along one line cannot be turned about it.
  if (!(Mat3(spread.trace() * Mat3::Identity() - spread).determinant() > 0)) {
    throw Error("its points lie on a line and cannot be turned",
                "orientation handle on node " + std::to_string(held.centre),
                "name more exercised points, or none");
  }
  for (const int end : ends) {
    if (end == held.centre) continue;
    PointSpring spring;
    spring.point = {{end, held.centre, end, end}, {1, -1, 0, 0}};
    if (!free_to_move(system_.mesh, spring.point)) continue;
    spring.owner = held.number;
    spring.stiffness = kGrip * system_.springs.own_stiffness(spring.point);
    system_.springs.add(spring);
  }
}

FullHandles::Held& FullHandles::find(int number) {
  const auto found = std::find_if(held_.begin(), held_.end(),
                                  [&](const Held& held) { return held.number == number; });
  if (found == held_.end()) {
    throw Error("there is no handle " + std::to_string(number), "handles",
                "use the number that adding it gave");
  }
  return *found;
}

void FullHandles::move(int handle, const Vec3& target) {
  Held& held = find(handle);
  if (!target.allFinite()) {
    throw Error("the target is not finite", "handle " + std::to_string(handle),
                "give three finite numbers");
  }
  held.target = target;
  held.path = -1;
}

void FullHandles::remove(int handle) {
  [[maybe_unused]] const Held& known = find(handle);
  std::erase_if(held_, [&](const Held& held) { return held.number == handle; });
  system_.springs.remove_owned_by(handle);
}

Vec3 FullHandles::place_in_frame(const Vec3& target) const {
  if (!system_.free_body) return target;
  return now_.frame.rotation.transpose() * (target - now_.frame.position);
}

Mat3 FullHandles::turn_in_frame(const Vec3& target) const {
  const Mat3 turn = rotation_exp(target);
  return system_.free_body ? Mat3(now_.frame.rotation.transpose() * turn) : turn;
}

Vec3 FullHandles::target_at(const Held& held, double time) const {
  return held.path < 0 ? held.target : paths_[static_cast<std::size_t>(held.path)].at(time).value;
}

/// The rotation nearest to the present one of the handle's springs.
Mat3 FullHandles::cluster_rotation(const Held& held) const {
  const Positions& V = system_.mesh.mesh().V;
  const bool edges = held.kind == HandleKind::orientation;
  const Vec3 rest = held.point.sum(V), present = held.point.sum(now_.x);
  Mat3 moments = Mat3::Zero();
  for (const PointSpring& spring : system_.springs.all()) {
    if (spring.owner != held.number) continue;
    const Vec3 before = edges ? spring.point.sum(V) : Vec3(spring.point.sum(V) - rest);
    const Vec3 now = edges ? spring.point.sum(now_.x) : Vec3(spring.point.sum(now_.x) - present);
    moments += now * before.transpose();
  }
  return polar_rotation(moments);
}

/// Of what the handle asks for in `held.in_frame`, over a step of h seconds.
void FullHandles::set_springs(const Held& held, double h, const Positions& velocities) {
  const Positions& V = system_.mesh.mesh().V;
  const bool damper = held.kind == HandleKind::velocity || held.kind == HandleKind::acceleration;
  Mat3 turn = Mat3::Identity();
  if (held.kind == HandleKind::orientation) {
    turn = turn_in_frame(held.target);
  } else if (held.cluster) {
    turn = cluster_rotation(held);
  }
  for (PointSpring& spring : system_.springs.all()) {
    if (spring.owner != held.number) continue;
    if (damper) {
      const Vec3 given =
          system_.free_body ? Vec3(now_.frame.rotation.transpose() * held.target) : held.target;
      spring.damping = PointSprings::kHard * system_.springs.own_stiffness(spring.point) * h;
      spring.target_rate = held.kind == HandleKind::velocity
                               ? given
                               : Vec3(spring.point.sum(velocities) + h * given);
      continue;
    }
    if (held.kind == HandleKind::orientation) {
      spring.target = turn * spring.point.sum(V);
      continue;
    }
    spring.target = held.in_frame;
    if (held.cluster) spring.target += turn * (spring.point.sum(V) - held.point.sum(V));
    if (h > 0) spring.target_rate = (held.in_frame - held.reached) / h;
  }
}

void FullHandles::begin_step(double time, double h, const Positions& velocities) {
  for (Held& held : held_) {
    held.target = target_at(held, time);
    held.in_frame = place_in_frame(held.target);
    set_springs(held, h, velocities);
  }
}

void FullHandles::end_step() {
  for (Held& held : held_) {
    held.reached = held.in_frame;
    held.fresh = false;
  }
}

HandleErrors FullHandles::errors() const {
  HandleErrors errors;
  for (const Held& held : held_) {
    const Vec3 target = target_at(held, now_.time);
    if (held.kind == HandleKind::position) {
      const Vec3 missing = held.point.sum(now_.x) - place_in_frame(target);
      errors.position = std::max(errors.position, missing.norm());
    } else if (held.kind == HandleKind::orientation) {
      const Mat3 missing = turn_in_frame(target).transpose() * cluster_rotation(held);
      errors.orientation = std::max(errors.orientation, rotation_log(missing).norm());
    }
  }
  return errors;
}

std::vector<HandleForce> FullHandles::forces() const {
  std::vector<HandleForce> forces;
  const Mat3 out = system_.free_body ? now_.frame.rotation : Mat3(Mat3::Identity());
  for (const Held& held : held_) {
    if (held.fresh) continue;
    for (const PointSpring& spring : system_.springs.all()) {
      if (spring.owner != held.number) continue;
      const Vec3 force = out * spring.force;
      if (held.kind != HandleKind::orientation) {
        forces.push_back({held.number, spring.point, force});
        continue;
      }
      forces.push_back({held.number, BodyPoint::at_node(spring.point.nodes[0]), force});
      forces.push_back({held.number, BodyPoint::at_node(held.centre), -force});
    }
  }
  return forces;
}

void FullHandles::archive(StateArchive& state) {
  state.each(held_);
  state.value(next_number_);
}

}  // namespace limber
