// Small meshes and comparisons that the tests of mesh files share.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "limber/core/error.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

/// A bar of 36 tets, its middle in region 7, coordinates that no short decimal gives.
inline TetMesh bar_of_two_regions() {
  TetMesh mesh = bar({1.0 / 3, 0.1, 0.7}, {3, 2, 1});
  mesh.V.array() += 1e-3 / 7;
  mesh.regions.assign(36, 2);
  std::fill(mesh.regions.begin() + 6, mesh.regions.begin() + 18, 7);
  return mesh;
}

/// A closed tetrahedron with colours, two materials and a texture seam through vertex 0.
inline TriMesh painted_tetrahedron() {
  TriMesh surface;
  surface.V.resize(4, 3);
  surface.V << 0.1, 0, 0, 1, 0.2, 0, 0, 1, 0.3, 0.4, 0, 1;
  surface.F.resize(4, 3);
  surface.F << 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2;
  surface.corner_uv.resize(12, 2);
  surface.corner_uv << 0, 0, 0.5F, 1, 1, 0, 0, 0, 1, 0, 0.25F, 0.75F, 1, 0, 0.5F, 1, 0.25F, 0.75F,
      0.125F, 0.5F, 0.25F, 0.75F, 0.5F, 1;
  surface.colours.resize(4, 3);
  surface.colours << 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1;
  surface.face_materials = {0, 0, 1, 1};
  surface.material_names = {"skin", "bone white"};
  return surface;
}

inline void expect_same(const TetMesh& found, const TetMesh& wanted) {
  EXPECT_EQ(found.V, wanted.V);
  EXPECT_EQ(found.T, wanted.T);
  EXPECT_EQ(found.regions, wanted.regions);
}

/// Runs `action` and gives back the Error's line; fails the test when there is none.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::bad_input);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

/// An empty folder for one test, removed with it.
class FolderTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("limber_") + info->test_suite_name() + "_" + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

}  // namespace limber
