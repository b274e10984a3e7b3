// A take as a film by the program's renderer, on a thread of its own: people go on playing.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "limber/mesh/tri_mesh.h"
#include "server/take.h"
#include "server/temporary_folder.h"

namespace limber::studio {

/// How a film is taken: what the page looks through, and how large and how fine.
struct FilmView {
  Vec3 eye = Vec3::Zero(), target = Vec3::Zero();  // m, world
  double half_height = 0.3;                        // tangent of half the vertical angle of view
  int width = 1280, height = 720;                  // pixels
  int samples = 16;                                // rays a pixel at most
  double frame_rate = 30;                          // 1/s, of the scene's time
};

/// What is filmed.
struct FilmScene {
  Take take;
  std::vector<TriMesh> looks;      // of the bodies, where the scene still has them
  std::vector<TriMesh> obstacles;  // in their own coordinates; those that are not seen are empty
  std::optional<double> ground;    // height of a level one, m
};

struct FilmState {
  int number = 0;           ///< counts the films that were asked for
  std::string take;         ///< its name; empty: no film was asked for
  int done = 0, total = 0;  ///< pictures
  bool running = false, ready = false;
  std::string error;  ///< what came instead of a film
};

class FilmMaker {
 public:
  /// `told` is called from the film's thread whenever the state has changed.
  explicit FilmMaker(std::function<void()> told) : told_(std::move(told)) {}
  ~FilmMaker() = default;
  FilmMaker(const FilmMaker&) = delete;
  FilmMaker& operator=(const FilmMaker&) = delete;

  /// Instead of the last film. Throws Error when one is being made or ffmpeg is not installed.
  void start(FilmScene scene, const FilmView& view);
  /// Some rows of the picture in hand later.
  void cancel();
  [[nodiscard]] FilmState state() const;
  /// The file's bytes. Throws Error when there is none.
  [[nodiscard]] std::string film() const;

 private:
  void make(const std::stop_token& stop, const FilmScene& scene, const FilmView& view);
  void tell(const std::function<void(FilmState&)>& change);

  std::function<void()> told_;
  mutable std::mutex mutex_;  // guards the next one
  FilmState state_;
  std::optional<TemporaryFolder> folder_;
  std::jthread thread_;  // last, so that it ends before what it uses
};

}  // namespace limber::studio
