// Handles: what a step with them costs, and what adding one does.
#include "bench.h"
#include "limber/constraint/modal_handles.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "stepping.h"
#include "timing.h"

namespace limber {

namespace {

/// A bar held by `count` position handles spread over it.
struct HeldBody {
  HeldBody(int cells, int modes, int count)
      : mesh(bar({5, 1, 1}, {5 * cells, cells, cells})),
        body(make_modal_body(bake(mesh, Material{}, select_nodes(mesh, "x<=0"), {modes}),
                             {.method = Method::modal_warping,
                              .integrator = Integrator::exact,
                              .damping = {1, 0.01}})) {
    for (int k = 0; k < count; ++k) add(0.5 + 4.5 * k / count, k % 2);
  }

  int add(double x, double z) {
    const int node = nearest_node(mesh, {x, 1, z});
    const Vec3 rest = mesh.V.row(node);
    Handle handle;
    handle.point = BodyPoint::at_node(node);
    handle.target = Path({0.0}, {Vec3(rest + Vec3(0, 0.01, 0))});
    return body->handles().add(handle);
  }

  static constexpr double h = 1.0 / 60;
  TetMesh mesh;
  std::unique_ptr<ModalBody> body;
};

BenchResult timed_step(const char* name, HeldBody& held, double target) {
  step(*held.body, HeldBody::h);
  BenchResult result;
  result.name = name;
  result.seconds = best_seconds_each([&] { step(*held.body, HeldBody::h); }, 1000);
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
        step(*ten.body, HeldBody::h);
        ten.body->handles().remove(handle);
      },
      10);
  change.note = "with the step that rebuilds";
  results.push_back(change);
  return results;
}

const RegisterBench kHandles("handles", &handles);

}  // namespace

}  // namespace limber
