// A bone core: nodes that move as one rigid body and have a soft skin around them (Müller et al.
// 2002, 4.3 and 4.4). The core has the mass and inertia of its own nodes and feels the skin's pull.
//
// A step is solved among the velocities whose core part is a rigid motion, V + ω×a, or on an axis
// ω d×a. With Q the orthogonal projector onto them (3f×3f), A Δv = r becomes Q A Q Δv = Q r: the
// forces on the core's nodes count by their sum and their moment alone, and core and skin are
// solved for together, implicitly. After a step x = x₀ + h v, which makes what turns larger, the
// core is turned by exp(hω) with the angular momentum that it has.
#pragma once

#include <optional>
#include <vector>

#include "limber/dynamics/body_point.h"
#include "limber/dynamics/full_space/full_body_options.h"
#include "limber/dynamics/full_space/krylov.h"
#include "limber/dynamics/full_space/simulated_mesh.h"

namespace limber {

/// The rigid motion nearest to vectors at points, by weights.
class RigidFit {
 public:
  /// V + ω×a at an arm a from the origin.
  struct Twist {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  };

  RigidFit(Vector weights, std::optional<CoreAxis> axis);

  /// Points of the nodes' (k×3). False where they lie on a line, or on the axis.
  [[nodiscard]] bool set(const Positions& x, const std::vector<int>& nodes);

  /// `vector_of`(i) → Vec3 of the i-th node.
  template <class VectorOf>
  [[nodiscard]] Twist nearest(VectorOf&& vector_of) const {
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    for (Eigen::Index i = 0; i < weights_.size(); ++i) {
      const Vec3 weighted = weights_[i] * vector_of(static_cast<int>(i));
      sum += weighted;
      moment += arm(static_cast<int>(i)).cross(weighted);
    }
    return {axis_ ? Vec3(Vec3::Zero()) : Vec3(sum / total_), inverse_spread_ * moment};
  }
  [[nodiscard]] Vec3 arm(int i) const { return arms_.row(i).transpose(); }
  [[nodiscard]] const Vec3& origin() const { return origin_; }
  /// Σ w (|a|² I − a aᵀ): with masses the inertia, kg·m².
  [[nodiscard]] const Mat3& spread() const { return spread_; }
  [[nodiscard]] const Mat3& inverse_spread() const { return inverse_spread_; }

 private:
  Vector weights_;
  double total_;
  std::optional<CoreAxis> axis_;
  Vec3 origin_ = Vec3::Zero();  // their centre, or the axis's point
  Positions arms_;
  Mat3 spread_ = Mat3::Zero(), inverse_spread_ = Mat3::Zero();
};

class RigidCore {
 public:
  /// `mesh` must outlive this. Throws Error when the core's nodes are fixed or lie on a line.
  RigidCore(const SimulatedMesh& mesh, const CoreOptions& options);

  /// The present: what Q is about. x (n×3) has the core in its shape.
  void set_place(const Positions& x);
  /// values = Q values, 3 a free node.
  void project(Vector& values) const { project(present_, values); }
  /// Q at rest.
  void project_at_rest(Vector& values) const { project(rest_, values); }
  /// The rigid motion of the same momenta for the core's nodes, in their place.
  void make_rigid(Positions& velocities) const;
  /// The core's shape where it fits these positions best, by masses.
  void restore_shape(Positions& x) const;
  /// From x₀ + h v to the core turned as a rigid body turns; v becomes its velocities there.
  void finish_step(double h, Positions& x, Positions& v) const;
  /// Since rest.
  [[nodiscard]] Mat3 rotation(const Positions& x) const;

  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<int>& rows() const { return rows_; }

 private:
  void project(const RigidFit& fit, Vector& values) const;
  void put(const Vec3& origin, const Mat3& rotation, Positions& x) const;

  const Positions& X_;      // of the mesh
  std::vector<int> nodes_;  // of the core
  std::vector<int> rows_;   // the same among the free nodes
  std::optional<CoreAxis> axis_;
  RigidFit rest_, present_;             // equal weights
  RigidFit rest_masses_, with_masses_;  // at rest and at present
  Mat3 turn_ = Mat3::Identity();        // at present
};

/// y = Q A x.
class CoreOperator final : public LinearOperator {
 public:
  CoreOperator(const LinearOperator& A, const RigidCore& core, bool at_rest = false)
      : A_(A), core_(core), at_rest_(at_rest) {}
  void apply(const Vector& x, Vector& y) const override {
    A_.apply(x, y);
    at_rest_ ? core_.project_at_rest(y) : core_.project(y);
  }

 private:
  const LinearOperator& A_;
  const RigidCore& core_;
  bool at_rest_;
};

/// z = Q P r.
class CorePreconditioner final : public Preconditioner {
 public:
  CorePreconditioner(const Preconditioner& P, const RigidCore& core, bool at_rest = false)
      : P_(P), core_(core), at_rest_(at_rest) {}
  void apply(const Vector& r, Vector& z) const override {
    P_.apply(r, z);
    at_rest_ ? core_.project_at_rest(z) : core_.project(z);
  }

 private:
  const Preconditioner& P_;
  const RigidCore& core_;
  bool at_rest_;
};

/// Gives the tets of the core a material that is much stiffer than the skin: it makes no force,
/// since the core never deforms, but a factor of the whole then knows that the core is rigid.
void stiffen_core(const std::vector<int>& nodes, TetMesh& mesh, Materials& materials);

/// A place that moves with a rigid core, near it or not: weights of four nodes (at rest), the same
/// for all places.
/// Throws Error when all of them lie in a plane.
[[nodiscard]] BodyPoint point_of_core(const Positions& V, const std::vector<int>& nodes,
                                      const Vec3& place);

}  // namespace limber
