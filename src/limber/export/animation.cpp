#include "limber/export/animation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "limber/core/error.h"
#include "limber/export/writers.h"
#include "limber/mesh/checks.h"

namespace limber {

namespace {

struct Format {
  std::string_view ending;
  WriterPointer (*open)(const std::filesystem::path&, BodyList, double);
};

constexpr std::array<Format, 6> kFormats = {{{".glb", open_glb},
                                             {".mdd", open_mdd},
                                             {".pc2", open_pc2},
                                             {".pvd", open_pvd},
                                             {".usda", open_usda},
                                             {".npz", open_npz}}};

const Format* find_format(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(),
                                   [&](const Format& format) { return format.ending == ending; });
  return found == kFormats.end() ? nullptr : found;
}

/// Single-precision formats turn larger numbers into infinity.
bool fits_single_precision(const Positions& points) {
  constexpr double limit = std::numeric_limits<float>::max();
  return points.size() == 0 || (points.array().abs() <= limit).all();  // false for NaN
}

void check_points(const Positions& points, Eigen::Index expected, const char* what,
                  const std::string& body) {
  if (points.rows() != expected) {
    throw Error(
        fmt::format("a frame has {} {} where the body has {}", points.rows(), what, expected), body,
        "give every frame the vertices of the body in their order");
  }
  if (!fits_single_precision(points)) {
    throw Error(fmt::format("a frame has {} that are not finite numbers", what), body,
                "the motion has diverged: take a smaller time step or more damping",
                Error::Kind::work_failed);
  }
}

void check_body(const AnimatedBody& body) {
  check(body.surface, body.name);
  const TriMesh& surface = body.surface;
  const Tets& T = body.tets.T;
  if (T.size() > 0 && (T.minCoeff() < 0 || T.maxCoeff() >= body.tets.node_count())) {
    throw Error("a tet names a node that is not there", body.name, "check the mesh");
  }
  if (!fits_single_precision(surface.V) || !fits_single_precision(body.tets.V)) {
    throw Error("rest positions that are not finite numbers", body.name, "check the mesh");
  }
  const auto fits = [](Eigen::Index given, Eigen::Index needed) {
    return given == 0 || given == needed;
  };
  if (!fits(surface.uv.rows(), surface.V.rows()) ||
      !fits(surface.corner_uv.rows(), 3 * surface.F.rows()) ||
      !fits(surface.colours.rows(), surface.V.rows()) ||
      !fits(std::ssize(surface.face_materials), surface.F.rows()) ||
      !fits(std::ssize(surface.looks), std::ssize(surface.material_names)) ||
      !fits(std::ssize(body.tets.regions), T.rows())) {
    throw Error("texture coordinates, colours, materials or regions do not fit the mesh", body.name,
                "give one for each vertex, corner, triangle or tet");
  }
}

}  // namespace

AnimationWriter::AnimationWriter(std::filesystem::path path, std::vector<AnimatedBody> bodies,
                                 double frames_per_second)
    : path_(std::move(path)), bodies_(std::move(bodies)), frames_per_second_(frames_per_second) {
  if (bodies_.empty()) throw Error("no body to write", path_.string(), "give at least one");
  if (!(frames_per_second > 0) || !std::isfinite(frames_per_second)) {
    throw Error(fmt::format("{} frames per second", frames_per_second), path_.string(),
                "give a positive number");
  }
  for (const AnimatedBody& body : bodies_) check_body(body);
}

AnimationWriter::~AnimationWriter() = default;

void AnimationWriter::add_frame(double time, std::span<const BodyFrame> bodies) {
  if (finished_) throw std::logic_error("a frame was added to a finished animation");
  // Compared in single precision, which most formats keep times in.
  if (!std::isfinite(time) || time < 0 ||
      (!times_.empty() && static_cast<float>(time) <= static_cast<float>(times_.back()))) {
    throw Error(fmt::format("frame at {} s does not come after the one before", time),
                path_.string(), "give frames in order of time, from 0 on");
  }
  if (bodies.size() != bodies_.size()) {
    throw Error(fmt::format("a frame has {} bodies where the animation has {}", bodies.size(),
                            bodies_.size()),
                path_.string(), "give every body in every frame");
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const AnimatedBody& body = bodies_[b];
    const BodyFrame& frame = bodies[b];
    const Eigen::Index nodes = body.tets.V.rows();
    check_points(frame.surface, body.surface.V.rows(), "surface vertices", body.name);
    if (wants_nodes() || frame.nodes.rows() > 0) {
      check_points(frame.nodes, nodes, "nodes", body.name);
    }
    if (frame.velocities.rows() > 0) check_points(frame.velocities, nodes, "velocities", body.name);
  }
  append(time, bodies);
  times_.push_back(time);
}

std::vector<std::filesystem::path> AnimationWriter::finish(const Progress& progress) {
  if (finished_) throw std::logic_error("an animation was finished twice");
  if (times_.empty()) throw Error("no frame to write", path_.string(), "simulate at least one");
  finished_ = true;
  return write(progress);
}

std::unique_ptr<AnimationWriter> open_animation(const std::filesystem::path& path,
                                                std::vector<AnimatedBody> bodies,
                                                double frames_per_second) {
  const Format* format = find_format(path);
  if (format == nullptr) {
    throw Error("not an animation format: '" + path.extension().string() + "'", path.string(),
                "use .glb, .mdd, .pc2, .pvd, .usda or .npz");
  }
  return format->open(path, std::move(bodies), frames_per_second);
}

bool is_animation_format(const std::filesystem::path& path) { return find_format(path) != nullptr; }

}  // namespace limber
