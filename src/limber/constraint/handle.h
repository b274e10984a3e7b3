// What a person holds: a point of the body, where it should go or how it should turn.
#pragma once

#include <array>
#include <vector>

#include "limber/dynamics/frame/path.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

/// A point of the body by four nodes and weights that sum to one; a node is itself with weight 1.
/// Its modes are the weighted sums of the nodes' rows, exactly as the skin carries them.
struct HandlePoint {
  std::array<int, 4> nodes{};
  std::array<double, 4> weights{1, 0, 0, 0};

  static HandlePoint at_node(int node) { return {{node, node, node, node}, {1, 0, 0, 0}}; }
};

/// What of the point is held. Choi & Ko 2005, section V; velocity and acceleration: Hauser et al.
/// 2003, eqs. 13 and 14. All in the coordinates of the support's frame.
enum class HandleKind {
  position,     ///< target: where the point is, rest coordinates, m
  orientation,  ///< target: rotation vector, rad
  velocity,     ///< target: m/s, right after the impulse at the step's start
  acceleration  ///< target: m/s², at the step's start
};

/// Which state the mean rotation R~ of a position handle is taken from (Choi & Ko 2005, footnote
/// 4).
enum class Treatment {
  previous,   ///< the last constrained state: no offset at rest
  predicted,  ///< the unconstrained prediction: keeps a lasting offset
  newton      ///< the state looked for: holds while moving
};

struct Handle {
  HandleKind kind = HandleKind::position;
  HandlePoint point;
  Path target;
  Treatment treatment = Treatment::previous;
  /// Where forces act. Empty: the point itself; for orientations its nodes and their neighbours,
  /// since a force on the point alone cannot turn it about every axis.
  std::vector<HandlePoint> exercised;
};

/// A spring and damper from a point to a target (Müller et al. 2002, 4.2).
struct SoftHandle {
  HandlePoint point;
  Path target;           // rest coordinates of the support's frame, m
  double stiffness = 0;  // N/m
  double damping = 0;    // N s/m
};

using ThreeRows = Eigen::Matrix<double, 3, Eigen::Dynamic>;

/// The point's rows (3×m) of Φ and Ψ.
struct PointRows {
  ThreeRows Phi;
  ThreeRows Psi;
  Vec3 rest_position = Vec3::Zero();

  /// u(q) = R~(Ψq) Φq, what warping moves the point by.
  [[nodiscard]] Vec3 displacement(const Vector& q) const;
  /// C = ∂u/∂q = R~Φ + ∂(R~Φq)/∂w Ψ, which has its size already.
  void displacement_derivative(const Vector& q, ThreeRows& C) const;
};
[[nodiscard]] PointRows point_rows(const ModalModel& body, const HandlePoint& point);

/// Nodes that share a tet with one of the point's nodes, those included, without fixed ones.
[[nodiscard]] std::vector<HandlePoint> neighbourhood(const ModalModel& body,
                                                     const HandlePoint& point);

/// Throws Error when a node does not exist, the weights do not sum to one, or every node with
/// weight is fixed.
void check(const ModalModel& body, const HandlePoint& point);

}  // namespace limber
