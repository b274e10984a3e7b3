#include "limber/dynamics/adaptive/adaptive_handles.h"

#include <string>

#include "limber/core/error.h"

namespace limber {

void AdaptiveHandles::bind(Handles& inner, double time) {
  inner_ = &inner;
  time_ = time;
  for (Held& held : held_) {
    if (held.inner < 0) continue;
    held.inner = add_inner(given(held), held.reached);
    inner_->move(held.inner, held.target);
  }
}

/// In the leaves' points, and where it is now.
int AdaptiveHandles::add_inner(const Handle& handle, const Vec3& target) {
  Handle mapped = handle;
  mapped.point = leaves_.point(handle.point);
  for (BodyPoint& point : mapped.exercised) point = leaves_.point(point);
  mapped.target = Path({0}, {target});
  return inner_->add(mapped);
}

int AdaptiveHandles::add(const Handle& handle) {
  const std::string where = "handle on node " + std::to_string(handle.point.nodes[0]);
  const int count = leaves_.fine_count();
  check(handle.point, count, where.c_str());
  for (const BodyPoint& point : handle.exercised) check(point, count, where.c_str());
  const Vec3 target = handle.target.at(time_).value;
  if (!target.allFinite())
    throw Error("the target is not finite", where, "give three finite numbers");
  std::vector<BodyPoint> all = points();
  all.push_back(handle.point);
  all.insert(all.end(), handle.exercised.begin(), handle.exercised.end());
  hold_(std::move(all));
  Held held;
  held.which = static_cast<int>(all_.size());
  held.inner = add_inner(handle, target);
  held.target = held.reached = target;
  held.moved = handle.target.times().size() < 2;
  held_.push_back(held);
  all_.push_back(handle);
  return static_cast<int>(held_.size()) - 1;
}

std::vector<BodyPoint> AdaptiveHandles::points() const {
  std::vector<BodyPoint> points;
  for (const Held& held : held_) {
    if (held.inner < 0) continue;
    const Handle& handle = given(held);
    points.push_back(handle.point);
    points.insert(points.end(), handle.exercised.begin(), handle.exercised.end());
  }
  return points;
}

AdaptiveHandles::Held& AdaptiveHandles::find(int number) {
  const auto n = static_cast<std::size_t>(number);
  if (number < 0 || n >= held_.size() || held_[n].inner < 0) {
    throw Error("there is no handle " + std::to_string(number), "handles",
                "use the number that adding it gave");
  }
  return held_[n];
}

void AdaptiveHandles::move(int handle, const Vec3& target) {
  Held& held = find(handle);
  inner_->move(held.inner, target);
  held.target = target;
  held.moved = true;
}

void AdaptiveHandles::remove(int handle) {
  Held& held = find(handle);
  inner_->remove(held.inner);
  held.inner = -1;
  hold_(points());
}

void AdaptiveHandles::go_to(double time) {
  time_ = time;
  for (Held& held : held_) {
    if (held.inner < 0 || held.moved) continue;
    held.target = given(held).target.at(time).value;
    inner_->move(held.inner, held.target);
  }
}

void AdaptiveHandles::end_step() {
  for (Held& held : held_) held.reached = held.target;
}

std::vector<HandleForce> AdaptiveHandles::forces() const {
  std::vector<HandleForce> forces = inner_->forces();
  for (HandleForce& force : forces) {
    force.point = leaves_.back(force.point);
    for (std::size_t k = 0; k < held_.size(); ++k) {
      if (held_[k].inner == force.handle) {
        force.handle = static_cast<int>(k);
        break;
      }
    }
  }
  return forces;
}

void AdaptiveHandles::archive(StateArchive& state) {
  state.value(time_);
  state.list(held_);
}

}  // namespace limber
