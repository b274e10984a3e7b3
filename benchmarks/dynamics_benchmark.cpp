// One step of the oscillators, and gravity's modal force under warping by cubature.
#include "bench.h"
#include "limber/dynamics/modal/cubature.h"
#include "limber/dynamics/modal/modal_body.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/modes/bake.h"
#include "timing.h"

namespace limber {

namespace {

/// Clamped at x = 0: 1008 nodes at n = 7.
ModalModel clamped_bar(int n, int modes) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {3 * n, n - 1, n - 1});
  std::vector<int> fixed;
  for (int i = 0; i < mesh.node_count(); ++i) {
    if (mesh.V(i, 0) == 0) fixed.push_back(i);
  }
  ModalOptions options;
  options.count = modes;
  return bake(mesh, Material{2e5, 0.3, 1000}, fixed, options);
}

BenchResult oscillators(int modes) {
  const Vector eigenvalues = Vector::LinSpaced(modes, 10, 1e4);
  const StepCoefficients step =
      step_coefficients(eigenvalues, {0.1, 1e-3}, 1.0 / 60, Integrator::exact);
  Vector q = Vector::Ones(modes);
  Vector v = Vector::Zero(modes);
  const Vector f = Vector::Ones(modes);
  BenchResult result;
  result.name = "one step of " + std::to_string(modes) + " modes, modal force given";
  result.seconds = best_seconds_each([&] { advance(step, q.data(), v.data(), f.data()); }, 20'000);
  result.target = 1e-7;
  do_not_optimize(q.sum());
  return result;
}

/// The largest relative error over states that the rule was not trained on.
double worst_error(const ModalModel& body, Cubature& cubature, ModalShape& exact) {
  const Eigen::MatrixXd states = random_states(body, 200, 1.5, 99);
  const Vector zero = Vector::Zero(body.mode_count());
  double worst = 0;
  for (Eigen::Index k = 0; k < states.cols(); ++k) {
    AccelerationField gravity;
    gravity.uniform = Vec3(3, -9, 1);
    Vector reference = zero;
    exact.add_field(gravity, states.col(k), zero, reference);
    Vector f = zero;
    cubature.add_force(gravity.uniform, states.col(k), f);
    worst = std::max(worst, (f - reference).norm() / reference.norm());
  }
  return worst;
}

BenchResult gravity(const ModalModel& body) {
  Cubature cubature(body);
  const std::unique_ptr<ModalShape> exact = make_modal_shape(body, Method::modal_warping);
  const Vector q = random_states(body, 1, 1.0, 5).col(0);
  const Vector zero = Vector::Zero(body.mode_count());
  Vector f = zero;
  AccelerationField field;
  field.uniform = Vec3(0, -9.81, 0);
  BenchResult result;
  result.name = "gravity under warping, " + std::to_string(body.node_count()) + " nodes × " +
                std::to_string(body.mode_count()) + " modes, by cubature";
  result.seconds = best_seconds_each([&] { cubature.add_force(field.uniform, q, f); }, 5'000);
  result.reference = "sum over all nodes";
  result.reference_seconds = best_seconds_each([&] { exact->add_field(field, q, zero, f); }, 50);
  result.ratio = result.reference_seconds / result.seconds;
  result.target = 10;
  const double percent = 100 * worst_error(body, cubature, *exact);
  result.note = "worst error on 200 untrained states " + std::to_string(percent).substr(0, 5) +
                " %, goal below 0.5 % and 1 µs";
  do_not_optimize(f.sum());
  return result;
}

/// The whole of step(): loads, force, oscillators, frame.
BenchResult whole_step(const ModalModel& body, bool fast) {
  ModalBodyOptions options;
  options.damping = {0.1, 0.01};
  options.fast = fast;
  Loads loads;
  loads.gravity.push_back({{0, -9.81, 0}});
  ModalBody modal(body, options, loads);
  BenchResult result;
  result.name = "step of a warped body, " + std::to_string(body.node_count()) + " nodes × " +
                std::to_string(body.mode_count()) + " modes" + (fast ? ", fast" : "");
  result.seconds = best_seconds_each([&] { modal.step(1.0 / 60); }, fast ? 2'000 : 50);
  result.target = fast ? 2e-6 : 1e-3;
  return result;
}

std::vector<BenchResult> dynamics() {
  const ModalModel body = clamped_bar(7, 20);
  return {oscillators(20), oscillators(64), gravity(body), whole_step(body, false),
          whole_step(body, true)};
}

const RegisterBench kDynamics("dynamics", &dynamics);

}  // namespace

}  // namespace limber
