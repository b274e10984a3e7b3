#include "limber/interpolate/poses/surface_poser.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"

namespace limber {

namespace {

void check_binding(const Elements& elements, const TriMesh& surface,
                   const SurfaceBinding& binding) {
  if (binding.vertex_count() != surface.vertex_count() ||
      binding.weights.size() != binding.nodes.size()) {
    throw Error(fmt::format("{} vertices are bound where the surface has {}",
                            binding.vertex_count(), surface.vertex_count()),
                "surface", "bind this surface to the mesh");
  }
  for (std::size_t k = 0; k < binding.nodes.size(); ++k) {
    const int node = binding.nodes[k];
    if (node < 0 || node >= elements.node_count() ||
        (binding.weights[k] != 0 && elements.parts[node] < 0)) {
      throw Error(fmt::format("vertex {} hangs on node {}", k / 4, node), "surface",
                  "bind this surface to the mesh");
    }
  }
}

/// Springs whose sum is `stiffness` times the body's own: Σ of the Laplacian's diagonal.
std::vector<ReconstructionSpring> springs_of(const Elements& elements,
                                             const SurfaceBinding& binding, double stiffness) {
  if (!(stiffness > 0) || !std::isfinite(stiffness)) {
    throw Error(fmt::format("a pull of {:g}", stiffness), "surface", "give a positive number");
  }
  double own = 0;
  for (int element = 0; element < elements.element_count(); ++element) {
    for (int k = 0; k < elements.corner_count(); ++k) {
      own += elements.weights[element] * elements.gradient(element, k).squaredNorm();
    }
  }
  std::vector<ReconstructionSpring> springs(binding.vertex_count());
  for (int v = 0; v < binding.vertex_count(); ++v) {
    ReconstructionSpring& spring = springs[v];
    spring.stiffness = stiffness * own / binding.vertex_count();
    for (int k = 0; k < 4; ++k) {
      spring.weights[k] = binding.weights[4 * v + k];
      // A node that carries nothing may be any; one of the body is safe.
      spring.nodes[k] = binding.nodes[4 * v + (spring.weights[k] == 0 ? 0 : k)];
    }
  }
  return springs;
}

ReconstructionConstraints spring_constraints(const Elements& elements, const TriMesh& surface,
                                             const SurfaceBinding& binding, double stiffness) {
  check_binding(elements, surface, binding);
  ReconstructionConstraints constraints;
  constraints.springs = springs_of(elements, binding, stiffness);
  return constraints;
}

}  // namespace

SurfaceBinding binding_of(const Embedding& embedding) {
  return {SharedArray<std::int32_t>(embedding.nodes), SharedArray<double>(embedding.weights)};
}

Positions bound_positions(const SurfaceBinding& binding, const Positions& nodes) {
  Positions result = Positions::Zero(binding.vertex_count(), 3);
  for (int v = 0; v < binding.vertex_count(); ++v) {
    for (int k = 0; k < 4; ++k) {
      result.row(v) += binding.weights[4 * v + k] * nodes.row(binding.nodes[4 * v + k]);
    }
  }
  return result;
}

SurfacePoser::SurfacePoser(std::shared_ptr<const Elements> elements, const TriMesh& surface,
                           SurfaceBinding binding, const SurfacePoserOptions& options)
    : surface_(surface),
      binding_(std::move(binding)),
      options_(options),
      solver_(elements, spring_constraints(*elements, surface_, binding_, options.stiffness)) {}

/// How each vertex's neighbours have turned about it: the rotation nearest to Σ e' eᵀ over the
/// edges e at rest, e' posed.
std::vector<Mat3> SurfacePoser::vertex_rotations(const Positions& posed_surface) const {
  std::vector<Mat3> sums(surface_.vertex_count(), Mat3::Zero());
  for (int f = 0; f < surface_.triangle_count(); ++f) {
    for (int k = 0; k < 3; ++k) {
      for (const int step : {1, 2}) {
        const int here = surface_.F(f, k);
        const int there = surface_.F(f, (k + step) % 3);
        sums[here] += (posed_surface.row(there) - posed_surface.row(here)).transpose() *
                      (surface_.V.row(there) - surface_.V.row(here));
      }
    }
  }
  for (Mat3& sum : sums) sum = polar_rotation(sum);
  return sums;
}

/// A field of matrices over the nodes that is as smooth as can be and near the vertices' own: the
/// reconstruction's own system with no gradients, three columns at a time. Then one rotation a tet.
std::vector<Mat3> SurfacePoser::spread(const std::vector<Mat3>& vertex_rotations) {
  Reconstruction& reconstruction = solver_.reconstruction();
  const Elements& elements = reconstruction.elements();
  const std::vector<Mat3> none(elements.element_count(), Mat3::Zero());
  std::array<Positions, 3> columns;
  ReconstructionTargets targets = reconstruction.targets_at(elements.rest);
  for (int c = 0; c < 3; ++c) {
    for (std::size_t v = 0; v < vertex_rotations.size(); ++v) {
      targets.springs.row(static_cast<Eigen::Index>(v)) = vertex_rotations[v].col(c).transpose();
    }
    reconstruction.solve(none, targets, columns[c]);
  }
  std::vector<Mat3> rotations(elements.element_count());
  for (int element = 0; element < elements.element_count(); ++element) {
    Mat3 mean = Mat3::Zero();
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < elements.corner_count(); ++k) {
        mean.col(c) += columns[c].row(elements.corners(element, k)).transpose();
      }
    }
    rotations[element] = polar_rotation(mean);
  }
  return rotations;
}

SurfacePose SurfacePoser::pose(const Positions& posed_surface, const std::string& where) {
  const Elements& elements = solver_.reconstruction().elements();
  if (posed_surface.rows() != surface_.vertex_count()) {
    throw Error(fmt::format("{} vertices where the rest surface has {}", posed_surface.rows(),
                            surface_.vertex_count()),
                where, "give poses of the same surface");
  }
  if (!posed_surface.allFinite()) {
    throw Error("a vertex has no finite place", where, "mend or export the pose again");
  }
  ReconstructionTargets targets = solver_.reconstruction().targets_at(elements.rest);
  targets.springs = posed_surface;
  SurfacePose result;
  result.solve = solver_.solve(spread(vertex_rotations(posed_surface)), targets, options_.solve);
  result.nodes = std::move(result.solve.positions);
  const Positions misses = bound_positions(binding_, result.nodes) - posed_surface;
  result.largest_miss = misses.rowwise().norm().maxCoeff();
  result.mean_miss = std::sqrt(misses.squaredNorm() / static_cast<double>(misses.rows()));
  for (int element = 0; element < elements.element_count(); ++element) {
    result.inverted += elements.deformation_gradient(result.nodes, element).determinant() <= 0;
  }
  return result;
}

}  // namespace limber
