#include "limber/render/show.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "limber/core/error.h"

namespace limber {

SceneDescription with_method(SceneDescription scene, const std::string& method) {
  const std::optional<Method> known = find_method(method);
  if (!known) throw Error("unknown method \"" + method + "\"", "scene", "see `limber compare -h`");
  for (BodyDescription& body : scene.bodies) body = with_method(std::move(body), *known);
  return scene;
}

Show::Show(const SceneDescription& scene, const std::vector<std::string>& methods, Paint paint,
           const Progress& progress)
    : methods_(methods) {
  if (methods.empty()) worlds_.push_back(std::make_unique<SceneWorld>(scene, progress));
  for (const std::string& method : methods) {
    worlds_.push_back(std::make_unique<SceneWorld>(with_method(scene, method), progress));
  }
  for (std::size_t k = 0; k < worlds_.size(); ++k) {
    casts_.emplace_back(*worlds_[k], paint);
    if (!methods.empty()) casts_.back().paint_all(method_colour(methods[k]));
  }
}

Moment Show::now() const {
  Moment moment{worlds_.front()->time(), {}};
  for (std::size_t k = 0; k < casts_.size(); ++k) {
    moment.casts.push_back(casts_[k].now());
    for (BodyMoment& body : moment.casts.back()) {
      const auto shift = (static_cast<double>(k) * gap_).transpose();
      body.surface.rowwise() += shift;
      body.rest_surface.rowwise() += shift;
    }
  }
  return moment;
}

void Show::set_apart() { gap_ = gap_between_methods(*worlds_.front()); }

View Show::natural_view(const MotionExtent& extent) const {
  const Vec3 up = up_of(worlds_.front()->scene());
  return gap_.isZero() || worlds_.size() < 2 ? extent.natural_view(up) : row_view(up);
}

void Show::watch(const Moment& moment) {
  for (const auto& cast : moment.casts) {
    for (const BodyMoment& body : cast) extent_.add(body.surface);
  }
}

Moment Show::moment_at(double time, double until, const Progress& progress) {
  const SceneWorld& first = *worlds_.front();
  const auto steps_to = [&](double t) { return std::lround(t / first.time_step()); };
  const long wanted = steps_to(time);
  const long last = std::max(wanted, steps_to(until));
  Moment moment;
  for (long step = 0; step <= last; ++step) {
    if (step > 0) {
      for (const auto& world : worlds_) world->step();
    }
    if (step == wanted || step % first.steps_per_frame() == 0) {
      Moment present = now();
      watch(present);
      if (step == wanted) moment = std::move(present);
    }
    report(progress, "simulate", last > 0 ? static_cast<double>(step) / last : 1);
  }
  return moment;
}

std::vector<Moment> Show::all_frames(const Progress& progress) {
  std::vector<Moment> moments;
  const int count = worlds_.front()->frame_count();
  for (int frame = 0; frame < count; ++frame) {
    if (frame > 0) {
      for (const auto& world : worlds_) {
        for (int step = 0; step < world->steps_per_frame(); ++step) world->step();
      }
    }
    moments.push_back(now());
    watch(moments.back());
    report(progress, "simulate", (frame + 1.0) / count);
  }
  return moments;
}

Moment Show::settled() {
  for (const auto& world : worlds_) world->settle();
  Moment moment = now();
  watch(moment);
  return moment;
}

std::vector<Cast::Entry> Show::legend() const {
  if (methods_.empty()) return casts_.front().legend();
  std::vector<Cast::Entry> entries;
  for (const std::string& method : methods_) entries.push_back({method, method_colour(method)});
  return entries;
}

std::vector<Shape> Show::shapes(const Moment& moment, const Cast::Look& look) const {
  std::vector<std::vector<Shape>> methods(casts_.size());
  for (std::size_t k = 0; k < casts_.size(); ++k) {
    Cast::Look own = look;
    own.rest = look.rest && (k == 0 || !gap_.isZero());
    casts_[k].add_shapes(moment.casts[k], own, methods[k]);
  }
  if (gap_.isZero()) return overlaid(std::move(methods), extent_of(moment).radius());
  std::vector<Shape> shapes;
  for (std::vector<Shape>& method : methods) {
    std::move(method.begin(), method.end(), std::back_inserter(shapes));
  }
  return shapes;
}

std::vector<Shape> overlaid(std::vector<std::vector<Shape>> methods, double radius) {
  constexpr double kVeil = 0.34;
  constexpr double kHair = 4e-4;  // of the radius: less than a pixel, more than rounding
  std::vector<Shape> shapes;
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const bool last = k + 1 == methods.size();
    const auto inwards = static_cast<float>(-kHair * radius * static_cast<double>(k));
    for (Shape& shape : methods[k]) {
      if (!last && shape.opacity == 1) shape.opacity = kVeil;
      shape.positions += inwards * shape.normals.topRows(shape.positions.rows());
      shapes.push_back(std::move(shape));
    }
  }
  return shapes;
}

Vec3 gap_between_methods(const SceneWorld& world) {
  constexpr double kDepths = 1.8;
  MotionExtent rest;
  for (const SceneBody& body : world.bodies()) rest.add(body.surface().V);
  View straight = rest.natural_view(up_of(world.scene()));
  straight.elevation = 0;
  const Vec3 backwards = view_frame(straight).col(2);
  Eigen::Index axis = 0;
  backwards.cwiseAbs().maxCoeff(&axis);
  const Vector along = rest.points().col(axis);
  const double gap = kDepths * (along.maxCoeff() - along.minCoeff());
  return (backwards[axis] < 0 ? -gap : gap) * Vec3::Unit(axis);
}

View row_view(const Vec3& up) {
  return {.azimuth = std::numbers::pi / 4, .elevation = 0.33, .zoom = 1, .up = up};
}

MotionExtent extent_of(const Moment& moment) {
  MotionExtent extent;
  for (const auto& cast : moment.casts) {
    for (const BodyMoment& body : cast) extent.add(body.surface);
  }
  return extent;
}

double largest_value(const std::vector<Moment>& moments) {
  double most = 0;
  for (const Moment& moment : moments) {
    for (const auto& cast : moment.casts) {
      for (const BodyMoment& body : cast) {
        if (body.values.size() > 0) most = std::max(most, body.values.cwiseAbs().maxCoeff());
      }
    }
  }
  return most;
}

}  // namespace limber
