// How well few modes show a pose: rotation-strain coordinates against modal warping fitted to
// positions (Huang et al. 2011, eq. 17) or to deformation gradients (eq. 18). The paper's Fig. 3.
//
// Errors: (17) Σ |V_i| |x_i − x̃_i|² and (18) Σ |T_e| ‖F_e − F̃_e‖², both divided by the volume and
// (17) by the body's size squared. Modal warping starts from the amplitudes of the rotation-strain
// projection, as in the paper, and is fitted by Levenberg-Marquardt over modes, rigid rotations and
// translations.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <array>
#include <map>
#include <numbers>

#include "bench.h"
#include "limber/core/rotation.h"
#include "limber/fem/operators.h"
#include "limber/interpolate/coordinates/pose_modes.h"
#include "limber/interpolate/motion/rigid_guide.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/interpolate/reconstruction/reconstruction.h"
#include "limber/mesh/sample_shapes.h"

namespace limber {

namespace {

struct Errors {
  double positions = 0;  ///< eq. 17
  double gradients = 0;  ///< eq. 18
};

Errors errors_of(const Elements& elements, const Positions& pose, const Positions& shape) {
  const double volume = elements.weights.sum();
  const double size =
      (elements.rest.colwise().maxCoeff() - elements.rest.colwise().minCoeff()).norm();
  Errors errors;
  for (int node = 0; node < elements.node_count(); ++node) {
    errors.positions += elements.node_weights[node] *
                        (pose.row(node) - shape.row(node)).squaredNorm() / (volume * size * size);
  }
  for (int e = 0; e < elements.element_count(); ++e) {
    errors.gradients +=
        elements.weights[e] *
        (elements.deformation_gradient(pose, e) - elements.deformation_gradient(shape, e))
            .squaredNorm() /
        volume;
  }
  return errors;
}

/// Modal warping x̃(z) = r + R~(Ωz) W z with three rotations and three translations beside the
/// modes.
class WarpingFit {
 public:
  WarpingFit(const TetMesh& mesh, const PoseModes& modes)
      : rest_(mesh.V), elements_(modes.elements()) {
    const int m = modes.mode_count();
    W_.resize(3 * mesh.node_count(), m + 6);
    for (int k = 0; k < m; ++k) W_.col(k) = modes.modes().column(k);
    for (int axis = 0; axis < 3; ++axis) {
      for (int node = 0; node < mesh.node_count(); ++node) {
        W_.block<3, 1>(3 * node, m + axis) = skew(Vec3::Unit(axis)) * rest_.row(node).transpose();
        W_.block<3, 1>(3 * node, m + 3 + axis) = Vec3::Unit(axis);
      }
    }
    Omega_ = curl_operator(mesh) * W_;
    laplacian_.resize(mesh.node_count(), mesh.node_count());
    std::vector<Eigen::Triplet<double>> entries;
    for (int e = 0; e < elements_->element_count(); ++e) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
          entries.emplace_back(
              elements_->corners(e, i), elements_->corners(e, j),
              elements_->weights[e] * elements_->gradient(e, i).dot(elements_->gradient(e, j)));
        }
      }
    }
    laplacian_.setFromTriplets(entries.begin(), entries.end());
  }

  /// Translations do not turn with the rest: they are added behind R~.
  [[nodiscard]] Positions shape(const Vector& z) const {
    const Eigen::Index m = W_.cols() - 3;
    const Vector u = W_.leftCols(m) * z.head(m);
    const Vector w = Omega_.leftCols(m) * z.head(m);
    Positions result = rest_;
    for (Eigen::Index node = 0; node < rest_.rows(); ++node) {
      result.row(node) +=
          (mean_rotation(w.segment<3>(3 * node)) * u.segment<3>(3 * node) + z.tail<3>())
              .transpose();
    }
    return result;
  }

  [[nodiscard]] Vector fit(const Positions& pose, Vector z, bool to_gradients) const {
    double mu = 1e-3;
    double now = cost(shape(z) - pose, to_gradients);
    for (int step = 0; step < 200 && mu < 1e8; ++step) {
      const Eigen::MatrixXd J = jacobian(z);
      const Positions difference = shape(z) - pose;
      const Eigen::MatrixXd MJ = metric(J, to_gradients);
      const Eigen::MatrixXd H = J.transpose() * MJ;
      const Vector g = MJ.transpose() * stacked(difference);
      bool better = false;
      double gain = 0;
      while (!better && mu < 1e8) {
        Eigen::MatrixXd damped = H;
        damped.diagonal() += mu * H.diagonal() + Vector::Constant(H.rows(), 1e-14 * H.trace());
        const Vector next = z - damped.ldlt().solve(g);
        const double there = cost(shape(next) - pose, to_gradients);
        better = there < now;
        mu *= better ? 0.3 : 5;
        if (!better) continue;
        gain = (now - there) / now;
        z = next;
        now = there;
      }
      if (gain < 1e-7) break;
    }
    return z;
  }

 private:
  [[nodiscard]] Eigen::MatrixXd jacobian(const Vector& z) const {
    const Eigen::Index m = W_.cols() - 3;
    const Vector u = W_.leftCols(m) * z.head(m);
    const Vector w = Omega_.leftCols(m) * z.head(m);
    Eigen::MatrixXd J(W_.rows(), W_.cols());
    for (Eigen::Index node = 0; node < rest_.rows(); ++node) {
      const Vec3 wn = w.segment<3>(3 * node);
      J.block(3 * node, 0, 3, m) =
          mean_rotation(wn) * W_.block(3 * node, 0, 3, m) +
          mean_rotation_derivative(wn, u.segment<3>(3 * node)) * Omega_.block(3 * node, 0, 3, m);
      J.block<3, 3>(3 * node, m) = Mat3::Identity();
    }
    return J;
  }

  /// |V_i| or Gᵀ V G times a stacked field.
  [[nodiscard]] Eigen::MatrixXd metric(const Eigen::MatrixXd& fields, bool to_gradients) const {
    Eigen::MatrixXd result(fields.rows(), fields.cols());
    const Eigen::Index n = rest_.rows();
    for (int c = 0; c < 3; ++c) {
      const Eigen::MatrixXd part = fields(Eigen::seqN(c, n, 3), Eigen::all);
      if (to_gradients) {
        // A trace of |V_i| fixes the translation.
        result(Eigen::seqN(c, n, 3), Eigen::all) =
            laplacian_ * part + 1e-6 * (elements_->node_weights.asDiagonal() * part);
      } else {
        result(Eigen::seqN(c, n, 3), Eigen::all) = elements_->node_weights.asDiagonal() * part;
      }
    }
    return result;
  }

  [[nodiscard]] double cost(const Positions& difference, bool to_gradients) const {
    const Vector field = stacked(difference);
    return field.dot(metric(field, to_gradients).col(0));
  }

  Positions rest_;
  std::shared_ptr<const Elements> elements_;
  Eigen::MatrixXd W_;      // modes, rotations, translations
  Eigen::MatrixXd Omega_;  // rotation vectors of the nodes
  SparseMatrix laplacian_;
};

/// A body of cubes: trunk, four legs, a head and a long nose, cells of 0.1 m.
TetMesh animal() {
  const TetMesh block = bar({2.4, 1.2, 0.6}, {24, 12, 6});
  const auto inside = [](const Vec3& x) {
    const bool trunk = x.x() > 0.2 && x.x() < 1.2 && x.y() > 0.5 && x.y() < 1.0;
    const bool head = x.x() > 1.2 && x.x() < 1.5 && x.y() > 0.8 && x.z() > 0.1 && x.z() < 0.5;
    const bool nose = x.x() > 1.5 && x.y() > 0.9 && x.y() < 1.1 && x.z() > 0.2 && x.z() < 0.4;
    const bool leg_x = (x.x() > 0.2 && x.x() < 0.4) || (x.x() > 1.0 && x.x() < 1.2);
    const bool leg_z = x.z() < 0.2 || x.z() > 0.4;
    return trunk || head || nose || (leg_x && leg_z && x.y() < 0.5);
  };
  TetMesh mesh;
  std::vector<int> number(block.node_count(), -1);
  std::vector<std::array<int, 4>> tets;
  std::vector<int> nodes;
  for (int tet = 0; tet < block.tet_count(); ++tet) {
    // All tets of a cube lie in the same cell: its middle is the mean of the tet's ends.
    Vec3 low = block.V.row(block.T(tet, 0));
    Vec3 high = low;
    for (int k = 1; k < 4; ++k) {
      const Vec3 x = block.V.row(block.T(tet, k));
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
    if (!inside((low + high) / 2)) continue;
    std::array<int, 4> corners{};
    for (int k = 0; k < 4; ++k) {
      int& node = number[block.T(tet, k)];
      if (node < 0) {
        node = static_cast<int>(nodes.size());
        nodes.push_back(block.T(tet, k));
      }
      corners[k] = node;
    }
    tets.push_back(corners);
  }
  mesh.V.resize(static_cast<Eigen::Index>(nodes.size()), 3);
  for (std::size_t k = 0; k < nodes.size(); ++k) mesh.V.row(k) = block.V.row(nodes[k]);
  mesh.T.resize(static_cast<Eigen::Index>(tets.size()), 4);
  for (std::size_t k = 0; k < tets.size(); ++k) {
    mesh.T.row(k) << tets[k][0], tets[k][1], tets[k][2], tets[k][3];
  }
  return mesh;
}

/// Nose rolled up by 1.6π and twisted, and where wanted legs in stride, with a kink at each hip.
Positions animal_pose(const TetMesh& mesh, bool stride) {
  const auto where = [&](const Positions& V, const Positions& changed, auto picks) {
    Positions result = V;
    for (Eigen::Index node = 0; node < V.rows(); ++node) {
      if (picks(Vec3(mesh.V.row(node)))) result.row(node) = changed.row(node);
    }
    return result;
  };
  Twist twisting{{1.5, 1.0, 0.3}, Vec3::UnitX(), 0, 0.9, 1.2};
  Bend rolling{{1.5, 1.0, 0.3}, Vec3::UnitX(), Vec3::UnitY(), 0, 0.9, 5.0};
  const auto nose = [](const Vec3& x) { return x.x() >= 1.5; };
  Positions V = where(mesh.V, bend(twist(mesh.V, twisting), rolling), nose);
  if (!stride) return V;
  for (const double side : {0.0, 0.4}) {
    for (const double end : {0.2, 1.0}) {
      const double angle = (side > 0) == (end > 0.5) ? 0.9 : -0.9;
      const Bend step{{end + 0.1, 0.5, side + 0.1}, -Vec3::UnitY(), Vec3::UnitX(), 0, 0.5, angle};
      const auto leg = [&](const Vec3& x) {
        return x.y() <= 0.5 && x.x() >= end && x.x() <= end + 0.2 && x.z() >= side &&
               x.z() <= side + 0.2;
      };
      V = where(V, bend(mesh.V, step), leg);
    }
  }
  return V;
}

void compare(const std::string& name, const TetMesh& mesh, const Positions& given, int count,
             std::vector<BenchResult>& results) {
  const auto modes = pose_modes(mesh, {count, {}, {}});
  const Elements& elements = *modes->elements();
  // Turned back by its mean rotation, as in ShapeInterpolation; the same pose for all.
  const Positions pose = given * mean_rotation_of(elements, given);
  const Vec3 barycentre = barycentres(elements, pose).row(0);
  const ModalPose projected = modes->project(rotation_strain(elements, pose));
  const Errors mine = errors_of(
      elements, pose, reconstruct(modes->elements(), modes->coordinates(projected), barycentre));
  const WarpingFit warping(mesh, *modes);
  Vector start = Vector::Zero(modes->mode_count() + 6);
  start.head(modes->mode_count()) = projected.z;
  start.segment<3>(modes->mode_count()) = projected.rotation;
  const Errors by_17 = errors_of(elements, pose, warping.shape(warping.fit(pose, start, false)));
  const Errors by_18 = errors_of(elements, pose, warping.shape(warping.fit(pose, start, true)));
  const auto add = [&](const char* measure, double ours, double fitted_17, double fitted_18) {
    BenchResult result;
    result.name = fmt::format("pose fit: {}, {} modes, error {}", name, count, measure);
    result.reference = "modal warping, the better fit";
    result.ratio = std::min(fitted_17, fitted_18) / ours;
    result.note =
        fmt::format("rotation-strain {:.2e}, warping fitted to (17) {:.2e}, to (18) {:.2e}", ours,
                    fitted_17, fitted_18);
    results.push_back(result);
  };
  add("(17)", mine.positions, by_17.positions, by_18.positions);
  add("(18)", mine.gradients, by_17.gradients, by_18.gradients);
}

/// Twisted by π and bent by 1.5π about its middle line, or by a share of both.
Positions wrung(const TetMesh& mesh, double width, double share = 1) {
  Twist twisting;
  twisting.origin = {0, width / 2, width / 2};
  twisting.angle = share * std::numbers::pi;
  Bend bending;
  bending.origin = twisting.origin;
  bending.angle = share * 1.5 * std::numbers::pi;
  return bend(twist(mesh.V, twisting), bending);
}

std::vector<BenchResult> pose_fit() {
  std::vector<BenchResult> results;
  const TetMesh thick = bar({1, 0.15, 0.15}, {16, 3, 3});
  const TetMesh slender = bar({1, 0.0625, 0.0625}, {48, 3, 3});
  const TetMesh beast = animal();
  compare("bar, half the angles", thick, wrung(thick, 0.15, 0.5), 50, results);
  for (const int count : {50, 100}) {
    compare("bar", thick, wrung(thick, 0.15), count, results);
    compare("slender bar", slender, wrung(slender, 0.0625), count, results);
    compare("animal", beast, animal_pose(beast, true), count, results);
    compare("animal, nose alone", beast, animal_pose(beast, false), count, results);
  }
  return results;
}

const RegisterBench kPoseFit("pose-fit", &pose_fit);

}  // namespace

}  // namespace limber
