// What truth costs: steps of reduced bodies on two meshes, beside linear modes and corotational
// FEM, and of the nonlinear laws at full resolution beside the corotational one.
#include "bench.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/dynamics/modal/modal_body.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "limber/modes/bake_reduced.h"
#include "stepping.h"
#include "timing.h"

namespace limber {

namespace {

constexpr double kFrame = 1.0 / 60;
const Material kSoft{2e5, 0.3, 1000};

/// 1 × 0.2 × 0.2 m, clamped at x = 0.
struct ClampedBar {
  explicit ClampedBar(int n) : mesh(bar({1, 0.2, 0.2}, {5 * n, n, n})) {
    fixed = select_nodes(mesh, "x<=0.001");
  }
  TetMesh mesh;
  std::vector<int> fixed;

  [[nodiscard]] std::string size() const { return std::to_string(mesh.tet_count()) + " tets"; }
};

/// Sags by half its length while it swings.
Loads bending() { return {{{Vec3(0, -6, 0)}}, {}}; }

double modal_step(const ModalModel& model, Method method, ElasticLaw law) {
  ModalBodyOptions options;
  options.method = method;
  options.law = law;
  options.damping = {0.1, 0.01};
  options.fast = method == Method::modal_warping;
  ModalBody body(model, options, bending());
  for (int k = 0; k < 10; ++k) step(body, kFrame);
  return best_seconds_each([&] { step(body, kFrame); }, 200);
}

/// Whole swings, since steps differ.
double full_step(const ClampedBar& bar, Method method) {
  constexpr int kSteps = 30;
  FullBodyOptions options;
  options.method = method;
  options.damping = {0.1, 0.01};
  return best_seconds(
             [&] {
               FullBody body(bar.mesh, kSoft, bar.fixed, options, bending());
               for (int k = 0; k < kSteps; ++k) step(body, kFrame);
             },
             1) /
         kSteps;
}

std::vector<BenchResult> fidelity() {
  std::vector<BenchResult> results;
  for (const int n : {2, 5}) {
    const ClampedBar bar(n);
    ModalModel model = bake(bar.mesh, kSoft, bar.fixed, {20});
    bake_reduced(bar.mesh, kSoft, model);
    const double corotational = full_step(bar, Method::corotational);
    const double linear = modal_step(model, Method::linear_modal, {});
    for (const ElasticLaw law :
         {ElasticLaw::corotational, ElasticLaw::stvk, ElasticLaw::neo_hookean}) {
      BenchResult result;
      result.name = "reduced step, " +
                    std::string(kElasticLawNames[static_cast<std::size_t>(law)]) + ", r = 30, of " +
                    bar.size();
      result.seconds = modal_step(model, Method::reduced, law);
      result.target = 80e-6;
      result.note = "linear modal step " + std::to_string(1e6 * linear).substr(0, 4) +
                    " us, corotational step " + std::to_string(1e3 * corotational).substr(0, 5) +
                    " ms";
      results.push_back(result);
    }
    for (const Method method : {Method::stvk, Method::neo_hookean}) {
      BenchResult result;
      result.name = std::string(name_of(method)) + " step, " + bar.size();
      result.seconds = full_step(bar, method);
      result.reference = "corotational step";
      result.reference_seconds = corotational;
      result.ratio = corotational / result.seconds;
      result.target = 0.25;
      results.push_back(result);
    }
  }
  return results;
}

const RegisterBench kFidelity("fidelity", &fidelity);

}  // namespace

}  // namespace limber
