#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/export/animation.h"
#include "server/recorder.h"
#include "server/temporary_folder.h"

namespace limber::studio {

namespace {

constexpr double kFramesPerSecond = 60;

/// Whether the surface is the recorded one, triangle by triangle.
bool is_of(const TriMesh& look, const RecordedBody& body) {
  return look.V.rows() == body.rest_positions.rows() && look.F.rows() == body.triangles.rows() &&
         look.F == body.triangles;
}

std::vector<AnimatedBody> animated(const Recording& recording, const std::vector<TriMesh>& looks) {
  std::vector<AnimatedBody> result;
  std::vector<TriMesh> surfaces = surfaces_of(recording, looks);
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    AnimatedBody entry;
    entry.name = recording.bodies[k].name;
    entry.surface = std::move(surfaces[k]);
    result.push_back(std::move(entry));
  }
  return result;
}

}  // namespace

std::vector<TriMesh> surfaces_of(const Recording& recording, const std::vector<TriMesh>& looks) {
  std::vector<TriMesh> surfaces;
  for (std::size_t k = 0; k < recording.bodies.size(); ++k) {
    const RecordedBody& body = recording.bodies[k];
    TriMesh& surface = surfaces.emplace_back();
    if (k < looks.size() && is_of(looks[k], body)) surface = looks[k];
    surface.V = body.rest_positions;
    surface.F = body.triangles;
  }
  return surfaces;
}

std::string write_take(const Take& take, const std::vector<TriMesh>& looks,
                       const std::string& ending, const Progress& progress) {
  const Recording& recording = *take.recording;
  const std::vector<std::string> formats = recording_formats(recording.bodies.size());
  if (std::find(formats.begin(), formats.end(), ending) == formats.end()) {
    throw Error("a recording cannot be saved as ." + ending, "download", "choose .glb or .usda");
  }
  const TemporaryFolder folder;
  const auto writer = open_animation(folder.path() / ("recording." + ending),
                                     animated(recording, looks), kFramesPerSecond);
  writer->allow_error(kInvisibleError);
  for (std::size_t frame = take.from; frame <= take.to; ++frame) {
    std::vector<BodyFrame> bodies;
    for (const std::vector<float>& surface : recording.surfaces[frame]) {
      BodyFrame body;
      body.surface = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>>(
                         surface.data(), static_cast<Eigen::Index>(surface.size() / 3), 3)
                         .cast<double>();
      bodies.push_back(std::move(body));
    }
    writer->add_frame(recording.times[frame] - recording.times[take.from], bodies);
  }
  const FileBytes file(writer->finish(progress).front());
  return std::string(file.text());
}

}  // namespace limber::studio
