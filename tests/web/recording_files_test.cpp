#include <gtest/gtest.h>

#include "limber/core/file.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/sample_shapes.h"
#include "server/recorder.h"
#include "server/temporary_folder.h"

namespace limber::studio {
namespace {

TEST(TakeFiles, KeepColoursAndMaterialsOfTheBodiesThatWereRecorded) {
  TriMesh look = boundary_surface(bar({1, 1, 1}, {1, 1, 1})).surface;
  look.colours.setConstant(look.V.rows(), 3, 1);
  look.colours.col(1).setZero();
  auto recording = std::make_shared<Recording>();
  recording->bodies = {{"box", look.F, look.V}};
  for (int frame = 0; frame < 3; ++frame) {
    recording->times.push_back(frame * kFrameTime);
    const Positions moved = look.V.array() + 0.1 * frame;
    recording->surfaces.push_back({{moved.data(), moved.data() + moved.size()}});
    recording->obstacles.emplace_back();
  }
  const Take take{1, "Take", recording, 0, 2};
  const TemporaryFolder folder;
  const auto written = [&](const std::vector<TriMesh>& looks) {
    write_file(folder.path() / "take.glb",
               write_take(take, looks, "glb", [](std::string_view, double) {}));
    return read_surface(folder.path() / "take.glb");
  };
  const TriMesh painted = written({look});
  ASSERT_EQ(painted.colours.rows(), painted.V.rows());
  // glTF has them as bytes or shorts at least: half a step of 1/255.
  EXPECT_NEAR(painted.colours.col(1).maxCoeff(), 0, 0.5 / 255);
  EXPECT_NEAR(painted.colours.col(0).minCoeff(), 1, 0.5 / 255);
  // Of another body's surface nothing is taken.
  TriMesh other = look;
  other.F.row(0).swap(other.F.row(1));
  EXPECT_EQ(written({other}).colours.rows(), 0);
  EXPECT_EQ(written({}).colours.rows(), 0);
}

}  // namespace
}  // namespace limber::studio
