#include "limber/modes/modal_analysis.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "limber/core/stopwatch.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"
#include "limber/fem/stiffness.h"
#include "limber/fem/strain_energy.h"
#include "limber/mesh/checks.h"
#include "limber/modes/eigen_solver.h"
#include "limber/modes/refusals.h"
#include "limber/modes/rigid_motions.h"
#include "limber/modes/strain_ritz.h"
#include "limber/modes/visible_modes.h"

namespace limber {

namespace {

int part_count(const std::vector<int>& parts) {
  return parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end()) + 1;
}

/// Parts that are meant to be apart say so by regions of their own, as `limber mesh` writes them.
bool parts_have_own_regions(const TetMesh& mesh, const std::vector<int>& parts) {
  std::map<int, int> part_of_region;
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const int part = parts[mesh.T(tet, 0)];
    if (part_of_region.emplace(mesh.region(tet), part).first->second != part) return false;
  }
  return true;
}

/// Of the box around the nodes.
double diagonal(const Positions& positions) {
  const Vec3 extent = positions.colwise().maxCoeff() - positions.colwise().minCoeff();
  return extent.norm();
}

std::vector<int> with_unused_nodes(const TetMesh& mesh, std::vector<int> fixed_nodes) {
  const std::vector<int> unused = unused_nodes(mesh);
  fixed_nodes.insert(fixed_nodes.end(), unused.begin(), unused.end());
  return fixed_nodes;
}

}  // namespace

double frequency_hz(double eigenvalue) {
  return std::sqrt(std::max(eigenvalue, 0.0)) / (2 * std::numbers::pi);
}

ModalAnalysis modal_analysis(const TetMesh& mesh, const Materials& materials,
                             const std::vector<int>& fixed_nodes, const ModalOptions& options,
                             const Progress& progress) {
  check(mesh);
  check(materials);
  const std::vector<int> parts = connected_parts(mesh);
  ModalAnalysis result;
  result.parts = part_count(parts);
  refuse_accidental_gaps(result.parts, parts_have_own_regions(mesh, parts), mesh.tet_count());
  Stopwatch stopwatch;
  report(progress, "assemble", 0);
  const FreeDofs free(mesh.node_count(), with_unused_nodes(mesh, fixed_nodes));
  const ElementGeometry geometry = element_geometry(mesh);
  const NodeGraph graph(mesh);
  const bool all_free = free.fixed_nodes().empty();
  SparseMatrix K = stiffness(mesh, materials, geometry, graph);
  SparseMatrix m = scalar_mass(mesh, materials, options.mass, geometry, graph);
  if (!all_free) {
    K = free.reduce(K, 3);
    m = free.reduce(m, 1);
  }
  const Eigen::MatrixXd N = rigid_motions(mesh.V, parts, free);
  const Eigen::Index available = K.rows() - N.cols();
  if (options.count != ModalOptions::kAutomatic) refuse_too_many_modes(options.count, available);
  result.fixed_nodes = free.fixed_nodes();
  result.rigid_modes = static_cast<int>(N.cols());
  result.assemble_seconds = stopwatch.lap();

  const int expected =
      options.count != ModalOptions::kAutomatic
          ? options.count
          : static_cast<int>(std::min<Eigen::Index>(kFirstVisibleGuess, available));
  const auto solver = make_eigen_solver(K, m, N, expected, progress);
  EigenPairs pairs;
  if (options.count != ModalOptions::kAutomatic) {
    pairs = solver->lowest(options.count, progress);
  } else {
    const VisibilityLimits limits(options.visible, diagonal(mesh.V), m.sum());
    pairs = visible_pairs(*solver, limits, static_cast<int>(available), largest_motion, progress);
  }
  refine_by_strains(
      [&](int first, int count) {
        const Eigen::MatrixXd vectors = pairs.vectors.middleCols(first, count);
        return strain_gram(mesh, materials, geometry, all_free ? vectors : free.expand(vectors));
      },
      pairs);
  result.solver = solver->name();
  result.max_residual = max_residual(K, m, pairs);
  refuse_overflow(pairs.eigenvalues.allFinite() && pairs.vectors.allFinite() &&
                  std::isfinite(result.max_residual));
  result.eigenvalues = pairs.eigenvalues;
  result.Phi = all_free ? std::move(pairs.vectors) : free.expand(pairs.vectors);
  result.factorize_seconds = solver->factorize_seconds();
  result.eigensolve_seconds = stopwatch.lap() - result.factorize_seconds;
  report(progress, "modes", 1);
  return result;
}

}  // namespace limber
