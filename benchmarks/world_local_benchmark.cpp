// Local detail where bodies touch: its stage of a step against a corotational step of the same
// body, what it costs while nothing touches, what baking it takes.
#include <fmt/format.h>

#include "bench.h"
#include "limber/dynamics/full_space/full_body.h"
#include "limber/dynamics/local/global_local_body.h"
#include "limber/dynamics/local/residual_detail.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"
#include "limber/modes/residual_analysis.h"
#include "stepping.h"
#include "timing.h"

namespace limber {

namespace {

constexpr double kStep = 1.0 / 240;  // a substep of contacts
constexpr int kTouched = 16;
const Material kMaterial{1e6, 0.33, 1000};

/// A clamped bar of some 30,000 tets, with residual modes of 1,000 contact nodes.
struct LocalBar {
  TetMesh mesh = bar({1, 0.2, 0.2}, {50, 10, 10});
  std::vector<int> fixed = select_nodes(mesh, "x<=0");
  ModalModel model = bake(mesh, kMaterial, fixed, {20});
  double bake_seconds = 0;
  ResidualModes modes;

  LocalBar() {
    bake_seconds = seconds_of([&] { modes = residual_modes(mesh, kMaterial, model); });
  }
};

Loads weight() { return {{{Vec3(0, -9.81, 0)}}, {}}; }

/// Contacts on nodes side by side: of one patch.
std::vector<DetailRow> patch_rows(const LocalBar& bar) {
  const Vec3 middle(0.5, 0.2, 0.1);
  std::vector<std::pair<double, int>> nearest;
  for (const std::int32_t node : bar.modes.contact_nodes)
    nearest.emplace_back((bar.mesh.V.row(node).transpose() - middle).norm(), node);
  std::sort(nearest.begin(), nearest.end());
  std::vector<DetailRow> rows;
  for (std::size_t k = 0; k < kTouched; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      DetailRow& row = rows.emplace_back();
      row.nodes.fill(nearest[k].second);
      row.gradients[0] = Vec3::Unit(axis);
    }
  }
  return rows;
}

/// All that detail adds to a substep: rows (once in four), the free step, two rounds of impulses,
/// and where all contact nodes stand (once in four).
double stage_seconds(const LocalBar& bar) {
  constexpr int kSubsteps = 4;
  const std::vector<DetailRow> rows = patch_rows(bar);
  ResidualDetail detail(bar.modes, {}, 1);
  const int count = static_cast<int>(rows.size());
  detail.reserve_rows(count);
  const int length = detail.row_length(count);
  std::vector<float> scaled(static_cast<std::size_t>(count * length)), motion(2 * scaled.size());
  const std::vector<double> impulses(rows.size(), -1e-3);
  const auto whole = [&] {
    detail.set_rows(rows, kStep, scaled.data(), length);
    for (int substep = 0; substep < kSubsteps; ++substep) {
      detail.predict(kStep);
      for (const bool move : {true, false}) {
        detail.scaled_motion(motion.data(), motion.data() + scaled.size());
        detail.apply(impulses, move);
      }
      detail.commit();
    }
    do_not_optimize(detail.displacement(bar.modes.contact_nodes[0]));
  };
  whole();
  return best_seconds_each(whole, 100) / kSubsteps;
}

std::vector<BenchResult> local_detail() {
  const LocalBar bar;
  FullBody full(bar.mesh, kMaterial, bar.fixed, {}, weight());
  for (int k = 0; k < 3; ++k) step(full, kStep);
  BenchResult stage;
  stage.name = fmt::format("local: {} touched nodes, a substep", kTouched);
  stage.seconds = stage_seconds(bar);
  stage.reference_seconds = best_seconds([&] { step(full, kStep); });
  stage.ratio = stage.reference_seconds / stage.seconds;
  stage.target = 200;
  stage.reference = "corotational step";
  stage.note = fmt::format("{} tets", bar.mesh.tet_count());

  ModalBody alone(bar.model, {}, weight());
  GlobalLocalBody with(bar.model, std::make_unique<ResidualDetail>(bar.modes, LocalOptions{}, 1),
                       {}, weight());
  BenchResult idle;
  idle.name = "local: nothing touches, a step";
  idle.seconds = best_seconds_each([&] { step(with, kStep); }, 5);
  idle.reference_seconds = best_seconds_each([&] { step(alone, kStep); }, 5);
  idle.ratio = idle.reference_seconds / idle.seconds;
  idle.target = 1 / 1.05;
  idle.reference = "modal warping";

  BenchResult baking;
  baking.name = fmt::format("local: baking {} contact nodes", bar.modes.contact_node_count());
  baking.seconds = bar.bake_seconds;
  baking.target = 10;
  baking.note =
      fmt::format("{:.1f} MB, {} pairs", 8e-6 * static_cast<double>(2 * bar.modes.K_blocks.size()),
                  bar.modes.columns.size());
  return {stage, idle, baking};
}

const RegisterBench kLocal("local", &local_detail);

}  // namespace

}  // namespace limber
