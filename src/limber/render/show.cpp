#include "limber/render/show.h"

#include <algorithm>
#include <cmath>

namespace limber {

SceneDescription with_method(SceneDescription scene, const std::string& method) {
  for (BodyDescription& body : scene.bodies) body.method = method;
  return scene;
}

Show::Show(const SceneDescription& scene, const std::vector<std::string>& methods, Paint paint,
           const Progress& progress)
    : methods_(methods) {
  if (methods.empty()) worlds_.push_back(std::make_unique<World>(scene, progress));
  for (const std::string& method : methods) {
    worlds_.push_back(std::make_unique<World>(with_method(scene, method), progress));
  }
  for (std::size_t k = 0; k < worlds_.size(); ++k) {
    casts_.emplace_back(*worlds_[k], paint);
    if (!methods.empty()) casts_.back().paint_all(method_colour(methods[k]));
  }
}

Moment Show::now() const {
  Moment moment{worlds_.front()->time(), {}};
  for (const Cast& cast : casts_) moment.casts.push_back(cast.now());
  return moment;
}

void Show::watch(const Moment& moment) {
  for (const auto& cast : moment.casts) {
    for (const BodyMoment& body : cast) extent_.add(body.surface);
  }
}

Moment Show::moment_at(double time, double until, const Progress& progress) {
  const World& first = *worlds_.front();
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
  std::vector<Shape> shapes;
  for (std::size_t k = 0; k < casts_.size(); ++k) {
    Cast::Look own = look;
    own.rest = look.rest && k == 0;
    const std::size_t begin = shapes.size();
    casts_[k].add_shapes(moment.casts[k], own, shapes);
    // Where methods agree their surfaces coincide; a hair's breadth decides who is seen.
    const float hair = 3e-4f * static_cast<float>(extent_.ground_below(Vec3::UnitY()).radius);
    for (std::size_t s = begin; s < shapes.size(); ++s) {
      Shape& shape = shapes[s];
      const auto outwards = shape.normals.topRows(shape.positions.rows());
      shape.positions += (static_cast<float>(k) * hair) * outwards;
    }
  }
  return shapes;
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
