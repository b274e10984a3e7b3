// Bodies that come as a surface: filled, bound, cached, painted.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <fstream>

#include "limber/core/error.h"
#include "limber/mesh/characters/character.h"
#include "limber/mesh/painted_regions.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/write_mesh.h"
#include "limber/modes/bake.h"
#include "limber/modes/embedded_surface.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/modes/playback/packed_surface.h"
#include "limber/scene/body_source.h"
#include "limber/scene/fill_cache.h"
#include "limber/scene/scene_world.h"
#include "mesh/textured_files.h"

namespace limber {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, gone afterwards.
class SurfaceBodies : public testing::Test {
 protected:
  SurfaceBodies()
      : folder_(fs::temp_directory_path() /
                ("limber-" +
                 std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SurfaceBodies() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  [[nodiscard]] std::vector<fs::path> cached() const {
    std::vector<fs::path> files;
    if (!fs::exists(cache())) return files;
    for (const auto& entry : fs::directory_iterator(cache())) files.push_back(entry.path());
    return files;
  }
  [[nodiscard]] fs::path cache() const { return folder_ / "cache"; }

  fs::path folder_;
};

BodyDescription flubber_body() {
  BodyDescription body;
  body.name = "flubber";
  body.character = ShapeDescription{"flubber", {}, {}, 800};
  body.fill.cells = 10;
  body.modes = 6;
  return body;
}

Positions carried(const BodySource& source, const Positions& nodes) {
  Positions result = Positions::Zero(source.binding.vertex_count(), 3);
  for (int v = 0; v < source.binding.vertex_count(); ++v) {
    for (int k = 0; k < 4; ++k) {
      result.row(v) +=
          source.binding.weights[4 * v + k] * nodes.row(source.binding.nodes[4 * v + k]);
    }
  }
  return result;
}

TEST_F(SurfaceBodies, AtRestTheSurfaceIsTheInput) {
  const BodySource source = load_bodies(flubber_body(), true, {}).front();
  const TriMesh input = character("flubber", 800);
  ASSERT_EQ(source.surface.V.rows(), input.V.rows());
  EXPECT_EQ(source.surface.F, input.F);
  EXPECT_EQ(source.surface.colours, input.colours);
  EXPECT_EQ(source.surface.material_names, input.material_names);
  EXPECT_EQ(source.surface.face_materials, input.face_materials);
  EXPECT_EQ(source.surface.uv, input.uv);
  // The body is 1 m tall.
  EXPECT_LT((carried(source, source.mesh.V) - input.V).cwiseAbs().maxCoeff(), 1e-6);
}

TEST_F(SurfaceBodies, ARigidMotionOfTheTetsMovesTheSurfaceRigidly) {
  const BodySource source = load_bodies(flubber_body(), false, {}).front();
  const Mat3 R = Eigen::AngleAxisd(2.1, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Eigen::RowVector3d shift(0.3, -2, 1);
  const auto moved = [&](const Positions& V) -> Positions {
    return (V * R.transpose()).rowwise() + shift;
  };
  // Weights sum to one to rounding, and are at most of the order of ten.
  EXPECT_LT((carried(source, moved(source.mesh.V)) - moved(source.surface.V)).cwiseAbs().maxCoeff(),
            1e-9);
}

TEST_F(SurfaceBodies, AreFilledOnceAndReadAfterwards) {
  const TriMesh surface = character("jelly-box", 800);
  TetrahedralizeOptions options;
  options.cells = 8;
  const Tetrahedralized first = fill_with_cache(surface, options, cache());
  EXPECT_EQ(cached().size(), 1u);
  const Tetrahedralized second = fill_with_cache(surface, options, cache());
  EXPECT_EQ(first.mesh.V, second.mesh.V);
  EXPECT_EQ(first.mesh.T, second.mesh.T);
  EXPECT_EQ(first.embedding.weights, second.embedding.weights);
  EXPECT_EQ(second.report.seconds, 0);  // not made
  options.cells = 9;
  (void)fill_with_cache(surface, options, cache());
  EXPECT_EQ(cached().size(), 2u);
}

TEST_F(SurfaceBodies, ADamagedCacheIsMadeAgain) {
  const TriMesh surface = character("jelly-box", 800);
  TetrahedralizeOptions options;
  options.cells = 8;
  const Tetrahedralized first = fill_with_cache(surface, options, cache());
  const fs::path file = cached().front();
  const auto size = fs::file_size(file);
  {
    std::fstream damage(file, std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(static_cast<std::streamoff>(size / 2));
    damage.put('!').put('?');
  }
  const Tetrahedralized again = fill_with_cache(surface, options, cache());
  EXPECT_EQ(first.mesh.V, again.mesh.V);
  fs::resize_file(file, 100);
  EXPECT_EQ(fill_with_cache(surface, options, cache()).mesh.T, first.mesh.T);
  EXPECT_EQ(fs::file_size(file), size);
}

TEST_F(SurfaceBodies, ACacheThatCannotBeWrittenIsNoHindrance) {
  std::ofstream(folder_ / "file") << "not a folder";
  const TriMesh surface = character("jelly-box", 800);
  TetrahedralizeOptions options;
  options.cells = 8;
  EXPECT_GT(fill_with_cache(surface, options, folder_ / "file" / "cache").mesh.tet_count(), 0);
}

TEST_F(SurfaceBodies, SceneFilesCacheBesideThemselves) {
  write_surface(folder_ / "box.obj", character("jelly-box", 800));
  std::ofstream(folder_ / "scene.json")
      << R"({"limber": 1, "bodies": [{"surface": "box.obj", "fill": {"cells": 8}, "modes": 4}]})";
  const SceneWorld world(read_scene(folder_ / "scene.json"));
  EXPECT_EQ(world.bodies()[0].surface().vertex_count(), character("jelly-box", 800).vertex_count());
  EXPECT_FALSE(fs::is_empty(folder_ / ".limber-cache"));
}

TEST_F(SurfaceBodies, TexturedSurfacesKeepOrderCoordinatesMaterialsAndPictures) {
  for (const bool fin : {false, true}) {  // with it, four triangles meet in an edge
    write_textured_cube(folder_, fin);
    std::ofstream(folder_ / "scene.json")
        << R"({"limber": 1, "bodies": [{"surface": "cube.obj", "fill": {"cells": 6}, "modes": 4}]})";
    const TriMesh input = read_surface(folder_ / "cube.obj");
    const SceneWorld world(read_scene(folder_ / "scene.json"));
    const TriMesh& shown = world.bodies()[0].surface();
    EXPECT_EQ(shown.V.rows(), input.V.rows());
    EXPECT_EQ(shown.F, input.F);
    EXPECT_EQ(shown.corner_uv, input.corner_uv);
    EXPECT_EQ(shown.face_materials, input.face_materials);
    EXPECT_EQ(shown.material_names, input.material_names);
    ASSERT_EQ(shown.looks.size(), input.looks.size());
    EXPECT_EQ(shown.looks[1].image->bytes, four_pixels_png());
  }
}

TEST_F(SurfaceBodies, BakedFilesKeepThePictures) {
  write_textured_cube(folder_);
  const TriMesh input = read_surface(folder_ / "cube.obj");
  const TetMesh block = bar({1, 1, 2}, {1, 1, 1});
  BakedBody baked{bake(block, {}, {}, {6}), {}};
  baked.body.surface = embedded_surface(block, input);
  baked.surface = pack_surface(baked.body, Precision::float32);
  write_baked(folder_ / "a.limber", baked);
  const TriMesh found = surface_mesh(read_baked(folder_ / "a.limber").body.surface);
  ASSERT_EQ(found.looks.size(), 4U);
  EXPECT_EQ(found.looks[0].colour, input.looks[0].colour);
  EXPECT_EQ(found.looks[1].image->bytes, four_pixels_png());
  EXPECT_EQ(found.looks[2].image->bytes, four_pixels_png());
  EXPECT_FALSE(found.looks[3].colour || found.looks[3].image);
}

/// Hauser, Shen & O'Brien 2003 give their dodo stiff legs and beak and a soft body.
TEST_F(SurfaceBodies, StiffLegsBendLess) {
  const auto leg_share = [](const BodySource& source) {
    // Of the softest mode's motion, how much bends the legs' own shape: its strain energy would
    // need K, so look at how far nodes of the legs move against the body's.
    const ModalModel& body = source.modes;
    double legs = 0;
    double all = 0;
    for (int node = 0; node < body.node_count(); ++node) {
      const double motion = body.Phi().middleRows<3>(3 * node).col(0).squaredNorm();
      const Vec3 at = body.rest_positions().row(node);
      all = std::max(all, motion);
      if (at.y() < 0.12) legs = std::max(legs, motion);
    }
    return legs / all;
  };
  BodyDescription soft;
  soft.name = "dino";
  soft.character = ShapeDescription{"dino", {}, {}, 1500};
  soft.fill.cells = 16;
  soft.modes = 3;
  soft.fixed = {"y<=0.02"};
  BodyDescription stiff = soft;
  stiff.named_regions = {{"legs", {1e9, 0.33, 1000}}};
  const BodySource a = load_bodies(soft, true, {}).front();
  const BodySource b = load_bodies(stiff, true, {}).front();
  EXPECT_EQ(a.mesh.T, b.mesh.T);
  EXPECT_TRUE(a.mesh.regions.empty() || b.mesh.regions != a.mesh.regions);
  EXPECT_EQ(b.materials.by_region.size(), 1u);
  EXPECT_GT(b.modes.eigenvalues()[0], a.modes.eigenvalues()[0]);  // stiffness only grew
  EXPECT_LT(leg_share(b), 0.2 * leg_share(a));
}

TEST_F(SurfaceBodies, FixedVerticesOfTheSurfaceStandStill) {
  BodyDescription body = flubber_body();
  body.fixed = {"vertices:3,17,200"};
  body.method = Method::modal_warping;
  SceneDescription scene;
  scene.bodies = {body};
  SceneWorld world(scene);
  const SceneBody& flubber = world.bodies().front();
  EXPECT_FALSE(flubber.source().fixed_nodes.empty());
  EXPECT_LE(flubber.source().fixed_nodes.size(), 12u);  // four a vertex at most
  for (int step = 0; step < 10; ++step) world.step();
  const Positions moved = flubber.surface_positions(flubber.node_positions()) - flubber.surface().V;
  EXPECT_GT(moved.rowwise().norm().maxCoeff(), 1e-3);
  // Rounding of weights that sum to one, and of float modes, which are zero there.
  for (const int vertex : {3, 17, 200}) EXPECT_LT(moved.row(vertex).norm(), 1e-12) << vertex;
}

TEST(PaintedRegions, ByGroupByColourAndBySelection) {
  const BodySource source = load_bodies(flubber_body(), false, {}).front();
  const auto mean_height = [&](const std::vector<int>& tets) {
    double sum = 0;
    for (const int tet : tets)
      for (int k = 0; k < 4; ++k) sum += source.mesh.V(source.mesh.T(tet, k), 1);
    return sum / (4.0 * static_cast<double>(tets.size()));
  };
  EXPECT_LT(mean_height(tets_of_region(source.mesh, source.surface, "feet")), 0.2);
  EXPECT_LT(mean_height(tets_of_region(source.mesh, source.surface, "y<=0.3")), 0.3);
  TriMesh painted = source.surface;
  for (int v = 0; v < painted.vertex_count(); ++v) {
    painted.colours.row(v) =
        painted.V(v, 1) > 0.6 ? Eigen::RowVector3f(1, 0, 0) : Eigen::RowVector3f(0, 0, 1);
  }
  EXPECT_GT(mean_height(tets_of_region(source.mesh, painted, "colour:#ff0000")), 0.55);
  EXPECT_THROW((void)tets_of_region(source.mesh, painted, "colour:#00ff00"), Error);
  std::string low = "vertices:";
  for (int v = 0; v < source.surface.vertex_count(); ++v) {
    if (source.surface.V(v, 1) < 0.2) low += (low.back() == ':' ? "" : ",") + std::to_string(v);
  }
  EXPECT_LT(mean_height(tets_of_region(source.mesh, source.surface, low)), 0.25);
  EXPECT_THROW((void)tets_of_region(source.mesh, source.surface, "vertices:0"), Error)
      << "one corner alone has no triangle";
  EXPECT_THROW((void)tets_of_region(source.mesh, source.surface, "vertices:99999999"), Error);
  EXPECT_THROW((void)tets_of_region(source.mesh, painted, "colour:#00ff0"), Error);
  EXPECT_THROW((void)tets_of_region(source.mesh, painted, "wings"), Error);
  EXPECT_THROW((void)tets_of_region(source.mesh, painted, "y>=7"), Error);
}

TEST_F(SurfaceBodies, PaintedStiffnessFollowsTheShade) {
  TriMesh surface = character("flubber", 800, 1);
  for (int v = 0; v < surface.vertex_count(); ++v) {
    // Linear light of the shade 0.6 as displayed, by the formula of sRGB.
    const float grey = surface.V(v, 1) > 0.5 ? std::pow((0.6f + 0.055f) / 1.055f, 2.4f) : 0.0f;
    surface.colours.row(v).setConstant(grey);
  }
  write_surface(folder_ / "painted.obj", surface);
  BodyDescription body = flubber_body();
  body.character.reset();
  body.surface = folder_ / "painted.obj";
  body.materials.base = {7e4, 0.4, 900};
  body.painted_young = {1e4, 1e6};
  const BodySource source = load_bodies(body, false, {}).front();
  double top = 0, bottom = 0;
  for (int tet = 0; tet < source.mesh.tet_count(); ++tet) {
    const Material material = source.materials.of(source.mesh.region(tet));
    EXPECT_EQ(material.poisson, 0.4);
    EXPECT_EQ(material.density, 900);
    double height = 0;
    for (int k = 0; k < 4; ++k) height += 0.25 * source.mesh.V(source.mesh.T(tet, k), 1);
    if (height > 0.8) top = material.young;
    if (height < 0.2) bottom = material.young;
  }
  EXPECT_DOUBLE_EQ(bottom, 1e4);
  EXPECT_NEAR(top, 1e4 * std::pow(100.0, 0.6), 1);  // 0.6 is a level: 9 of 15
  write_surface(folder_ / "plain.stl", surface);
  body.surface = folder_ / "plain.stl";
  EXPECT_THROW((void)load_bodies(body, false, {}), Error);
}

TEST(PaintedRegions, PartsToldApartStayApart) {
  TetMesh mesh;
  mesh.V.resize(4, 3);
  mesh.V << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
  mesh.T.resize(3, 4);
  mesh.T << 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3;
  mesh.regions = {0, 5, 5};
  EXPECT_EQ(set_apart(mesh, {0, 1}), (std::vector<int>{6, 7}));
  EXPECT_EQ(mesh.regions, (std::vector<int>{6, 7, 5}));
}

}  // namespace
}  // namespace limber
