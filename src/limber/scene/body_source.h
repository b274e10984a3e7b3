// From what a scene says about a body to its mesh, its modes and the surface that people see.
#pragma once

#include <vector>

#include "limber/core/progress.h"
#include "limber/dynamics/body_point.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"
#include "limber/modes/playback/modal_model.h"
#include "limber/scene/scene_file.h"

namespace limber {

/// A body before it moves. `modes` is filled only for methods that need them.
struct BodySource {
  TetMesh mesh;
  TriMesh surface;
  SurfaceBinding binding;  // of the surface's vertices to the mesh's nodes
  std::vector<int> fixed_nodes;
  Materials materials;  // of the mesh's regions; not of baked bodies
  ModalModel modes;
  bool baked = false;
};

/// Reads or makes everything; with `with_modes` computes the modes (a baked body brings its own).
[[nodiscard]] BodySource load_body(const BodyDescription& description, bool with_modes,
                                   const Progress& progress);

/// A sample shape; throws Error that says which numbers the shape wants.
[[nodiscard]] TetMesh make_shape(const ShapeDescription& description, const std::string& where);

/// The node meant; throws Error when it does not exist.
[[nodiscard]] int find_node(const TetMesh& mesh, const NodeChoice& choice,
                            const std::string& where);
/// The node, or the point itself where coordinates are given: inside the mesh, or a little outside;
/// further away the nearest node.
[[nodiscard]] BodyPoint find_point(const TetMesh& mesh, const NodeChoice& choice,
                                   const std::string& where);
/// The vertex of a surface as a point of the body.
[[nodiscard]] BodyPoint point_of(const SurfaceBinding& binding, int vertex);
[[nodiscard]] std::vector<int> find_nodes(const TetMesh& mesh, const NodeSelection& selection,
                                          const std::string& where);

}  // namespace limber
