// How a full-resolution body is simulated.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "limber/core/types.h"
#include "limber/dynamics/method.h"
#include "limber/fem/mass.h"
#include "limber/material/material.h"

namespace limber {

enum class TimeIntegrator {
  implicit_euler,
  symplectic_euler  ///< explicit, in as many equal parts of a step as stability needs
};

/// Where stiffness warping takes the nodes' rotations from.
enum class RotationField {
  edges_polar,  ///< all edges of a node, nearest rotation: Müller et al. 2002, eqs. 14 and 15
  edge_frames,  ///< frames of three chosen edges: eq. 16, faster
  whole_body    ///< one rotation for all nodes: eq. 11; swells like a linear body when it bends
};

/// Whose rotation turns a pair's stiffness k_ij under stiffness warping.
enum class Warping {
  rows,      ///< node i's on both sides: Müller et al. 2002, eq. 12
  symmetric  ///< that of i and that of j: eq. 13, which the paper warns of
};

/// What resists under stiffness warping.
enum class Network {
  finite_elements,
  springs  ///< one spring an edge
};

enum class PreconditionerKind {
  automatic,           ///< the rest factor unless it is too large
  rest_factor,         ///< Cholesky factor of the rest state, turned into the nodes' frames
  incomplete_cholesky  ///< the same with an incomplete factor
};

inline constexpr double kStepTolerance = 1e-6;
/// Of stiffness warping without handles and ground, where a step passes on what it leaves. Paths
/// then differ by less than a thousandth of their size from exactly solved ones.
inline constexpr double kPassedOnTolerance = 3e-3;

/// A line that a rigid core turns about, frame coordinates.
struct CoreAxis {
  Vec3 point = Vec3::Zero();
  Vec3 direction = Vec3::UnitY();
};

/// Nodes that move as one rigid body with the skin around them; see rigid_core.h.
struct CoreOptions {
  std::vector<int> nodes;  ///< empty: no core
  std::optional<CoreAxis> axis;
};

struct FullBodyOptions {
  Method method = Method::corotational;
  TimeIntegrator integrator = TimeIntegrator::implicit_euler;
  Damping damping = {};
  /// Consistent when not given; stiffness warping lumps, as its paper does.
  std::optional<MassKind> mass;
  /// Residual of a step, relative to the momenta and impulses in it. When not given, one of the two
  /// above.
  std::optional<double> tolerance;
  /// Linearisations a step: corotational and warped bodies usually take one.
  int newton_iterations = 1;
  int nonlinear_iterations = 50;  ///< Newton steps of StVK and neo-Hookean bodies
  int most_solver_iterations = 2000;
  /// Corotational: with the rotations' own change in the tangent.
  bool exact_tangent = false;
  RotationField rotation_field = RotationField::edges_polar;
  Warping warping = Warping::rows;
  Network network = Network::finite_elements;
  /// Free bodies: linear and angular momentum change by outer impulses only.
  bool keep_momentum = true;
  PreconditionerKind preconditioner = PreconditionerKind::automatic;
  /// A rest factor beyond this is too large.
  std::size_t largest_factor_bytes = std::size_t{1} << 29;
  /// Of corotational bodies and those by stiffness warping, implicitly.
  CoreOptions core = {};
};

}  // namespace limber
