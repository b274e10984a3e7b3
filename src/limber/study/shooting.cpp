#include "limber/study/shooting.h"

#include <limits>

#include "limber/core/error.h"

namespace limber::study {

namespace {

/// A ball that touches again within so many seconds has not been away: one collision.
constexpr double kSameTouch = 0.2;

}  // namespace

Shooting::Shooting(Stimulus stimulus, const Progress& progress)
    : stimulus_(std::move(stimulus)), world_(stimulus_.scene, progress) {
  if (world_.bodies().size() != 1) {
    throw Error("the body has loose pieces", body().name(), "say \"pieces\": \"glue\"");
  }
  for (std::size_t k = 0; k < stimulus_.shots.size(); ++k) {
    balls_.push_back(world_.world().find(ball_name(k)));
  }
  last_touch_.assign(balls_.size(), -std::numeric_limits<double>::infinity());
}

bool Shooting::over() const { return time() >= stimulus_.scene.duration - 0.5 / frame_rate(); }

void Shooting::advance() {
  for (int k = 0; k < world_.steps_per_frame(); ++k) {
    world_.step();
    note_hits();
  }
}

void Shooting::note_hits() {
  const World& world = world_.world();
  const int body = world.participant(this->body().id());
  for (const ContactRecord& contact : world.contacts().contacts()) {
    if ((contact.a != body && contact.b != body) || contact.impulse.isZero()) continue;
    const int other = contact.a == body ? contact.b : contact.a;
    for (std::size_t k = 0; k < balls_.size(); ++k) {
      if (world.participant(balls_[k]) != other) continue;
      if (time() - last_touch_[k] > kSameTouch) hits_.push_back({time(), static_cast<int>(k)});
      last_touch_[k] = time();
    }
  }
}

Positions Shooting::surface_positions() const {
  return body().surface_positions(body().node_positions());
}

Positions Shooting::ball_positions() const {
  Positions positions(static_cast<Eigen::Index>(balls_.size()), 3);
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    positions.row(static_cast<Eigen::Index>(k)) =
        world_.world().body(balls_[k]).dynamics->rest_place().position.transpose();
  }
  return positions;
}

void Shooting::pull(int vertex, const Vec3& target) {
  if (vertex < 0 || vertex >= surface().V.rows()) {
    throw Error("the body has no such vertex", "pull", "grab one of its own");
  }
  if (!target.allFinite()) throw Error("the target is not finite", "pull", "point at the picture");
  Handles& handles = world_.bodies().front().dynamics().handles();
  if (handle_ >= 0 && vertex == vertex_) return handles.move(handle_, target);
  let_go();
  Handle handle;
  handle.kind = HandleKind::spring;
  handle.point = point_of(body().source().binding, vertex);
  handle.target = Path({0.0}, {target});
  handle.stiffness = stimulus_.hand.stiffness;
  handle.damping = stimulus_.hand.damping;
  handle_ = handles.add(handle);
  vertex_ = vertex;
  world_.world().wake(body().id());
}

void Shooting::let_go() {
  if (handle_ < 0) return;
  world_.bodies().front().dynamics().handles().remove(handle_);
  world_.world().wake(body().id());
  handle_ = vertex_ = -1;
}

}  // namespace limber::study
