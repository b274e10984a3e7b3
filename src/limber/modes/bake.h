// From a mesh to a ModalModel that plays.
#pragma once

#include <string>
#include <vector>

#include "limber/mesh/tri_mesh.h"
#include "limber/modes/modal_analysis.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

/// What the analysis said on the way, for reports.
struct BakeNotes {
  std::string solver;
  int parts = 1;
  double assemble_seconds = 0;
  double factorize_seconds = 0;
  double eigensolve_seconds = 0;
};

/// Modes, modal rotations Ψ = WΦ, mass and the surface: the mesh's own boundary.
[[nodiscard]] ModalModel bake(const TetMesh& mesh, const Materials& materials,
                              const std::vector<int>& fixed_nodes, const ModalOptions& options = {},
                              const Progress& progress = {}, BakeNotes* notes = nullptr);

/// The boundary of a tet mesh as the surface that people see, each vertex a node.
[[nodiscard]] BodySurface boundary_as_surface(const TetMesh& mesh);

/// Any surface bound to the nodes: four nodes and weights a vertex.
[[nodiscard]] BodySurface bound_surface(const TriMesh& surface, SurfaceBinding binding);

}  // namespace limber
