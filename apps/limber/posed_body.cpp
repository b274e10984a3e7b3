#include "posed_body.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "limber/core/error.h"
#include "limber/core/stopwatch.h"
#include "limber/interpolate/shell_modes.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/embedding/embed.h"
#include "limber/mesh/gltf/rigged_surface.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/select.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"
#include "messages.h"

namespace limber {

namespace {

/// Corners in ascending order: a tet that the reader turned round is the same tet.
std::array<int, 4> sorted_corners(const Tets& tets, Eigen::Index tet) {
  std::array<int, 4> corners{tets(tet, 0), tets(tet, 1), tets(tet, 2), tets(tet, 3)};
  std::sort(corners.begin(), corners.end());
  return corners;
}

void refuse_other_counts(Eigen::Index nodes, Eigen::Index elements, Eigen::Index rest_nodes,
                         Eigen::Index rest_elements, const std::filesystem::path& path) {
  if (nodes == rest_nodes && elements == rest_elements) return;
  throw Error(fmt::format("{} nodes and {} elements where the rest shape has {} and {}", nodes,
                          elements, rest_nodes, rest_elements),
              path.string(), "give poses of the same mesh");
}

Positions read_tet_pose(const std::filesystem::path& path, const TetMesh& rest) {
  if (!is_tet_format(path)) {
    throw Error("the pose is a surface, the rest shape has tets", path.string(),
                "give the surface at rest too, with --surface");
  }
  const TetMesh pose = read_tet_mesh(path);
  refuse_other_counts(pose.V.rows(), pose.T.rows(), rest.V.rows(), rest.T.rows(), path);
  for (Eigen::Index tet = 0; tet < pose.T.rows(); ++tet) {
    if (sorted_corners(pose.T, tet) != sorted_corners(rest.T, tet)) {
      throw Error(fmt::format("tet {} has other nodes than in the rest shape", tet), path.string(),
                  "give poses of the same mesh");
    }
  }
  return pose.V;
}

Positions read_surface_pose(const std::filesystem::path& path, const TriMesh& rest) {
  const TriMesh pose = read_surface(path);
  refuse_other_counts(pose.V.rows(), pose.F.rows(), rest.V.rows(), rest.F.rows(), path);
  for (Eigen::Index f = 0; f < pose.F.rows(); ++f) {
    if (pose.F.row(f) != rest.F.row(f)) {
      throw Error(fmt::format("triangle {} has other vertices than in the rest shape", f),
                  path.string(), "give poses of the same surface");
    }
  }
  return pose.V;
}

struct NamedPose {
  std::string name;
  Positions positions;
};

/// The files' poses, or those of a clip.
std::vector<NamedPose> surface_key_poses(const PosedBodyOptions& options, const TriMesh& rest) {
  std::vector<NamedPose> poses;
  for (const auto& path : options.poses) {
    poses.push_back({path.string(), read_surface_pose(path, rest)});
  }
  if (options.clip.empty()) return poses;
  const RiggedSurface rig = RiggedSurface::read(options.surface_file());
  const GltfClip& clip = rig.clip(options.clip);
  for (const double time : options.clip_times) {
    poses.push_back(
        {fmt::format("{}, clip {} at {:g} s", options.surface_file().string(), clip.name, time),
         rig.sample(clip, time)});
  }
  return poses;
}

std::vector<int> selected(const TetMesh& mesh, const std::vector<std::string>& selections) {
  std::vector<int> nodes;
  for (const std::string& selection : selections) {
    const std::vector<int> picked = select_nodes(mesh, selection);
    nodes.insert(nodes.end(), picked.begin(), picked.end());
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// The vertices of a posed surface that a selection means: by number, or by place. None where it
/// names nodes or regions of the tets.
std::vector<int> picked_vertices(const TriMesh& surface, const std::string& selection) {
  if (std::optional<std::vector<int>> numbers =
          select_vertices(selection, surface.vertex_count())) {
    return std::move(*numbers);
  }
  if (selection.find(':') != std::string::npos && (selection.find("nodes") != std::string::npos ||
                                                   selection.find("region") != std::string::npos)) {
    return {};
  }
  const PointTest inside = select_points(selection);
  std::vector<int> vertices;
  for (int v = 0; v < surface.vertex_count(); ++v) {
    if (inside(surface.V.row(v))) vertices.push_back(v);
  }
  return vertices;
}

/// The nodes of the tets below a posed surface that the same selection means. May be none, for a
/// limb that the tets miss, but for the surface's too.
std::vector<int> picked_nodes(const TetMesh& tets, const TriMesh& surface,
                              const std::string& selection) {
  if (picked_vertices(surface, selection).empty()) return select_nodes(tets, selection);
  if (select_vertices(selection, surface.vertex_count())) return {};
  const PointTest inside = select_points(selection);
  std::vector<int> nodes;
  for (int node = 0; node < tets.node_count(); ++node) {
    if (inside(tets.V.row(node))) nodes.push_back(node);
  }
  return nodes;
}

/// Vertices this far outside the tets, of the surface's size, are told of: a limb that the tets
/// miss.
constexpr double kFarOutside = 0.01;

/// What lies outside is carried by its own triangles, and does not swing by itself.
void warn_of_strays(const Embedding& embedding, const TriMesh& surface,
                    const std::filesystem::path& path) {
  const double size = (surface.V.colwise().maxCoeff() - surface.V.colwise().minCoeff()).norm();
  if (embedding.limited == 0 && !(embedding.farthest_outside > kFarOutside * size)) return;
  fmt::print(stderr,
             "limber: warning: {}: {} of {} vertices lie outside the tets, by up to {:.3g} ({:.1f} "
             "% of the size): more --cells hold thin limbs better\n",
             path.string(), embedding.outside, embedding.vertex_count(), embedding.farthest_outside,
             100 * embedding.farthest_outside / size);
}

/// Nodes to hold: those fixed and those held beside.
std::vector<int> united(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  return a;
}

}  // namespace

std::vector<std::filesystem::path> PosedBodyOptions::files() const {
  std::vector<std::filesystem::path> all = poses;
  for (const auto& [time, path] : inserted) all.push_back(path);
  all.push_back(rest);
  if (!surface.empty()) all.push_back(surface);
  return all;
}

PosedBody::PosedBody(const PosedBodyOptions& options, const Progress& progress) {
  if (is_tet_format(options.rest)) {
    tets_ = read_tet_mesh(options.rest);
    read_tets(options, progress);
    return;
  }
  if (!options.surface.empty()) {
    throw Error("a surface hangs on tets", options.surface.string(),
                "leave --surface out, or give a tetrahedral rest shape");
  }
  surface_ = read_surface(options.rest);
  if (options.shell || !surface_topology(surface_).closed) {
    read_shell(options, progress);
  } else {
    fill(options, progress);
  }
}

/// A closed surface is a body: tets are made that carry it.
void PosedBody::fill(const PosedBodyOptions& options, const Progress& progress) {
  TetrahedralizeOptions filling;
  filling.cells = options.cells;
  filling.progress = progress;
  Tetrahedralized filled = tetrahedralize(surface_, filling);
  for (const std::string& warning : filled.report.warnings) {
    warn("{}", warning);
  }
  tets_ = std::move(filled.mesh);
  PosedBodyOptions carried = options;
  carried.surface = options.rest;
  read_tets(carried, progress);
}

void PosedBody::read_tets(const PosedBodyOptions& options, const Progress& progress) {
  if (options.shell) {
    throw Error("a shell is a surface", options.rest.string(), "leave --shell out");
  }
  if (!options.surface.empty()) {
    read_posed_surfaces(options, progress);
  } else {
    Boundary boundary = boundary_surface(tets_);
    surface_ = std::move(boundary.surface);
    boundary_nodes_ = std::move(boundary.nodes);
    for (const auto& path : options.poses) poses_.push_back(read_tet_pose(path, tets_));
    for (const auto& [time, path] : options.inserted) {
      inserted_.emplace_back(time, read_tet_pose(path, tets_));
    }
  }
  PoseModesOptions modal;
  modal.modes = options.modes;
  modal.materials = options.material;
  modal.fixed_nodes = selected(tets_, options.fix);
  hold(options, modal.fixed_nodes);
  Stopwatch clock;
  modes_ = pose_modes(tets_, modal, progress);
  eigen_seconds_ = clock.lap();
}

void PosedBody::hold(const PosedBodyOptions& options, const std::vector<int>& fixed) {
  if (posed_surfaces_.empty()) {
    held_ = united(fixed, selected(tets_, options.hold));
    return;
  }
  held_ = fixed;
  for (const std::string& selection : options.hold) {
    held_ = united(held_, picked_nodes(tets_, surface_, selection));
    held_vertices_ = united(held_vertices_, picked_vertices(surface_, selection));
  }
  for (const std::string& selection : options.fix) {
    held_vertices_ = united(held_vertices_, picked_vertices(surface_, selection));
  }
}

void PosedBody::read_posed_surfaces(const PosedBodyOptions& options, const Progress& progress) {
  surface_ = read_surface(options.surface);
  const auto elements = std::make_shared<const Elements>(elements_of(tets_));
  const Embedding embedding = embed(tets_, surface_);
  warn_of_strays(embedding, surface_, options.surface);
  vertices_outside_ = embedding.outside;
  binding_ = binding_of(embedding);
  SurfacePoserOptions posing;
  posing.stiffness = options.surface_stiffness;
  SurfacePoser poser(elements, surface_, binding_, posing);
  const std::vector<NamedPose> keys = surface_key_poses(options, surface_);
  const auto nodes_of = [&](const NamedPose& pose, std::vector<Positions>& surfaces) {
    surfaces.push_back(pose.positions);
    SurfacePose found = poser.pose(surfaces.back(), pose.name);
    if (!found.solve.converged) {
      warn("{}: the tets were still moving by {:g} m", pose.name, found.solve.last_step);
    }
    const double share = static_cast<double>(poses_.size() + inserted_.size() + 1) /
                         static_cast<double>(keys.size() + options.inserted.size());
    report(progress, "pose the tets", share);
    return std::move(found.nodes);
  };
  for (const NamedPose& key : keys) poses_.push_back(nodes_of(key, posed_surfaces_));
  for (const auto& [time, path] : options.inserted) {
    inserted_.emplace_back(
        time, nodes_of({path.string(), read_surface_pose(path, surface_)}, inserted_surfaces_));
  }
}

void PosedBody::read_shell(const PosedBodyOptions& options, const Progress& progress) {
  for (NamedPose& key : surface_key_poses(options, surface_)) {
    poses_.push_back(std::move(key.positions));
  }
  for (const auto& [time, path] : options.inserted) {
    inserted_.emplace_back(time, read_surface_pose(path, surface_));
  }
  ShellModesOptions modal;
  modal.modes = options.modes;
  modal.material = {options.material, options.thickness};
  TetMesh vertices;  // selections pick by place or number alone
  vertices.V = surface_.V;
  modal.fixed_nodes = selected(vertices, options.fix);
  held_ = united(modal.fixed_nodes, selected(vertices, options.hold));
  Stopwatch clock;
  modes_ = shell_modes(surface_, modal, progress);
  eigen_seconds_ = clock.lap();
}

std::vector<std::optional<Positions>> PosedBody::velocities(const std::vector<int>& still) const {
  if (still.empty()) return {};
  std::vector<std::optional<Positions>> result(poses_.size());
  for (const int pose : still) {
    if (pose < 0 || pose >= static_cast<int>(poses_.size())) {
      throw Error(fmt::format("pose {} of {}", pose, poses_.size()), "--still",
                  "count the poses from 0");
    }
    result[pose] = Positions::Zero(poses_[pose].rows(), 3);
  }
  return result;
}

void PosedBody::start(const std::vector<double>& times, InterpolationOptions options,
                      const std::optional<double>& gamma, const std::vector<int>& still) {
  const std::vector<KeyPose> keys = key_poses(poses_, times, velocities(still), gamma, options);
  for (const int node : held_) options.positions.push_back({node, {}});
  options.held_vertices = held_vertices_;
  if (!posed_surfaces_.empty()) {
    start_surface(keys, times, options);
    return;
  }
  shape_.emplace(modes_, keys, options);
  for (const auto& [time, pose] : inserted_) shape_->insert_key(time, pose);
}

void PosedBody::start_surface(const std::vector<KeyPose>& keys, const std::vector<double>& times,
                              const InterpolationOptions& options) {
  const bool given = options.quasi_static.has_value();
  carried_.emplace(
      modes_, surface_, binding_, keys,
      given ? std::vector{posed_surfaces_.front(), posed_surfaces_.back()} : posed_surfaces_,
      options);
  for (std::size_t k = 1; given && k + 1 < poses_.size(); ++k) {
    carried_->add_pose(times[k], poses_[k], posed_surfaces_[k], false);
  }
  for (std::size_t k = 0; k < inserted_.size(); ++k) {
    carried_->add_pose(inserted_[k].first, inserted_[k].second, inserted_surfaces_[k], true);
  }
}

double PosedBody::miss(std::size_t pose, double t) {
  Frame frame;
  evaluate(t, frame);
  return carried_ ? (frame.surface - posed_surfaces_[pose]).rowwise().norm().maxCoeff()
                  : (frame.nodes - poses_[pose]).rowwise().norm().maxCoeff();
}

void PosedBody::evaluate(double t, Frame& frame) {
  if (carried_) {
    carried_->evaluate(t, frame.surface, &frame.nodes);
    return;
  }
  shape_->evaluate(t, frame.nodes);
  shown(frame.nodes, frame.surface);
}

void PosedBody::shown(const Positions& nodes, Positions& surface) const {
  if (boundary_nodes_.empty()) {
    surface = nodes;
    return;
  }
  surface.resize(static_cast<Eigen::Index>(boundary_nodes_.size()), 3);
  for (std::size_t v = 0; v < boundary_nodes_.size(); ++v) {
    surface.row(static_cast<Eigen::Index>(v)) = nodes.row(boundary_nodes_[v]);
  }
}

std::vector<Positions> PosedBody::surface_poses() const {
  if (!posed_surfaces_.empty()) return posed_surfaces_;
  std::vector<Positions> surfaces(poses_.size());
  for (std::size_t k = 0; k < poses_.size(); ++k) shown(poses_[k], surfaces[k]);
  return surfaces;
}

}  // namespace limber
