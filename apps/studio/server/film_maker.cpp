#include "server/film_maker.h"

#include <cmath>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/plot/colour.h"
#include "limber/render/film.h"
#include "limber/render/stage.h"
#include "server/recorder.h"

namespace limber::studio {

namespace {

constexpr const char* kFilmName = "film.mp4";
constexpr unsigned kObstacleColour = 0x9AA3AD;  // as the renderer's own scenes have them

/// Thrown between the bands of a picture when nobody wants the film any more.
struct CalledOff {};

/// What moves in a film, with what stays the same of it.
struct Actor {
  TriMesh surface;
  Shading shading;
  std::shared_ptr<const SurfacePaint> paint;
  Colour colour;

  Actor(TriMesh of, const Colour& plain)
      : surface(std::move(of)), shading(surface), paint(SurfacePaint::of(surface)), colour(plain) {}

  [[nodiscard]] Shape at(const Positions& positions) const {
    Shape shape = make_shape(surface, shading, positions, colour);
    shape.vertex_colours = surface.colours;
    shape.paint = paint;
    return shape;
  }
};

Positions placed(const TriMesh& surface, const BodyPlace& place) {
  const Mat3 turn = Eigen::Quaterniond(place.rotation).normalized().toRotationMatrix();
  return (surface.V * turn.transpose()).rowwise() + place.position.transpose();
}

Positions recorded(const std::vector<float>& surface) {
  return Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>>(
             surface.data(), static_cast<Eigen::Index>(surface.size() / 3), 3)
      .cast<double>();
}

/// Bodies first, then the obstacles that are seen.
class FilmCast {
 public:
  explicit FilmCast(const FilmScene& scene) : scene_(scene) {
    for (const TriMesh& body : surfaces_of(*scene.take.recording, scene.looks)) {
      bodies_.emplace_back(body, body_colour(bodies_.size()));
    }
    for (const TriMesh& obstacle : scene.obstacles) {
      obstacles_.emplace_back(obstacle, limber::colour(kObstacleColour));
    }
  }

  [[nodiscard]] std::vector<Shape> at(std::size_t frame) const {
    const Recording& recording = *scene_.take.recording;
    std::vector<Shape> shapes;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      shapes.push_back(bodies_[k].at(recorded(recording.surfaces[frame][k])));
    }
    const auto& places = recording.obstacles[frame];
    for (std::size_t k = 0; k < std::min(obstacles_.size(), places.size()); ++k) {
      if (obstacles_[k].surface.F.rows() == 0) continue;
      shapes.push_back(obstacles_[k].at(placed(obstacles_[k].surface, places[k])));
    }
    return shapes;
  }

 private:
  const FilmScene& scene_;
  std::vector<Actor> bodies_, obstacles_;
};

Floor floor_of(const FilmScene& scene) {
  MotionExtent extent;
  for (std::size_t frame = scene.take.from; frame <= scene.take.to; ++frame) {
    for (const auto& surface : scene.take.recording->surfaces[frame]) {
      extent.add(recorded(surface));
    }
  }
  Floor floor = extent.floor_below(Vec3::UnitY());
  if (scene.ground) floor.height = *scene.ground;
  return floor;
}

}  // namespace

void FilmMaker::tell(const std::function<void(FilmState&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(state_);
  }
  told_();
}

FilmState FilmMaker::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void FilmMaker::start(FilmScene scene, const FilmView& view) {
  if (state().running) {
    throw Error("a film is being made", state().take, "wait for it, or cancel it");
  }
  thread_ = {};
  folder_.emplace();
  try {
    const Film film(folder_->path() / kFilmName, view.frame_rate);  // looks for ffmpeg
  } catch (const Error& error) {
    throw Error(error.problem(), "the computer that the studio runs on",
                "install it (apt-get install ffmpeg), or save the take as .glb");
  }
  const double duration = scene.take.duration();
  FilmState state;
  state.number = this->state().number + 1;
  state.take = scene.take.name;
  state.total = 1 + static_cast<int>(std::floor(duration * view.frame_rate + 1e-6));
  state.running = true;
  {
    const std::lock_guard lock(mutex_);
    state_ = std::move(state);
  }
  thread_ = std::jthread([this, scene = std::move(scene), view](const std::stop_token& stop) {
    try {
      make(stop, scene, view);
    } catch (const CalledOff&) {
      tell([](FilmState& state) {
        const int number = state.number;
        state = {};
        state.number = number;
      });
    } catch (const std::exception& error) {
      tell([&](FilmState& failed) {
        failed.running = false;
        failed.error = error.what();
      });
    }
  });
}

void FilmMaker::make(const std::stop_token& stop, const FilmScene& scene, const FilmView& view) {
  Film film(folder_->path() / kFilmName, view.frame_rate);
  const FilmCast cast(scene);
  const Floor floor = floor_of(scene);
  Camera camera =
      look_at(view.eye, view.target, Vec3::UnitY(), static_cast<double>(view.width) / view.height);
  camera.half_height = view.half_height;
  RenderOptions options;
  options.width = view.width;
  options.height = view.height;
  options.samples = view.samples;
  // One processor is left for those who play on.
  options.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
  const Progress called_off = [&stop](std::string_view, double) {
    if (stop.stop_requested()) throw CalledOff();
  };
  const int total = state().total;
  for (int k = 0; k < total; ++k) {
    const std::size_t frame = scene.take.frame_at(k / view.frame_rate);
    film.add(render(cast.at(frame), camera, floor, options, called_off));
    tell([&](FilmState& state) { state.done = k + 1; });
  }
  film.finish();
  tell([](FilmState& state) {
    state.running = false;
    state.ready = true;
  });
}

void FilmMaker::cancel() { thread_.request_stop(); }

std::string FilmMaker::film() const {
  if (!state().ready) {
    throw Error("there is no film", "download", "make one of a take first");
  }
  const FileBytes file(folder_->path() / kFilmName);
  return std::string(file.text());
}

}  // namespace limber::studio
