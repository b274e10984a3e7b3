// Dynamic shape interpolation: a frame against a straightforward Eigen version of the same
// formulas, the adjustment of all modes, set-up. Huang et al. 2011, table 1: 11,054 tets and 100
// modes took 24 ms for Ŵz and 62 ms for the reconstruction.
#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <memory>

#include "bench.h"
#include "limber/core/rotation.h"
#include "limber/fem/operators.h"
#include "limber/interpolate/motion/shape_interpolation.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/mesh/sample_shapes.h"
#include "timing.h"

namespace limber {

namespace {

constexpr int kModes = 100;

Positions posed(const TetMesh& mesh) {
  Twist twisting;
  twisting.angle = 1.5;
  Bend bending;
  bending.angle = 2.5;
  return bend(twist(mesh.V, twisting), bending);
}

/// Ŵ stored whole, Rodrigues tet by tet, Gᵀ V as a sparse matrix, Eigen's Cholesky.
class StraightforwardFrame {
 public:
  StraightforwardFrame(const TetMesh& mesh, const PoseModes& modes)
      : rows_(9 * mesh.tet_count(), modes.mode_count()), gradients_(3 * mesh.tet_count(), 3) {
    const Elements& elements = *modes.elements();
    for (int k = 0; k < modes.mode_count(); ++k) {
      const Vector column = modes.modes().column(k);
      for (int tet = 0; tet < mesh.tet_count(); ++tet) {
        const Mat3 A = elements.gradient_change(column.data(), tet);
        rows_.block<3, 1>(9 * tet, k) = axial(A);
        const Mat3 S = 0.5 * (A + A.transpose());
        rows_.block<6, 1>(9 * tet + 3, k) << S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(1, 2), S(2, 0);
      }
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (int tet = 0; tet < mesh.tet_count(); ++tet) {
      for (int k = 0; k < 4; ++k) {
        for (int j = 0; j < 3; ++j) {
          entries.emplace_back(mesh.T(tet, k), 3 * tet + j, elements.gradient(tet, k)[j]);
        }
      }
    }
    SparseMatrix Gt(mesh.node_count(), 3 * mesh.tet_count());
    Gt.setFromTriplets(entries.begin(), entries.end());
    Vector weights(3 * mesh.tet_count());
    for (int tet = 0; tet < mesh.tet_count(); ++tet) {
      weights.segment<3>(3 * tet).setConstant(elements.weights[tet]);
    }
    weighted_ = Gt * weights.asDiagonal();
    SparseMatrix L = weighted_ * SparseMatrix(Gt.transpose());
    L.coeffRef(0, 0) += 1;  // holds the translation
    factor_.compute(L);
  }

  const Eigen::MatrixXd& frame(const Vector& z) {
    coordinates_.noalias() = rows_ * z;
    for (Eigen::Index tet = 0; tet < rows_.rows() / 9; ++tet) {
      const Vec3 w = coordinates_.segment<3>(9 * tet);
      const double* const s = coordinates_.data() + 9 * tet + 3;
      Mat3 stretch;
      stretch << 1 + s[0], s[3], s[5], s[3], 1 + s[1], s[4], s[5], s[4], 1 + s[2];
      gradients_.block<3, 3>(3 * tet, 0) = (rotation_exp(w) * stretch).transpose();
    }
    positions_ = factor_.solve(weighted_ * gradients_);
    return positions_;
  }

 private:
  Eigen::MatrixXd rows_;  // Ŵ
  Vector coordinates_;
  Eigen::MatrixXd gradients_;
  SparseMatrix weighted_;  // Gᵀ V, scalar
  Eigen::SimplicialLLT<SparseMatrix> factor_;
  Eigen::MatrixXd positions_;
};

/// Seconds of a frame at random times of the motion.
double frame_seconds(ShapeInterpolation& motion) {
  Positions positions;
  int frame = 0;
  return best_seconds_each(
      [&] {
        motion.evaluate((frame = (frame + 37) % 100) / 100.0, positions);
        do_not_optimize(positions.data());
      },
      10);
}

std::vector<BenchResult> interpolation() {
  std::vector<BenchResult> results;
  const TetMesh mesh = bar({1, 0.27, 0.27}, {30, 8, 8});
  const auto analysed = pose_modes(mesh, {kModes, {}, {}});
  const std::string size = fmt::format("{} tets, {} modes", mesh.tet_count(), kModes);

  std::unique_ptr<ShapeInterpolation> motion;
  BenchResult setup;
  setup.name = fmt::format("interpolate: set-up without eigenmodes, {}", size);
  setup.target = 1;
  setup.seconds = seconds_of([&] {
    Eigen::MatrixXd W(3 * mesh.node_count(), kModes);
    for (int k = 0; k < kModes; ++k) W.col(k) = analysed->modes().column(k);
    const auto modes = std::make_shared<const PoseModes>(
        std::make_shared<const Elements>(elements_of(mesh)), W, analysed->eigenvalues(), true);
    motion = std::make_unique<ShapeInterpolation>(
        modes, std::vector<KeyPose>{{0, mesh.V, {}}, {1, posed(mesh), {}}});
  });
  results.push_back(setup);

  StraightforwardFrame reference(mesh, motion->modes());
  Vector z(kModes);
  motion->motion().at(0.4, z);
  BenchResult frame;
  frame.name = fmt::format("interpolate: one frame, {}", size);
  frame.reference = "the same formulas in Eigen";
  frame.seconds = frame_seconds(*motion);
  frame.reference_seconds = best_seconds([&] { do_not_optimize(reference.frame(z).data()); });
  frame.ratio = frame.reference_seconds / frame.seconds;
  frame.target = 5;
  frame.note = fmt::format("{:.0f} frames a second", 1 / frame.seconds);
  results.push_back(frame);
  results.push_back({fmt::format("interpolate: one frame, {}, s", size), frame.seconds, 0, 0, 0.004,
                     "", "86 ms in the paper, 2011"});

  BenchResult adjust;
  adjust.name = fmt::format("interpolate: adjust {} modes (eq. 15)", kModes);
  adjust.target = 0.005;
  MotionControls controls;
  controls.damping_ratio = -0.8;
  adjust.seconds = best_seconds([&] { motion->set_controls(controls); });
  results.push_back(adjust);

  const TetMesh larger = bar({1, 0.28, 0.28}, {36, 10, 10});
  ShapeInterpolation larger_motion(pose_modes(larger, {kModes, {}, {}}),
                                   {{0, larger.V, {}}, {1, posed(larger), {}}});
  BenchResult large;
  large.name =
      fmt::format("interpolate: one frame, {} tets, {} modes, s", larger.tet_count(), kModes);
  large.target = 0.01;
  large.seconds = frame_seconds(larger_motion);
  large.note = fmt::format("{:.2f} times the seconds a tet of the smaller mesh",
                           large.seconds / larger.tet_count() / (frame.seconds / mesh.tet_count()));
  results.push_back(large);
  return results;
}

const RegisterBench kInterpolation("interpolate", &interpolation);

}  // namespace

}  // namespace limber
