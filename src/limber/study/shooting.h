// A stimulus in motion: its world, the balls, who was hit when, and the hand of a player.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/scene/scene_world.h"
#include "limber/study/stimulus.h"

namespace limber::study {

/// A ball has touched the body: once for each time it comes.
struct BallHit {
  double time = 0;  // s
  int ball = 0;
};

class Shooting {
 public:
  explicit Shooting(Stimulus stimulus, const Progress& progress = {});

  /// One picture on; notes the hits. Throws Error (work_failed) when the body cannot go on.
  void advance();
  [[nodiscard]] bool over() const;
  [[nodiscard]] double time() const { return world_.time(); }
  [[nodiscard]] int picture_count() const { return world_.frame_count(); }
  [[nodiscard]] double frame_rate() const { return world_.frame_rate(); }

  [[nodiscard]] const Stimulus& stimulus() const { return stimulus_; }
  [[nodiscard]] const TriMesh& surface() const { return body().surface(); }
  /// v×3, world.
  [[nodiscard]] Positions surface_positions() const;
  /// balls×3, world.
  [[nodiscard]] Positions ball_positions() const;
  [[nodiscard]] const std::vector<BallHit>& hits() const { return hits_; }

  /// A vertex of the surface is pulled to a place; another vertex lets the last one go. Throws
  /// Error for one that is not there or fixed.
  void pull(int vertex, const Vec3& target);
  void let_go();

 private:
  [[nodiscard]] const SceneBody& body() const { return world_.bodies().front(); }
  void note_hits();

  Stimulus stimulus_;
  SceneWorld world_;
  std::vector<BodyId> balls_;
  std::vector<double> last_touch_;  // s, of each ball; long ago: never
  std::vector<BallHit> hits_;
  int vertex_ = -1;
  int handle_ = -1;
};

/// The whole motion, as the page takes it: see film.cpp.
[[nodiscard]] std::string film_bytes(Stimulus stimulus, const Progress& progress = {});
/// The same without pictures, for a game that makes its own.
[[nodiscard]] std::string game_bytes(const Shooting& shooting);
/// One picture of a game: time, hits, over (0 or 1), vertices, balls; 32-bit floats.
[[nodiscard]] std::string picture_bytes(const Shooting& shooting);
/// When balls touched the body, from the bytes of a film.
[[nodiscard]] std::vector<double> contacts_of_film(std::string_view film);

}  // namespace limber::study
