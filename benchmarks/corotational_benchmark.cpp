// Full-resolution steps: corotational against a plain one, rotations, growth, real time, and
// stiffness warping against the linear step.
#include <cmath>
#include <string>

#include "bench.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/fem/corotational.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "plain_corotational.h"
#include "stepping.h"
#include "timing.h"

namespace limber {

namespace {

constexpr double kStep = 0.01;
const Vec3 kGravity(0, -9.81, 0);
const Material kMaterial{1e6, 0.33, 1000};

/// The clamped bar of n×n cells in section, 30 n³ tets. One metre long its weight bends it by a
/// third of its length, and the swing of 20 steps is most of the way there.
TetMesh bench_bar(int n) { return bar({1, 0.2, 0.2}, {5 * n, n, n}); }

Loads weight() {
  Loads loads;
  loads.gravity.push_back({kGravity});
  return loads;
}

/// A bar that has swung for `steps` steps, and how long the next two take.
struct BentBar {
  struct State {
    Positions x, v;
  };

  TetMesh mesh;
  std::vector<int> fixed;
  FullBody body;
  State first, second;

  BentBar(int n, int steps)
      : mesh(bench_bar(n)),
        fixed(select_nodes(mesh, "x<=0")),
        body(mesh, kMaterial, fixed, {}, weight()) {
    for (int k = 0; k < steps; ++k) step(body, kStep);
    first = {body.positions(), body.velocities()};
    step(body, kStep);
    second = {body.positions(), body.velocities()};
  }

  struct Timing {
    double step = 1e300;
    double solve = 1e300;
  };
  /// The same two steps by turns, so that none finds the rotations of its state done.
  Timing time() {
    constexpr double kBudget = 0.5;
    Timing best;
    best.step = best_seconds(
                    [&] {
                      double solve = 0;
                      for (const State* state : {&second, &first}) {
                        body.set_node_state(state->x, state->v);
                        step(body, kStep);
                        solve += body.last_step().solver_seconds / 2;
                      }
                      best.solve = std::min(best.solve, solve);
                    },
                    kBudget) /
                2;
    return best;
  }
};

std::vector<BenchResult> against_plain(int n, const std::string& size) {
  BentBar bar(n, 20);
  const BentBar::Timing own = bar.time();
  PlainCorotational plain(bar.mesh, kMaterial, bar.fixed);
  PlainCorotational::Result reference;
  for (int run = 0; run < 3; ++run) {
    Positions x = bar.first.x;
    Positions v = bar.first.v;
    const PlainCorotational::Result result = plain.step(kStep, kGravity, 1e-6, x, v);
    if (run > 0 && result.seconds >= reference.seconds) continue;
    reference = result;
  }
  const std::string iterations = std::to_string(bar.body.last_step().solver_iterations) +
                                 " iterations against " + std::to_string(reference.iterations);
  const std::string how = "scalar CSR, Jacobi-CG, scalar polar decompositions";
  return {{"corotational step, " + size, own.step, reference.seconds, reference.seconds / own.step,
           8, how, iterations},
          {"corotational solve, " + size, own.solve, reference.solve_seconds,
           reference.solve_seconds / own.solve, 12, how, iterations},
          {"corotational step over its solve, " + size, own.step, own.solve * 1.5,
           own.solve * 1.5 / own.step, 1, "1.5 times its own linear solve", ""}};
}

std::vector<BenchResult> corotational() {
  std::vector<BenchResult> results = against_plain(7, "10k tets");
  const std::vector<BenchResult> large = against_plain(13, "66k tets");
  results.insert(results.end(), large.begin(), large.end());
  return results;
}

std::vector<BenchResult> tet_rotation() {
  const BentBar bar(13, 5);
  const TetBatches& tets = bar.body.simulated_mesh().tets();
  TetMatrices rotations(tets.batch_count());
  const double each =
      best_seconds([&] { tet_rotations(tets, bar.first.x, rotations); }) / tets.tet_count();
  BenchResult result;
  result.name = "rotation of a tet";
  result.seconds = each;
  result.target = 1e-7;
  result.note = "66k tets, bent";
  return {result};
}

std::vector<BenchResult> real_time() {
  // 30 n³ tets: 20,580 at the paper's proportions.
  TetMesh mesh = bar({4.7, 1, 1}, {42, 9, 9});
  const std::vector<int> fixed = select_nodes(mesh, "x<=0");
  FullBody body(mesh, kMaterial, fixed, {}, weight());
  const double h = 1.0 / 60;
  step(body, h);
  const double seconds = best_seconds([&] { step(body, h); }, 1);
  return {{"corotational, 20k tets in real time", seconds, h, h / seconds, 1, "1/60 s", ""}};
}

std::vector<BenchResult> growth() {
  const double small = BentBar(7, 5).time().step;
  const double large = BentBar(13, 5).time().step;
  const double exponent = std::log(large / small) / std::log(65910.0 / 10290);
  return {{"corotational step, growth of cost 10k to 66k", large, small, 1.4 / exponent, 1,
           "10k tets", "exponent " + std::to_string(exponent) + ", at most 1.4"}};
}

/// Müller et al. 2002, section 4.1: 450 tets, in the cells of 3 cm that scenes/mueller-7.json has.
FullBody paper_bar(Method method, RotationField field) {
  const TetMesh mesh = bar_five_tets({0.09, 0.09, 0.3}, {3, 3, 10});
  FullBodyOptions options;
  options.method = method;
  options.rotation_field = field;
  options.mass = MassKind::lumped;
  return FullBody(mesh, Material{1e5, 0.33, 1000}, select_nodes(mesh, "z<=0.001"), options,
                  weight());
}

/// Both swing on while they are timed, turn by turn: the mean of a whole swing, the best of some.
BenchResult against_linear(RotationField field, const std::string& name) {
  constexpr int kSwing = 60;  // steps
  FullBody linear = paper_bar(Method::linear, field);
  FullBody warped = paper_bar(Method::stiffness_warping, field);
  double linear_seconds = 1e300;
  double warped_seconds = 1e300;
  double iterations = 0;
  const auto swing = [&](FullBody& body) {
    for (int k = 0; k < kSwing; ++k) {
      step(body, kStep);
      iterations += body.last_step().solver_iterations;
    }
  };
  constexpr int kRounds = 30;
  for (int round = 0; round < kRounds; ++round) {
    linear_seconds = std::min(linear_seconds, seconds_of([&] { swing(linear); }) / kSwing);
    iterations = 0;
    warped_seconds = std::min(warped_seconds, seconds_of([&] { swing(warped); }) / kSwing);
  }
  return {name,
          warped_seconds,
          linear_seconds,
          1.2 * linear_seconds / warped_seconds,
          1,
          "1.2 times the linear step",
          std::to_string(iterations / kSwing) + " iterations a step"};
}

std::vector<BenchResult> warping() {
  return {against_linear(RotationField::edge_frames, "stiffness warping, edge frames, 450 tets"),
          against_linear(RotationField::edges_polar, "stiffness warping, polar, 450 tets")};
}

const RegisterBench kCorotational("corotational", &corotational);
const RegisterBench kRotation("tet-rotation", &tet_rotation);
const RegisterBench kRealTime("corotational-real-time", &real_time);
const RegisterBench kGrowth("corotational-growth", &growth);
const RegisterBench kWarping("stiffness-warping", &warping);

}  // namespace

}  // namespace limber
