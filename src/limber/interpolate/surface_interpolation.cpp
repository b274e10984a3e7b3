#include "limber/interpolate/surface_interpolation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "limber/core/error.h"
#include "limber/interpolate/key_weights.h"

namespace limber {

namespace {

using Corners = std::array<int, 4>;

Corners sorted(Corners corners) {
  std::sort(corners.begin(), corners.end());
  return corners;
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
                                           SurfaceBinding binding, const std::vector<KeyPose>& keys,
                                           const std::vector<Positions>& surfaces,
                                           const InterpolationOptions& options)
    : binding_(std::move(binding)),
      element_of_(elements_of_vertices(*modes->elements(), binding_)),
      shape_(modes, keys, options) {
  if (surfaces.size() != keys.size()) {
    throw Error(fmt::format("{} surfaces for {} keys", surfaces.size(), keys.size()), "surfaces",
                "give one surface a key");
  }
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (surfaces[k].rows() != binding_.vertex_count() || !surfaces[k].allFinite()) {
      throw Error(fmt::format("{} vertices where {} are bound, or numbers that are not finite",
                              surfaces[k].rows(), binding_.vertex_count()),
                  fmt::format("pose {}", k), "give poses of the same surface");
    }
    times_.push_back(keys[k].time);
    shape_.evaluate(keys[k].time, nodes_);
    const Positions carried = bound_positions(binding_, nodes_);
    details_.emplace_back(binding_.vertex_count(), 3);
    for (int v = 0; v < binding_.vertex_count(); ++v) {
      const Mat3 R = shape_.rotation_of(element_of_[v]);
      details_[k].row(v) = (surfaces[k].row(v) - carried.row(v)) * R;
    }
  }
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
  if (nodes != nullptr) *nodes = nodes_;
}

Positions SurfaceInterpolation::evaluate(double t) {
  Positions surface;
  evaluate(t, surface);
  return surface;
}

}  // namespace limber
