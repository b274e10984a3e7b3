// The files of a .pvd series; VTK opens them in tests/python/test_export_vtk.py.
#include <gtest/gtest.h>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "moving_bodies.h"
#include "test_folder.h"

namespace limber {
namespace {

using testing_support::lone_triangle;
using testing_support::TestFolder;

std::vector<std::filesystem::path> written(const std::filesystem::path& path, int frames,
                                           const std::string& name = "leaf") {
  const AnimatedBody body = lone_triangle(name);
  const auto writer = open_animation(path, {body}, 10);
  for (int i = 0; i < frames; ++i) {
    writer->add_frame(i, std::vector<BodyFrame>{{body.surface.V, {}, {}}});
  }
  return writer->finish();
}

TEST(PvdWriter, FramesLieInAFolderBesideTheList) {
  const TestFolder folder;
  const auto files = written(folder / "a.pvd", 3);
  EXPECT_EQ(files, (std::vector{folder / "a.pvd", folder / "a_frames"}));
  EXPECT_TRUE(std::filesystem::is_regular_file(folder / "a_frames" / "leaf_000000.vtu"));
  EXPECT_EQ(folder.entries(), 5);  // list, folder, three frames
  const std::string list(FileBytes(folder / "a.pvd").text());
  EXPECT_NE(list.find("timestep=\"2\" group=\"\" part=\"0\" name=\"leaf\" "
                      "file=\"a_frames/leaf_000002.vtu\""),
            std::string::npos);
}

TEST(PvdWriter, ShorterSeriesReplacesALongerOneAndLeavesOtherFilesAlone) {
  const TestFolder folder;
  written(folder / "a.pvd", 5);
  write_file(folder / "a_frames" / "notes.txt", "mine");
  write_file(folder / "a_frames" / "other_000003.vtu", "mine too");
  written(folder / "a.pvd", 2);
  EXPECT_EQ(folder.entries(), 2 + 2 + 2);
  EXPECT_TRUE(std::filesystem::exists(folder / "a_frames" / "leaf_000001.vtu"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a_frames" / "leaf_000002.vtu"));
  EXPECT_EQ(FileBytes(folder / "a_frames" / "notes.txt").text(), "mine");
}

TEST(PvdWriter, FileInTheWayOfTheFolderIsToldAtOnceAndKept) {
  const TestFolder folder;
  write_file(folder / "a_frames", "mine");
  EXPECT_THROW(written(folder / "a.pvd", 1), Error);
  EXPECT_EQ(FileBytes(folder / "a_frames").text(), "mine");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(PvdWriter, NamesAreEscaped) {
  const TestFolder folder;
  written(folder / "a&b.pvd", 1, "<\"leaf\">");
  const std::string list(FileBytes(folder / "a&b.pvd").text());
  EXPECT_NE(list.find("name=\"&lt;&quot;leaf&quot;>\" file=\"a&amp;b_frames/__leaf___000000.vtu\""),
            std::string::npos);
}

TEST(PvdWriter, SurfaceStandsInForMissingTets) {
  const TestFolder folder;
  written(folder / "a.pvd", 1);
  const std::string grid(FileBytes(folder / "a_frames" / "leaf_000000.vtu").text());
  EXPECT_NE(grid.find("NumberOfPoints=\"3\" NumberOfCells=\"1\""), std::string::npos);
}

}  // namespace
}  // namespace limber
