#include "limber/interpolate/motion/surface_interpolation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/trajectories/key_weights.h"

namespace limber {

namespace {

using Corners = std::array<int, 4>;

Corners sorted(Corners corners) {
  std::sort(corners.begin(), corners.end());
  return corners;
}

/// The triangles' rotations are fitted; the tets below only carry them.
InterpolationOptions unfitted(InterpolationOptions options) {
  options.fits = 0;
  options.within_poses = false;
  return options;
}

/// Vertices that hang on constrained nodes alone, with paths of their own or without.
std::vector<char> hanging_vertices(const SurfaceBinding& binding,
                                   const InterpolationOptions& options, bool with_path) {
  std::set<int> nodes;
  for (const PositionConstraint& constraint : options.positions) {
    if (constraint.path.has_value() == with_path) nodes.insert(constraint.node);
  }
  std::vector<char> hanging(binding.vertex_count(), 0);
  for (int v = 0; v < binding.vertex_count(); ++v) {
    bool all = true;
    for (int k = 0; k < 4; ++k) {
      all = all && (binding.weights[4 * v + k] == 0 || nodes.contains(binding.nodes[4 * v + k]));
    }
    hanging[v] = all;
  }
  return hanging;
}

std::vector<char> held_vertices(const SurfaceBinding& binding,
                                const InterpolationOptions& options) {
  std::vector<char> held = hanging_vertices(binding, options, false);
  for (const int v : options.held_vertices) {
    if (v < 0 || v >= binding.vertex_count()) {
      throw Error(fmt::format("vertex {} of {}", v, binding.vertex_count()), "held vertices",
                  "count the surface's vertices from 0");
    }
    held[v] = 1;
  }
  return held;
}

}  // namespace

std::vector<int> elements_of_vertices(const Elements& elements, const SurfaceBinding& binding) {
  std::map<Corners, int> by_corners;
  std::vector<int> first_at(elements.node_count(), -1);
  for (int element = elements.element_count(); element-- > 0;) {
    Corners corners{};
    for (int k = 0; k < 4; ++k) {
      corners[k] = elements.corners(element, k);
      first_at[corners[k]] = element;
    }
    by_corners[sorted(corners)] = element;
  }
  std::vector<int> result(binding.vertex_count());
  for (int v = 0; v < binding.vertex_count(); ++v) {
    Corners corners{};
    int heaviest = 0;
    for (int k = 0; k < 4; ++k) {
      corners[k] = binding.nodes[4 * v + k];
      if (binding.weights[4 * v + k] > binding.weights[4 * v + heaviest]) heaviest = k;
    }
    const auto found = by_corners.find(sorted(corners));
    result[v] = found != by_corners.end() ? found->second : first_at[corners[heaviest]];
    if (result[v] < 0) {
      throw Error(fmt::format("vertex {} hangs on nodes of no element", v), "surface",
                  "bind this surface to the mesh");
    }
  }
  return result;
}

SurfaceInterpolation::SurfaceInterpolation(std::shared_ptr<const PoseModes> modes,
                                           const TriMesh& rest, SurfaceBinding binding,
                                           const std::vector<KeyPose>& keys,
                                           const std::vector<Positions>& surfaces,
                                           const InterpolationOptions& options)
    : binding_(std::move(binding)),
      element_of_(elements_of_vertices(*modes->elements(), binding_)),
      shape_(modes, keys, unfitted(options)),
      triangles_(checked_rest(rest), element_of_, held_vertices(binding_, options),
                 hanging_vertices(binding_, options, true)) {
  if (surfaces.size() != keys.size()) {
    throw Error(fmt::format("{} surfaces for {} keys", surfaces.size(), keys.size()), "surfaces",
                "give one surface a key");
  }
  const auto shown = [&](int element) { return shape_.rotation_of(element); };
  for (std::size_t k = 0; k < keys.size(); ++k) {
    check_surface(surfaces[k], fmt::format("pose {}", k));
    shape_.evaluate(keys[k].time, nodes_);
    times_.push_back(keys[k].time);
    details_.push_back(details_of(nodes_, surfaces[k], shown));
    triangles_.add_pose(keys[k].time, surfaces[k], shape_);
  }
  if (options.within_poses && follows_poses(options)) keep_ranges(rest, surfaces, options);
}

void SurfaceInterpolation::keep_ranges(const TriMesh& rest, const std::vector<Positions>& surfaces,
                                       const InterpolationOptions& options) {
  const std::vector<char> held = held_vertices(binding_, options);
  std::vector<int> vertices;
  for (int v = 0; v < binding_.vertex_count(); ++v) {
    if (held[v]) vertices.push_back(v);
  }
  ranges_.emplace(rest, vertices);
  for (std::size_t k = 0; k < surfaces.size(); ++k) ranges_->add_pose(times_[k], surfaces[k]);
}

const TriMesh& SurfaceInterpolation::checked_rest(const TriMesh& rest) const {
  check_surface(rest.V, "rest surface");
  return rest;
}

void SurfaceInterpolation::check_surface(const Positions& surface, const std::string& where) const {
  if (surface.rows() == binding_.vertex_count() && surface.allFinite()) return;
  throw Error(fmt::format("{} vertices where {} are bound, or numbers that are not finite",
                          surface.rows(), binding_.vertex_count()),
              where, "give poses of the same surface");
}

template <typename RotationOf>
Positions SurfaceInterpolation::details_of(const Positions& nodes, const Positions& surface,
                                           RotationOf&& rotation_of) const {
  const Positions carried = bound_positions(binding_, nodes);
  Positions details(binding_.vertex_count(), 3);
  for (int v = 0; v < binding_.vertex_count(); ++v) {
    const Mat3 R = rotation_of(element_of_[v]);
    details.row(v) = (surface.row(v) - carried.row(v)) * R;
  }
  return details;
}

void SurfaceInterpolation::add_pose(double time, const Positions& nodes, const Positions& surface,
                                    bool correct) {
  const std::string where = fmt::format("pose at {} s", time);
  check_surface(surface, where);
  const auto behind = std::lower_bound(times_.begin(), times_.end(), time);
  if (behind == times_.begin() || behind == times_.end() || *behind == time) {
    throw Error("not between the poses, or the time of one", where,
                "choose a time between two poses");
  }
  Positions details;
  if (correct) {
    shape_.insert_key(time, nodes);
    shape_.evaluate(time, nodes_);
    triangles_.add_pose(time, surface, shape_);
    details = details_of(nodes_, surface, [&](int element) { return shape_.rotation_of(element); });
  } else {
    const Elements& elements = *shape_.modes().elements();
    check_pose(elements, nodes, where);
    const RotationStrain shown = shape_.coordinates_at(time);
    const Positions turned_back = nodes * shape_.frame();
    triangles_.add_pose(time, surface, shape_, rotation_strain_after(elements, turned_back, shown));
    details = details_of(nodes, surface, [&](int element) {
      return polar_rotation(elements.deformation_gradient(nodes, element));
    });
  }
  if (ranges_) ranges_->add_pose(time, surface);
  const auto place = behind - times_.begin();
  times_.insert(behind, time);
  details_.insert(details_.begin() + place, std::move(details));
}

void SurfaceInterpolation::evaluate(double t, Positions& surface, Positions* nodes) {
  shape_.evaluate(t, nodes_);
  surface.resize(binding_.vertex_count(), 3);
  const std::array<KeyWeight, 4> weights = key_weights(times_, t);
  for (int v = 0; v < binding_.vertex_count(); ++v) {
    Vec3 detail = Vec3::Zero();
    for (const KeyWeight& weight : weights) {
      if (weight.weight != 0) detail += weight.weight * details_[weight.key].row(v).transpose();
    }
    Vec3 place = shape_.rotation_of(element_of_[v]) * detail;
    for (int k = 0; k < 4; ++k) {
      place += binding_.weights[4 * v + k] * nodes_.row(binding_.nodes[4 * v + k]).transpose();
    }
    surface.row(v) = place.transpose();
  }
  triangles_.evaluate(t, shape_, nodes_, surface);
  if (ranges_ && shape_.motion().calm() && t > times_.front() && t < times_.back()) {
    ranges_->apply(t, surface);
  }
  if (nodes != nullptr) *nodes = nodes_;
}

Positions SurfaceInterpolation::evaluate(double t) {
  Positions surface;
  evaluate(t, surface);
  return surface;
}

}  // namespace limber
