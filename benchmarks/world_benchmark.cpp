// A world of many bodies against the sum of its parts: what living together costs.
#include "bench.h"
#include "limber/constraint/modal_handles.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/modes/bake.h"
#include "limber/skin/skin.h"
#include "limber/skin/triangle_normals.h"
#include "limber/world/world.h"
#include "timing.h"

namespace limber {

namespace {

constexpr int kBodies = 200;
constexpr double kStep = 1.0 / 60;

/// Positions and normals of one surface.
struct Surface {
  explicit Surface(const ModalModel& model)
      : skin(pack_surface(model, Precision::float32)),
        positions(3 * static_cast<std::size_t>(skin.vertex_count())),
        normals(positions.size()) {}

  void update(std::span<const double> q) { skin.update(q, SkinMethod::warped, positions, normals); }

  Skin skin;
  std::vector<float> positions, normals;
};

std::unique_ptr<DynamicBody> falling_bar(const ModalModel& model, int number) {
  ModalBodyOptions options;
  options.method = Method::modal_warping;
  options.damping = {0.1, 0.01};
  options.fast = true;
  auto body = make_modal_body(model, options, {{{Vec3(0, -9.81, 0)}}, {}});
  body->set_velocity({0, 5, 0}, {1 + 0.01 * number, 2, 3});
  return body;
}

std::vector<BenchResult> worlds() {
  const TetMesh mesh = bar({5, 1, 1}, {20, 6, 6});
  const ModalModel model = bake(mesh, Material{1e6, 0.3, 1000}, {}, {20});
  World world;
  std::vector<std::unique_ptr<DynamicBody>> alone;
  std::vector<Surface> surfaces;
  for (int k = 0; k < kBodies; ++k) {
    world.add("bar" + std::to_string(k), falling_bar(model, k));
    alone.push_back(falling_bar(model, k));
    surfaces.emplace_back(model);
  }
  BenchResult result;
  result.name = "world of 200 bodies, 1029 nodes × 20 modes, with surfaces";
  result.reference = "the bodies one by one";
  // In turns, so that both see the same machine.
  result.seconds = result.reference_seconds = 1e300;
  for (int turn = 0; turn < 8; ++turn) {
    result.reference_seconds = std::min(result.reference_seconds, seconds_of([&] {
                                          for (int k = 0; k < kBodies; ++k)
                                            do_not_optimize(advance(*alone[k], kStep));
                                          for (int k = 0; k < kBodies; ++k)
                                            surfaces[k].update(alone[k]->modal());
                                        }));
    result.seconds = std::min(result.seconds, seconds_of([&] {
                                do_not_optimize(world.step(kStep));
                                for (int k = 0; k < kBodies; ++k) {
                                  surfaces[k].update(world.bodies()[k].dynamics->modal());
                                }
                              }));
  }
  result.ratio = result.reference_seconds / result.seconds;
  result.target = 1 / 1.1;
  return {result};
}

const RegisterBench kWorlds("world", &worlds);

}  // namespace

}  // namespace limber
