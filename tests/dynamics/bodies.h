// Small bodies for the tests of dynamics, made by dense algebra.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "limber/core/sparse.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/mass.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/modes/playback/modal_model.h"

namespace limber::test {

[[nodiscard]] NodalMass nodal_mass(const SparseMatrix& scalar);

/// The lowest modes of a mesh by a dense generalised eigenvalue problem; of a free body the six
/// rigid modes are set apart. `modes` of 0 means all.
[[nodiscard]] ModalModel dense_body(const TetMesh& mesh, const Material& material,
                                    const std::vector<int>& fixed_nodes, int modes = 0);

/// A soft bar clamped at x = 0, eight modes; gravity turns its end by about a radian.
[[nodiscard]] const ModalModel& soft_bar();

/// M (3n×3n) of a body, dense.
[[nodiscard]] Eigen::MatrixXd dense_mass(const ModalModel& body);

/// Nodes whose coordinate `axis` lies at `value`.
[[nodiscard]] std::vector<int> nodes_at(const TetMesh& mesh, int axis, double value);

[[nodiscard]] inline Eigen::Quaterniond turned(double angle, const Vec3& axis) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

}  // namespace limber::test
