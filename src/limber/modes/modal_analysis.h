// The modes of a tet mesh: assembly, fixed nodes, rigid motions, eigenvalues, how many to keep.
#pragma once

#include <string>
#include <vector>

#include "limber/core/progress.h"
#include "limber/core/types.h"
#include "limber/fem/mass.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"

namespace limber {

/// Hauser, Shen & O'Brien 2003, section 3.2: modes that nobody could see are left out. Zero means
/// "chosen from the body": its weight as the largest force, a thousandth of its size as the
/// smallest displacement that shows.
struct VisibleModes {
  double display_rate_hz = 60;
  double max_force = 0;         // N
  double min_displacement = 0;  // m
  int at_most = 200;
};

struct ModalOptions {
  static constexpr int kAutomatic = 0;
  int count = 20;  ///< or kAutomatic: by `visible`
  VisibleModes visible{};
  MassKind mass = MassKind::consistent;
};

struct ModalAnalysis {
  Vector eigenvalues;            // m ascending, rad²/s²; rigid modes are not among them
  Eigen::MatrixXd Phi;           // 3n×m, mass-normalised, zero at fixed nodes
  std::vector<int> fixed_nodes;  // ascending; nodes of no tet count as fixed
  int rigid_modes = 0;
  int parts = 1;
  double max_residual = 0;  // largest ‖Kφ−λMφ‖ / (λ‖Mφ‖)
  std::string solver;
  double assemble_seconds = 0;
  double factorize_seconds = 0;
  double eigensolve_seconds = 0;
};

/// Throws Error for materials out of range, more modes than unknowns, every node fixed, or a mesh
/// in several parts that have no regions of their own (then the gap is taken for a mistake).
[[nodiscard]] ModalAnalysis modal_analysis(const TetMesh& mesh, const Materials& materials,
                                           const std::vector<int>& fixed_nodes,
                                           const ModalOptions& options = {},
                                           const Progress& progress = {});

/// ω/2π of an eigenvalue.
[[nodiscard]] double frequency_hz(double eigenvalue);

}  // namespace limber
