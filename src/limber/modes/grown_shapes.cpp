#include "limber/modes/grown_shapes.h"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/core/rotation.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/mass.h"
#include "limber/fem/operators.h"
#include "limber/mesh/checks.h"
#include "limber/modes/corotational_rest.h"
#include "limber/modes/extremities.h"
#include "limber/modes/rigid_motions.h"

namespace limber {

namespace {

constexpr double kShapeTolerance = 1e-3;  // of the forces; shapes span a space, no more
constexpr int kShapeIterations = 30;

class GrownShapes {
 public:
  GrownShapes(const TetMesh& mesh, const Materials& materials, std::vector<int> fixed)
      : mesh_(mesh), materials_(materials), fixed_(std::move(fixed)) {}

  [[nodiscard]] const std::vector<Positions>& shapes() const { return shapes_; }

  /// Weight across the limb in eight directions and along it in two, at two strengths.
  void hang(const Vec3& axis, double bend) {
    CorotationalRest body(mesh_, materials_, fixed_);
    const SparseMatrix m = scalar_mass(mesh_, materials_);
    const Vector masses = m * Vector::Ones(m.cols());
    const SparseRows curl = curl_operator(mesh_);
    Vec3 across = axis.unitOrthogonal();
    const Vec3 other = axis.cross(across);
    std::vector<Vec3> directions{axis, -axis};
    for (int k = 0; k < 8; ++k) {
      const double angle = k * std::numbers::pi / 4;
      directions.push_back(std::cos(angle) * across + std::sin(angle) * other);
    }
    double scale =
        0;  // of the load that turns the linear body by a radian in its weakest direction
    for (const Vec3& direction : directions) {
      const Vector w = curl * body.linear_response(mesh_.V, masses * direction.transpose());
      for (Eigen::Index i = 0; i < w.size(); i += 3)
        scale = std::max(scale, w.segment<3>(i).norm());
    }
    for (const Vec3& direction : directions) {
      Positions x = mesh_.V;
      for (const double share : {0.35, 1.0}) {
        const Positions forces = (share * bend / scale) * masses * direction.transpose();
        if (!body.settle(forces, x, kShapeTolerance, kShapeIterations)) break;
        shapes_.push_back(x);
      }
    }
  }

  /// The end turned about its axis by half a turn, both ways.
  void twist(const Extremity& end) {
    constexpr int kSteps = 8;
    std::vector<int> held = fixed_;
    held.insert(held.end(), end.nodes.begin(), end.nodes.end());
    CorotationalRest body(mesh_, materials_, held);
    const Positions none = Positions::Zero(mesh_.node_count(), 3);
    for (const double sign : {1.0, -1.0}) {
      Positions x = mesh_.V;
      for (int step = 1; step <= kSteps; ++step) {
        const Mat3 turn = rotation_exp(sign * step * std::numbers::pi / kSteps * end.axis);
        Positions way = none;
        for (const int node : end.nodes) {
          const Vec3 arm = mesh_.V.row(node).transpose() - end.centre;
          way.row(node) = (end.centre + turn * arm).transpose() - x.row(node);
        }
        body.follow(way, x);
        if (!body.settle(none, x, kShapeTolerance, kShapeIterations)) break;
        if (step % 2 == 0) shapes_.push_back(x);
      }
    }
  }

 private:
  const TetMesh& mesh_;  // both outlive this
  const Materials& materials_;
  std::vector<int> fixed_;
  std::vector<Positions> shapes_;
};

/// The turn of least squares that takes x to X, both about their means.
Positions turned_back(const Positions& X, const Positions& x) {
  const Eigen::RowVector3d rest = X.colwise().mean();
  const Eigen::RowVector3d now = x.colwise().mean();
  const Mat3 A = (X.rowwise() - rest).transpose() * (x.rowwise() - now);
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vec3 signs(1, 1, 1);
  signs[2] = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  const Mat3 R = svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose();
  return ((x.rowwise() - now) * R.transpose()).rowwise() + rest;
}

}  // namespace

Eigen::MatrixXd grown_shapes(const TetMesh& mesh, const Materials& materials,
                             const std::vector<int>& fixed_nodes, const SparseMatrix& M,
                             const GrownShapesOptions& options, const Progress& progress) {
  // A free body is held by an end while it is bent: where does not matter, it is turned back.
  std::vector<int> held = fixed_nodes;
  if (held.empty()) {
    const std::vector<Extremity> one = extremities(mesh, {farthest_node(mesh)}, 1);
    if (one.empty()) return {};
    held = one.front().nodes;
  }
  const std::vector<Extremity> ends = extremities(mesh, held, options.twisted_ends);
  if (ends.empty()) return {};
  GrownShapes grown(mesh, materials, held);
  report(progress, "bent shapes", 0);
  grown.hang(ends.front().axis, options.bend);
  for (std::size_t k = 0; k < ends.size(); ++k) {
    report(progress, "twisted shapes", static_cast<double>(k) / static_cast<double>(ends.size()));
    grown.twist(ends[k]);
  }
  Eigen::MatrixXd fields(3 * mesh.node_count(), std::ssize(grown.shapes()));
  for (std::size_t k = 0; k < grown.shapes().size(); ++k) {
    Positions x = grown.shapes()[k];
    if (fixed_nodes.empty()) x = turned_back(mesh.V, x);
    fields.col(static_cast<Eigen::Index>(k)) = stacked(x) - stacked(mesh.V);
  }
  if (!fixed_nodes.empty()) return fields;
  const FreeDofs free(mesh.node_count(), {});
  const Eigen::MatrixXd N = rigid_motions(mesh.V, connected_parts(mesh), free);
  const Eigen::MatrixXd MN = M * N;
  fields -= N * (N.transpose() * MN).ldlt().solve(MN.transpose() * fields);
  return fields;
}

}  // namespace limber
