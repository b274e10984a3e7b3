// From what a scene says about a body to its mesh, its modes and the surface that people see.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/progress.h"
#include "limber/dynamics/body_point.h"
#include "limber/mesh/bisection.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tri_mesh.h"
#include "limber/modes/playback/modal_model.h"
#include "limber/modes/playback/residual_modes.h"
#include "limber/scene/scene_file.h"

namespace limber {

/// The mesh as the scene's file has it, whose nodes selections and numbers are about, where the
/// body is a part of it or joined from its pieces.
struct WholeMesh {
  std::shared_ptr<const TetMesh> mesh;
  std::vector<int> node_of;  ///< the body's node that each of its nodes is; -1: of another piece
};

/// A body before it moves. `modes` is filled only for methods that need them.
struct BodySource {
  std::string name;  ///< the description's, with a number for further pieces of one mesh
  TetMesh mesh;
  std::shared_ptr<const TetTree> tree;  ///< that `mesh` is the finest mesh of, where asked for
  std::optional<WholeMesh> whole;       ///< none where it is `mesh`
  bool is_loose_piece = false;          ///< of several that share no node
  TriMesh surface;
  SurfaceBinding binding;  // of the surface's vertices to the mesh's nodes
  std::vector<int> fixed_nodes;
  std::vector<int> core_nodes;  // of a core that moves by itself
  Materials materials;          // of the mesh's regions; not of baked bodies
  ModalModel modes;
  ResidualModes residual;  // for local detail, where the description asks for it
  bool baked = false;
  std::vector<std::string> warnings;  ///< of the mesher, sentences
};

/// Reads or makes everything; with `with_modes` computes the modes (a baked body brings its own).
/// Loose pieces of a mesh are a body each, the largest first, unless the description glues them.
[[nodiscard]] std::vector<BodySource> load_bodies(const BodyDescription& description,
                                                  bool with_modes, const Progress& progress);

/// Of the source's modes, for local detail. Throws Error for a body baked without them.
[[nodiscard]] ResidualModes find_residual_modes(const BodyDescription& description,
                                                const BodySource& source,
                                                const Progress& progress = {});

/// A sample shape; throws Error that says which numbers the shape wants.
[[nodiscard]] TetMesh make_shape(const ShapeDescription& description, const std::string& where);

/// The node meant, or none where it belongs to another piece of the mesh; throws Error when it does
/// not exist.
[[nodiscard]] std::optional<int> find_node(const BodySource& source, const NodeChoice& choice,
                                           const std::string& where);
/// The node, or the point itself where coordinates are given: inside the mesh, or a little outside;
/// further away the nearest node. None where it belongs to another piece.
[[nodiscard]] std::optional<BodyPoint> find_point(const BodySource& source,
                                                  const NodeChoice& choice,
                                                  const std::string& where);
/// Those of the selection that belong to this piece.
[[nodiscard]] std::vector<int> find_nodes(const BodySource& source, const NodeSelection& selection,
                                          const std::string& where);
/// The vertex of a surface as a point of the body.
[[nodiscard]] BodyPoint point_of(const SurfaceBinding& binding, int vertex);

}  // namespace limber
