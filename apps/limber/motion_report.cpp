#include "motion_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/mesh/checks.h"
#include "limber/scene/json_writer.h"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;

/// A pose that changes the volume by more is told of.
constexpr double kVolumeToTellOf = 0.03;

Json json_of(const FrameQuality& quality, bool closed) {
  Json result{{"longest_edge", quality.longest},
              {"shortest_edge", quality.shortest},
              {"straying", quality.straying}};
  if (closed) {
    result["swelling"] = quality.swelling;
    result["shrinking"] = quality.shrinking;
  }
  return result;
}

}  // namespace

MotionReport::MotionReport(PosedBody& body, std::vector<double> times, bool check)
    : body_(body),
      times_(std::move(times)),
      quality_(body.surface(), times_, body.surface_poses()) {
  if (!quality_.closed() && body.tets().tet_count() > 0) {
    rest_volume_ = volume(body.tets().V, body.tets().T);
  }
  if (!check) return;
  finder_.emplace(body.surface());
  for (const Positions& pose : body.surface_poses()) {
    crossings_in_poses_ = std::max(crossings_in_poses_, finder_->find(pose).pairs);
  }
}

void MotionReport::add_frame(double t, const PosedBody::Frame& frame) {
  Json entry{{"time", t}};
  const FrameQuality quality = quality_.measure(t, frame.surface);
  if (quality_.closed() && quality_.rest_volume() != 0) {
    entry["volume"] = quality.volume;
    entry["volume_ratio"] = quality.volume / quality_.rest_volume();
  } else if (rest_volume_ > 0) {
    const double now = volume(frame.nodes, body_.tets().T);
    entry["volume"] = now;
    entry["volume_ratio"] = now / rest_volume_;
  }
  if (t <= times_.back()) {
    const FrameQuality blend = quality_.measure_blend(t);
    worst_ = worst_ ? worse(*worst_, quality) : quality;
    worst_of_blends_ = worst_of_blends_ ? worse(*worst_of_blends_, blend) : blend;
    entry["surface"] = json_of(quality, quality_.closed());
  }
  if (finder_) {
    const FrameIntersections found = finder_->find(frame.surface);
    entry["self_intersections"] = found.pairs;
    if (!found.triangles.empty()) entry["crossing_triangles"] = found.triangles;
    if (found.pairs > 0) {
      crossings_.push_back({{"frame", frames_.size()}, {"time", t}, {"pairs", found.pairs}});
    }
    if (found.pairs > crossings_in_poses_) crossing_times_.push_back(t);
    most_crossings_ = std::max(most_crossings_, found.pairs);
  }
  Vector z(body_.modes()->mode_count());
  body_.motion().motion().at(t, z);
  entry["modal"] = std::vector<double>(z.data(), z.data() + z.size());
  frames_.push_back(std::move(entry));
}

/// How near the motion comes to each pose.
void MotionReport::add_keys() {
  const std::vector<PoseNotes>& notes = body_.motion().notes();
  for (std::size_t k = 0; k < notes.size(); ++k) {
    const std::size_t pose = k + 1 < notes.size() ? k : times_.size() - 1;
    keys_.push_back({{"time", times_[pose]},
                     {"inverted", notes[k].inverted},
                     {"singular", notes[k].singular},
                     {"position_error", body_.miss(pose, times_[pose])}});
    if (quality_.closed() && quality_.rest_volume() != 0) {
      keys_.back()["volume_ratio"] = quality_.volumes_of_poses()[pose];
    }
  }
}

Json MotionReport::quality_summary() const {
  Json result{{"motion", json_of(*worst_, quality_.closed())},
              {"straight_lines", json_of(*worst_of_blends_, quality_.closed())}};
  if (finder_) {
    result["self_intersections"] = {{"in_poses", crossings_in_poses_},
                                    {"most", most_crossings_},
                                    {"times", crossing_times_},
                                    {"frames", crossings_}};
  }
  return result;
}

std::string MotionReport::json(double fps, const Seconds& seconds) {
  add_keys();
  const PoseModes& modes = *body_.modes();
  const bool shell = modes.elements()->is_shell();
  Json root{{"nodes", modes.elements()->node_count()},
            {shell ? "triangles" : "tets", modes.elements()->element_count()},
            {"modes", modes.mode_count()},
            {"vertices", body_.surface().vertex_count()},
            {"vertices_outside", body_.vertices_outside()},
            {"keys", keys_},
            {"frames", frames_},
            {"summary",
             {{"frames", frames_.size()},
              {"fps", fps},
              {"quality", quality_summary()},
              {"seconds",
               {{"modes", seconds.modes},
                {"eigen", body_.eigen_seconds()},
                {"setup", seconds.setup},
                {"frames", seconds.frames}}}}}};
  return json_text(root, "--report") + "\n";
}

std::vector<std::string> MotionReport::findings() const {
  std::vector<std::string> lines;
  std::string first = fmt::format("edges stray by {:.3g} from their poses (straight lines: {:.3g})",
                                  worst_->straying, worst_of_blends_->straying);
  if (quality_.closed()) {
    first += fmt::format(", volume {:.3f} to {:.3f} (straight lines: {:.3f} to {:.3f})",
                         worst_->shrinking, worst_->swelling, worst_of_blends_->shrinking,
                         worst_of_blends_->swelling);
  }
  lines.push_back(std::move(first));
  for (std::size_t k = 0; quality_.closed() && k < times_.size(); ++k) {
    const double ratio = quality_.volumes_of_poses()[k];
    if (std::abs(ratio - 1) < kVolumeToTellOf) continue;
    lines.push_back(fmt::format(
        "pose {} itself has {:.3f} of the volume at rest, and the motion follows it", k, ratio));
  }
  if (!crossing_times_.empty()) {
    lines.push_back(fmt::format(
        "the surface goes through itself in {} of {} frames, from {:.3g} to {:.3g} s, by up to {} "
        "pairs of triangles (the poses: {}); the report lists them, --insert mends them",
        crossing_times_.size(), frames_.size(), crossing_times_.front(), crossing_times_.back(),
        most_crossings_, crossings_in_poses_));
  }
  return lines;
}

}  // namespace limber
