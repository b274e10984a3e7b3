#include "limber/modes/bake.h"

#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/normals.h"

namespace limber {

namespace {

NodalMass nodal_mass(const SparseMatrix& m) {
  NodalMass mass;
  mass.offsets = SharedArray<std::int32_t>(
      std::vector<std::int32_t>(m.outerIndexPtr(), m.outerIndexPtr() + m.cols() + 1));
  mass.columns = SharedArray<std::int32_t>(
      std::vector<std::int32_t>(m.innerIndexPtr(), m.innerIndexPtr() + m.nonZeros()));
  mass.values = SharedArray<double>(std::vector<double>(m.valuePtr(), m.valuePtr() + m.nonZeros()));
  mass.row_sums = SharedArray<double>(Vector(m * Vector::Ones(m.cols())));
  return mass;
}

}  // namespace

BodySurface bound_surface(const TriMesh& surface, SurfaceBinding binding) {
  BodySurface result;
  result.rest_positions = SharedArray<double>(surface.V);
  result.rest_normals = SharedArray<double>(vertex_normals(surface.V, surface.F));
  result.triangles = SharedArray<std::int32_t>(surface.F);
  result.binding = std::move(binding);
  return result;
}

BodySurface boundary_as_surface(const TetMesh& mesh) {
  const Boundary boundary = boundary_surface(mesh);
  const std::size_t vertices = boundary.nodes.size();
  std::vector<std::int32_t> nodes(4 * vertices);
  std::vector<double> weights(4 * vertices, 0.0);
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    for (int k = 0; k < 4; ++k) nodes[4 * vertex + k] = boundary.nodes[vertex];
    weights[4 * vertex] = 1;
  }
  return bound_surface(boundary.surface, {SharedArray<std::int32_t>(std::move(nodes)),
                                          SharedArray<double>(std::move(weights))});
}

ModalModel bake(const TetMesh& mesh, const Materials& materials,
                const std::vector<int>& fixed_nodes, const ModalOptions& options,
                const Progress& progress, BakeNotes* notes) {
  const ModalAnalysis analysis = modal_analysis(mesh, materials, fixed_nodes, options, progress);
  const ElementGeometry geometry = element_geometry(mesh);
  const NodeGraph graph(mesh);
  ModeMatrix Phi = analysis.Phi;
  ModeMatrix Psi = curl_operator(mesh, geometry, graph) * Phi;  // Choi & Ko 2005, eq. 8

  ModalModel body;
  body.rest_positions_data = SharedArray<double>(mesh.V);
  body.tets_data = SharedArray<std::int32_t>(mesh.T);
  body.regions = SharedArray<std::int32_t>(
      std::vector<std::int32_t>(mesh.regions.begin(), mesh.regions.end()));
  body.fixed_nodes = SharedArray<std::int32_t>(
      std::vector<std::int32_t>(analysis.fixed_nodes.begin(), analysis.fixed_nodes.end()));
  body.eigenvalues_data = SharedArray<double>(analysis.eigenvalues);
  body.Phi_data = SharedArray<double>(std::move(Phi));
  body.Psi_data = SharedArray<double>(std::move(Psi));
  body.mass = nodal_mass(scalar_mass(mesh, materials, options.mass, geometry, graph));
  body.surface = boundary_as_surface(mesh);
  body.rigid_modes = analysis.rigid_modes;
  body.max_residual = analysis.max_residual;
  body.material = materials.base;
  if (notes != nullptr) {
    *notes = {analysis.solver, analysis.parts, analysis.assemble_seconds,
              analysis.factorize_seconds, analysis.eigensolve_seconds};
  }
  return body;
}

}  // namespace limber
