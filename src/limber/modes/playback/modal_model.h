// Everything precomputed about one elastic body that playing it needs.
//
// Symbols: n nodes, m modes; Phi (3n×m) mass-normalised modes, Phi' M Phi = I; Psi = W Phi (3n×m)
// nodal rotation vectors of the modes (Choi & Ko 2005, eq. 8); Lambda (m) eigenvalues in rad²/s².
#pragma once

#include <cstdint>

#include "limber/core/shared_array.h"
#include "limber/core/types.h"
#include "limber/material/material.h"
#include "limber/modes/playback/reduced_model.h"

namespace limber {

/// How each vertex of a surface hangs on the body's nodes: four nodes and four weights a vertex,
/// x = Σ weight_k · node_k. A vertex that is a node itself has weights 1, 0, 0, 0.
struct SurfaceBinding {
  SharedArray<std::int32_t> nodes;  // 4 a vertex
  SharedArray<double> weights;      // 4 a vertex, summing to one

  [[nodiscard]] int vertex_count() const { return static_cast<int>(nodes.size() / 4); }
};

/// The surface that people see: triangles between vertices bound to the nodes.
struct BodySurface {
  SharedArray<double> rest_positions;   // v×3
  SharedArray<double> rest_normals;     // v×3, unit length
  SharedArray<std::int32_t> triangles;  // k×3
  SurfaceBinding binding;
  /// Vertices that stand for the surface in contact, by rank; empty: not chosen yet (see
  /// contact_points.h).
  SharedArray<std::int32_t> contact_points;
  // What pictures want and playing does not; empty where the surface has none (see TriMesh).
  SharedArray<float> uv;                     // v×2
  SharedArray<float> corner_uv;              // 3k×2
  SharedArray<float> colours;                // v×3
  SharedArray<std::int32_t> face_materials;  // k
  SharedArray<char> material_names;          // each ended by a zero byte
  SharedArray<float> look_colours;           // 3 a material, negative where it has none
  SharedArray<std::int32_t> look_images;     // a material's image or -1
  SharedArray<std::int32_t> image_ends;      // of each image in image_bytes
  SharedArray<char> image_bytes;

  [[nodiscard]] int vertex_count() const { return binding.vertex_count(); }
};

/// The scalar mass matrix (n×n, compressed rows; M = [m_ij I₃]) of the whole body, fixed nodes
/// included: gravity and inertial forces are formed with it before fixed nodes are dropped.
struct NodalMass {
  SharedArray<std::int32_t> offsets;  // n+1
  SharedArray<std::int32_t> columns;
  SharedArray<double> values;    // kg
  SharedArray<double> row_sums;  // n, kg; the force of a uniform field is row_sums · acceleration
};

/// The modes and what goes with them. Immutable; copies share memory.
struct ModalModel {
  SharedArray<double> rest_positions_data;  // n×3
  SharedArray<std::int32_t> tets_data;      // t×4
  SharedArray<std::int32_t> regions;        // t, or empty
  SharedArray<std::int32_t> fixed_nodes;    // ascending
  SharedArray<double> eigenvalues_data;     // m, ascending
  SharedArray<double> Phi_data;             // 3n×m row-major; rows of fixed nodes are zero
  SharedArray<double> Psi_data;             // 3n×m row-major
  NodalMass mass;
  BodySurface surface;
  ReducedModel reduced;  ///< empty unless asked for
  int rigid_modes = 0;   ///< how many zero modes were set apart: 6 for a free body, 0 when clamped
  double max_residual = 0;  ///< largest ‖Kφ−λMφ‖ / (λ‖Mφ‖)
  Material material;        ///< of the regions not named otherwise; for people, not for playing

  using MatrixView = Eigen::Map<const ModeMatrix>;
  [[nodiscard]] int node_count() const { return static_cast<int>(rest_positions_data.size() / 3); }
  [[nodiscard]] int tet_count() const { return static_cast<int>(tets_data.size() / 4); }
  [[nodiscard]] int mode_count() const { return static_cast<int>(eigenvalues_data.size()); }
  [[nodiscard]] Eigen::Map<const Positions> rest_positions() const {
    return {rest_positions_data.data(), node_count(), 3};
  }
  [[nodiscard]] Eigen::Map<const Tets> tets() const { return {tets_data.data(), tet_count(), 4}; }
  [[nodiscard]] Eigen::Map<const Vector> eigenvalues() const {
    return {eigenvalues_data.data(), mode_count()};
  }
  [[nodiscard]] MatrixView Phi() const { return {Phi_data.data(), 3 * node_count(), mode_count()}; }
  [[nodiscard]] MatrixView Psi() const { return {Psi_data.data(), 3 * node_count(), mode_count()}; }
};

}  // namespace limber
