// Writes sample animations in every format into a folder, for tests that read them with other
// programs. The motions are those of moving_bodies.h; the tests know them too.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "mesh/textured_files.h"
#include "moving_bodies.h"

namespace {

using namespace limber;
using namespace limber::testing_support;

constexpr double kFps = 30;
constexpr int kFrames = 31;

/// A bar with regions and a ball that carries colours, texture coordinates and two materials.
std::vector<Sample> samples() {
  std::vector<Sample> result = {sample_of("bar", bar({1, 0.2, 0.2}, {10, 2, 2})),
                                sample_of("bäll", sphere(0.2, 3))};
  TetMesh& tets = result[0].body.tets;
  for (int tet = 0; tet < tets.tet_count(); ++tet) tets.regions.push_back(tet % 2 + 1);

  TriMesh& ball = result[1].body.surface;
  ball.V.col(1).array() += 0.6;
  result[1].body.tets.V.col(1).array() += 0.6;
  ball.colours = ((ball.V.rowwise() - Eigen::RowVector3d(0, 0.6, 0)).array() * 2.5 + 0.5)
                     .cast<float>()
                     .matrix();
  ball.corner_uv.resize(3 * ball.F.rows(), 2);
  for (Eigen::Index corner = 0; corner < ball.corner_uv.rows(); ++corner) {
    const Eigen::RowVector3d p = ball.V.row(ball.F.data()[corner]);
    ball.corner_uv.row(corner) << static_cast<float>(p.x() + 0.5), static_cast<float>(p.y());
  }
  ball.material_names = {"upper", "lower"};
  const auto picture = surface_image(four_pixels_png());
  ball.looks = {{{}, picture}, {std::array<float, 3>{0.5F, 1, 0.5F}, picture}};
  for (int triangle = 0; triangle < ball.triangle_count(); ++triangle) {
    ball.face_materials.push_back(ball.V(ball.F(triangle, 0), 1) > 0.6 ? 0 : 1);
  }
  return result;
}

/// Steady speeds, so that velocities are exact: the ball flies along z at 0.5 m/s.
BodyFrame flying(const Sample& sample, double time) {
  const Eigen::RowVector3d velocity(0, 0, 0.5);
  return {sample.body.surface.V.rowwise() + time * velocity,
          sample.body.tets.V.rowwise() + time * velocity,
          velocity.replicate(sample.body.tets.node_count(), 1)};
}

void write(const std::filesystem::path& path, const std::vector<Sample>& samples, int frames,
           double allowed_error = 0) {
  std::vector<AnimatedBody> bodies;
  for (const Sample& sample : samples) bodies.push_back(sample.body);
  const auto writer = open_animation(path, bodies, kFps);
  writer->allow_error(allowed_error);
  for (int frame = 0; frame < frames; ++frame) {
    const double time = frame / kFps;
    std::vector<BodyFrame> shown = {swaying(samples[0], time)};
    if (samples.size() > 1) shown.push_back(flying(samples[1], time));
    writer->add_frame(time, shown);
  }
  writer->finish();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw std::runtime_error("give the folder to write to");
  const std::filesystem::path folder = argv[1];
  const std::vector<Sample> two = samples();
  const std::vector<Sample> one = {two[0]};
  for (const char* ending : {"glb", "mdd", "pc2", "pvd", "usda", "npz"}) {
    write(folder / fmt::format("one.{}", ending), one, kFrames);
    write(folder / fmt::format("two.{}", ending), two, kFrames);
  }
  write(folder / "long.glb", one, 300);  // more than 256 morph targets
  write(folder / "compact.glb", two, kFrames, kInvisibleError);
  write(folder / "still.glb", two, 1);  // no animation at all
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "export_samples: %s\n", error.what());
  return 1;
}
