// Handles: what a step with them costs, and what adding one does.
#include "bench.h"
#include "limber/constraint/constraint_set.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "timing.h"

namespace limber {

namespace {

/// A step's correction by `count` position handles spread over a bar.
struct HeldBody {
  HeldBody(int cells, int modes, int count)
      : mesh(bar({5, 1, 1}, {5 * cells, cells, cells})),
        body(bake(mesh, Material{}, select_nodes(mesh, "x<=0"), {modes})),
        set(body, Method::modal_warping),
        coefficients(step_coefficients(body.eigenvalues(), Damping{1, 0.01}, h, Integrator::exact)),
        previous(Vector::Constant(modes, 0.01)),
        velocity(Vector::Zero(modes)),
        q(previous),
        v(velocity),
        force(Vector::Zero(modes)) {
    for (int k = 0; k < count; ++k) add(0.5 + 4.5 * k / count, k % 2);
  }

  int add(double x, double z) {
    const int node = nearest_node(mesh, {x, 1, z});
    const Vec3 rest = mesh.V.row(node);
    return set.add(Handle{HandleKind::position,
                          HandlePoint::at_node(node),
                          Path({0.0}, {Vec3(rest + Vec3(0, 0.01, 0))}),
                          Treatment::previous,
                          {}});
  }

  void correct() {
    const StepContext step{body,    Method::modal_warping, damping, coefficients, h, 0, previous,
                           velocity};
    q = previous;
    v = velocity;
    set.correct(step, q, v, force);
  }

  static constexpr double h = 1.0 / 60;
  Damping damping{1, 0.01};
  TetMesh mesh;
  ModalModel body;
  ConstraintSet set;
  StepCoefficients coefficients;
  Vector previous, velocity, q, v, force;
};

BenchResult timed_step(const char* name, HeldBody& held, double target) {
  held.correct();
  BenchResult result;
  result.name = name;
  result.seconds = best_seconds_each([&] { held.correct(); }, 1000);
  result.target = target;
  return result;
}

std::vector<BenchResult> handles() {
  HeldBody ten(5, 64, 10);
  HeldBody twenty(7, 200, 20);
  HeldBody ten_on_large(9, 64, 10);
  std::vector<BenchResult> results{
      timed_step("10 handles on 64 modes, a step", ten, 20e-6),
      timed_step("20 handles on 200 modes, a step", twenty, 300e-6),
      timed_step("the same 10 on a mesh of 5.8 times the tets", ten_on_large, 20e-6)};
  BenchResult change;
  change.name = "adding and dropping a handle among 10, 64 modes";
  change.target = 1e-3;
  change.seconds = best_seconds_each(
      [&] {
        const int handle = ten.add(2.7, 0.5);
        ten.correct();
        ten.set.remove(handle);
      },
      10);
  change.note = "with the step that rebuilds";
  results.push_back(change);
  return results;
}

const RegisterBench kHandles("handles", &handles);

}  // namespace

}  // namespace limber
