#include "server/studio_body.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/modes/bake.h"
#include "limber/modes/bake_reduced.h"

namespace limber::studio {

namespace {

constexpr int kMostModes = 100;  // that the page offers; a scene may ask for more

/// The first `count` modes.
ModalModel with_fewer_modes(const ModalModel& body, int count) {
  if (count >= body.mode_count()) return body;
  ModalModel result = body;
  const auto first = [count](const ModalModel::MatrixView& all) {
    return SharedArray<double>(ModeMatrix(all.leftCols(count)));
  };
  result.Phi_data = first(body.Phi());
  result.Psi_data = first(body.Psi());
  result.eigenvalues_data = SharedArray<double>(Vector(body.eigenvalues().head(count)));
  return result;
}

std::shared_ptr<const BodySource> with_modes_of(const BodySource& source, ModalModel modes) {
  auto result = std::make_shared<BodySource>(source);
  result->modes = std::move(modes);
  return result;
}

/// Fills in what follows from description and source.
StudioBody completed(StudioBody body) {
  const ModalModel& modes = body.source->modes;
  const int wanted = body.description.modes > 0 ? body.description.modes : modes.mode_count();
  body.description.modes = std::min(wanted, modes.mode_count());
  body.played = body.description.modes == modes.mode_count()
                    ? body.source
                    : with_modes_of(*body.source, with_fewer_modes(modes, body.description.modes));
  body.mass = std::accumulate(modes.mass.row_sums.begin(), modes.mass.row_sums.end(), 0.0);
  const TetMesh& mesh = body.source->mesh;
  body.rest_volume = volume(mesh.V, mesh.T);
  body.size = (mesh.V.colwise().maxCoeff() - mesh.V.colwise().minCoeff()).norm();
  return body;
}

void scale_young(Materials& materials, double factor) {
  materials.base.young *= factor;
  for (auto& [region, material] : materials.by_region) material.young *= factor;
}

/// λ grows with Young's modulus, the shapes stay.
ModalModel stiffened(const ModalModel& body, double factor) {
  ModalModel result = body;
  result.eigenvalues_data = SharedArray<double>(Vector(factor * body.eigenvalues()));
  result.material.young *= factor;
  result.reduced = stiffened(body.reduced, factor);
  return result;
}

}  // namespace

std::vector<StudioBody> load_studio_bodies(const BodyDescription& description,
                                           const Progress& progress) {
  std::vector<StudioBody> bodies;
  for (BodySource& source : load_bodies(description, true, progress)) {
    StudioBody body;
    body.description = description;
    body.description.name = source.name;
    body.source = std::make_shared<BodySource>(std::move(source));
    // Regions that the description names have numbers now.
    if (!body.source->baked) body.description.materials = body.source->materials;
    bodies.push_back(completed(std::move(body)));
  }
  return bodies;
}

StudioBody with_reduced_space(const StudioBody& body) {
  if (body.source->baked || !body.source->modes.reduced.empty()) return body;
  StudioBody next = body;
  ModalModel modes = body.source->modes;
  ReducedBakeOptions options;
  options.basis.size = body.description.fields;
  options.basis.mass = body.description.mass.value_or(MassKind::consistent);
  bake_reduced(body.source->mesh, body.description.materials, modes, options);
  next.source = with_modes_of(*body.source, std::move(modes));
  return completed(std::move(next));
}

StudioBody changed(const StudioBody& body, const Change::BodyChange& change,
                   const Progress& progress) {
  StudioBody next = body;
  Materials& materials = next.description.materials;
  if (change.young) {
    const double factor = *change.young / materials.base.young;
    if (factor != 1) {
      scale_young(materials, factor);
      next.source = with_modes_of(*body.source, stiffened(body.source->modes, factor));
    }
  }
  const bool other_shapes = (change.poisson && *change.poisson != materials.base.poisson) ||
                            (change.density && *change.density != materials.base.density);
  if (change.poisson) materials.base.poisson = *change.poisson;
  if (change.density) materials.base.density = *change.density;
  const int available = next.source->modes.mode_count();
  if (change.modes) next.description.modes = *change.modes;
  if (other_shapes || next.description.modes > available) {
    if (body.source->baked) {
      throw Error("a baked body's modes are fixed", body.description.name,
                  "open the mesh it was baked from");
    }
    ModalOptions options;
    options.count = std::max(next.description.modes, available);
    options.mass = next.description.mass.value_or(MassKind::consistent);
    ModalModel modes =
        bake(body.source->mesh, materials, body.source->fixed_nodes, options, progress);
    modes.surface = body.source->modes.surface;
    next.source = with_modes_of(*body.source, std::move(modes));
  }
  return completed(std::move(next));
}

double linear_sag(const StudioBody& body, const Vec3& gravity) {
  const ModalModel& modes = body.source->modes;
  if (modes.rigid_modes > 0) return 0;  // it falls instead
  const int n = modes.node_count();
  Vector weight(3 * n);
  for (int node = 0; node < n; ++node) {
    weight.segment<3>(3 * node) = modes.mass.row_sums[static_cast<std::size_t>(node)] * gravity;
  }
  // Φᵀ K Φ = Λ: q = Λ⁻¹ Φᵀ f.
  const Vector q = (modes.Phi().transpose() * weight).cwiseQuotient(modes.eigenvalues());
  const Vector moved = modes.Phi() * q;
  double largest = 0;
  for (int node = 0; node < n; ++node) {
    largest = std::max(largest, moved.segment<3>(3 * node).norm());
  }
  return largest / body.size;
}

double lean(const StudioBody& body, const Vec3& gravity) {
  const ModalModel& modes = body.source->modes;
  if (modes.rigid_modes > 0) return 0;
  return gravity.norm() / (modes.eigenvalues().minCoeff() * body.size);
}

std::vector<int> fixed_vertices(const StudioBody& body) {
  const ModalModel& modes = body.source->modes;
  std::vector<bool> fixed(static_cast<std::size_t>(modes.node_count()), false);
  for (const int node : modes.fixed_nodes) fixed[static_cast<std::size_t>(node)] = true;
  std::vector<int> held;
  const SurfaceBinding& binding = body.surface().binding;
  for (int vertex = 0; vertex < body.surface().vertex_count(); ++vertex) {
    bool all = true;
    for (int k = 0; k < 4; ++k) {
      const auto node = static_cast<std::size_t>(binding.nodes[4 * vertex + k]);
      all = all && (binding.weights[4 * vertex + k] == 0 || fixed[node]);
    }
    if (all) held.push_back(vertex);
  }
  return held;
}

bool is_filled(const StudioBody& body) {
  const BodyDescription& of = body.description;
  return !body.source->baked && !of.shape && of.mesh.empty() && !of.given_mesh;
}

std::vector<float> painted_stiffness(const StudioBody& body) {
  const Materials& materials = body.description.materials;
  if (body.source->baked || materials.by_region.empty()) return {};
  const TetMesh& mesh = body.source->mesh;
  Vector sum = Vector::Zero(mesh.node_count()), count = sum;
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const double young = materials.of(mesh.region(tet)).young;
    for (int k = 0; k < 4; ++k) {
      sum[mesh.T(tet, k)] += std::log10(young / materials.base.young);
      count[mesh.T(tet, k)] += 1;
    }
  }
  const Vector mean = sum.cwiseQuotient(count.cwiseMax(1));
  if (mean.isZero(0)) return {};
  const SurfaceBinding& binding = body.surface().binding;
  std::vector<float> stiffness;
  for (int vertex = 0; vertex < body.surface().vertex_count(); ++vertex) {
    double value = 0;
    for (int k = 0; k < 4; ++k) {
      value += binding.weights[4 * vertex + k] * mean[binding.nodes[4 * vertex + k]];
    }
    stiffness.push_back(static_cast<float>(value));
  }
  return stiffness;
}

ModelBody model_of(const StudioBody& body) {
  const ModalModel& modes = body.source->modes;
  const BodySurface& surface = modes.surface;
  const int vertices = surface.vertex_count();
  const int m = modes.mode_count();
  ModelBody model;
  model.name = body.description.name;
  model.clamped = modes.rigid_modes == 0;
  model.modes = m;
  model.positions.assign(surface.rest_positions.begin(), surface.rest_positions.end());
  model.normals.assign(surface.rest_normals.begin(), surface.rest_normals.end());
  model.triangles.assign(surface.triangles.begin(), surface.triangles.end());
  model.colours.assign(surface.colours.begin(), surface.colours.end());
  // Φ and Ψ carried from the nodes to the vertices by the binding's weights.
  using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  FloatMatrix Phi = FloatMatrix::Zero(3 * vertices, m), Psi = Phi;
  const std::vector<int> fixed = fixed_vertices(body);
  model.fixed.assign(fixed.begin(), fixed.end());
  model.stiffness = painted_stiffness(body);
  for (int vertex = 0; vertex < vertices; ++vertex) {
    for (int k = 0; k < 4; ++k) {
      const int node = surface.binding.nodes[4 * vertex + k];
      const double weight = surface.binding.weights[4 * vertex + k];
      if (weight == 0) continue;
      Phi.middleRows<3>(3 * vertex) += (weight * modes.Phi().middleRows<3>(3 * node)).cast<float>();
      Psi.middleRows<3>(3 * vertex) += (weight * modes.Psi().middleRows<3>(3 * node)).cast<float>();
    }
  }
  const auto numbers = [](const FloatMatrix& matrix) {
    return std::span<const float>(matrix.data(), static_cast<std::size_t>(matrix.size()));
  };
  model.texels = mode_texels(numbers(Phi), numbers(Psi), vertices, m);
  return model;
}

BodyState state_of(const StudioBody& body) {
  const ModalModel& modes = body.source->modes;
  const int free_unknowns =
      3 * (modes.node_count() - static_cast<int>(modes.fixed_nodes.size())) - modes.rigid_modes;
  BodyState state;
  state.name = body.description.name;
  state.nodes = modes.node_count();
  state.tets = modes.tet_count();
  state.vertices = body.surface().vertex_count();
  state.mass = body.mass;
  state.modes = body.description.modes;
  state.modes_available = body.source->baked
                              ? modes.mode_count()
                              : std::max(modes.mode_count(), std::min(kMostModes, free_unknowns));
  state.young = body.description.materials.base.young;
  state.poisson = body.description.materials.base.poisson;
  state.density = body.description.materials.base.density;
  state.damping_mass = body.description.damping.mass;
  state.damping_stiffness = body.description.damping.stiffness;
  state.free = modes.rigid_modes > 0;
  state.filled = is_filled(body);
  state.cells = body.description.fill.cells;
  if (body.description.place) {
    state.start_position = body.description.place->position;
    state.start_rotation = body.description.place->rotation.normalized().coeffs();
  }
  for (const double eigenvalue : modes.eigenvalues()) {
    state.frequencies_hz.push_back(frequency_hz(eigenvalue));
  }
  return state;
}

}  // namespace limber::studio
