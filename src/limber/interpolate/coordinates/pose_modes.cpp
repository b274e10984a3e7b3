#include "limber/interpolate/coordinates/pose_modes.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/core/solvers/dense_products.h"
#include "limber/modes/modal_analysis.h"

namespace limber {

namespace {

/// Directions this much weaker than the strongest are taken for dependent. Modes differ by the
/// ratio of their wavelengths, squared: 1e4 at most; rounding is at 1e-15.
constexpr double kDependent = 1e-12;

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& A) {
  const Vector scale = A.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scale.asDiagonal() * A *
                                                              scale.asDiagonal());
  const double least = kDependent * solver.eigenvalues().maxCoeff();
  const Vector inverse =
      solver.eigenvalues().unaryExpr([&](double v) { return v > least ? 1 / v : 0.0; });
  return scale.asDiagonal() * solver.eigenvectors() * inverse.asDiagonal() *
         solver.eigenvectors().transpose() * scale.asDiagonal();
}

/// Displacements e × x of a rigid rotation.
Vector rotation_field(const Positions& rest, int axis) {
  Vector field(rest.size());
  for (Eigen::Index node = 0; node < rest.rows(); ++node) {
    field.segment<3>(3 * node) = skew(Vec3::Unit(axis)) * rest.row(node).transpose();
  }
  return field;
}

}  // namespace

PoseModes::PoseModes(std::shared_ptr<const Elements> elements,
                     const Eigen::Ref<const Eigen::MatrixXd>& W, Vector eigenvalues,
                     bool rigid_rotations)
    : elements_(std::move(elements)),
      modes_(W),
      eigenvalues_(std::move(eigenvalues)),
      rigid_rotations_(rigid_rotations) {
  if (W.rows() != 3 * elements_->node_count() || W.cols() != eigenvalues_.size() || W.cols() == 0) {
    throw Error(fmt::format("modes of {}×{} for {} nodes and {} eigenvalues", W.rows(), W.cols(),
                            elements_->node_count(), eigenvalues_.size()),
                "pose modes", "give three rows a node and one eigenvalue a column");
  }
  if (!W.allFinite() || !(eigenvalues_.minCoeff() > 0) || !eigenvalues_.allFinite()) {
    throw Error("modes or eigenvalues that are not finite and positive", "pose modes",
                "leave rigid motions out");
  }
  factor_projection();
}

void PoseModes::factor_projection() {
  constexpr int kElementsAtOnce = 64;
  const Elements& elements = *elements_;
  const int columns = mode_count() + (rigid_rotations_ ? 3 : 0);
  std::vector<Positions> fields(columns);
  for (int k = 0; k < columns; ++k) {
    const Vector field =
        k < mode_count() ? modes_.column(k) : rotation_field(elements.rest, k - mode_count());
    fields[k] = Eigen::Map<const Positions>(field.data(), elements.node_count(), 3);
  }
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(columns, columns);
  Eigen::MatrixXd products(columns, columns);
  Eigen::MatrixXd rows(9 * kElementsAtOnce, columns);
  for (int first = 0; first < elements.element_count(); first += kElementsAtOnce) {
    const int count = std::min(kElementsAtOnce, elements.element_count() - first);
    for (int k = 0; k < columns; ++k) {
      for (int e = 0; e < count; ++e) {
        Eigen::Map<Mat3>(rows.col(k).data() + 9 * e) =
            std::sqrt(elements.weights[first + e]) * elements.gradient_change(fields[k], first + e);
      }
    }
    multiply_transposed(rows.topRows(9 * count), rows.topRows(9 * count), products);
    normal += products;
  }
  projection_ = pseudo_inverse(normal);
}

ModalPose PoseModes::project(const RotationStrain& coordinates) const {
  const Elements& elements = *elements_;
  Vector f = Vector::Zero(3 * elements.node_count());
  for (int element = 0; element < elements.element_count(); ++element) {
    const Mat3 D = skew(coordinates.w.row(element)) + coordinates.S[element];
    const Mat3 weighted =
        elements.weights[element] * elements.gradient_change_transposed(D, element);
    for (int k = 0; k < elements.corner_count(); ++k) {
      f.segment<3>(3 * elements.corners(element, k)) += weighted * elements.gradient(element, k);
    }
  }
  Vector right(projection_.rows());
  right.head(mode_count()) = modes_.multiply_transposed(f);
  for (int axis = 0; rigid_rotations_ && axis < 3; ++axis) {
    right[mode_count() + axis] = rotation_field(elements.rest, axis).dot(f);
  }
  const Vector solution = projection_ * right;
  ModalPose pose;
  pose.z = solution.head(mode_count());
  if (rigid_rotations_) pose.rotation = solution.tail<3>();
  return pose;
}

RotationStrain PoseModes::coordinates(const ModalPose& pose) const {
  const Elements& elements = *elements_;
  Vector u(modes_.padded_rows());
  modes_.multiply(pose.z.data(), u.data());
  RotationStrain coordinates;
  coordinates.w.resize(elements.element_count(), 3);
  coordinates.S.resize(elements.element_count());
  for (int element = 0; element < elements.element_count(); ++element) {
    const Mat3 change = elements.gradient_change(u.data(), element);
    coordinates.w.row(element) = (axial(change) + pose.rotation).transpose();
    coordinates.S[element] = 0.5 * (change + change.transpose());
  }
  return coordinates;
}

std::shared_ptr<const PoseModes> pose_modes(const TetMesh& mesh, const PoseModesOptions& options,
                                            const Progress& progress) {
  auto elements = std::make_shared<const Elements>(elements_of(mesh));
  ModalOptions modal;
  // At most six motions of each part are not modes.
  const auto used = std::count_if(elements->parts.begin(), elements->parts.end(),
                                  [](int part) { return part >= 0; });
  const int free_unknowns = 3 * static_cast<int>(used - std::ssize(options.fixed_nodes));
  const int held_parts = options.fixed_nodes.size() < 3 ? 0 : 1;
  const int available = free_unknowns - 6 * (elements->part_count - held_parts);
  modal.count = std::max(1, std::min(options.modes, available));
  const ModalAnalysis analysis =
      modal_analysis(mesh, options.materials, options.fixed_nodes, modal, progress);
  return std::make_shared<const PoseModes>(std::move(elements), analysis.Phi, analysis.eigenvalues,
                                           analysis.rigid_modes > 0);
}

}  // namespace limber
