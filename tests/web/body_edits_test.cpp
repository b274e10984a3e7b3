// What people make of a body on the page is the scene that `limber simulate` runs.
#include "server/body_edits.h"

#include <gtest/gtest.h>

#include <functional>

#include "limber/core/error.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/write_mesh.h"
#include "server/import_mesh.h"
#include "server/temporary_folder.h"
#include "web/edited_scenes.h"

namespace limber::studio {
namespace {

using nlohmann::json;

/// Vertices of a body's surface at rest that satisfy a condition.
std::vector<int> vertices_where(const Simulation& scene,
                                const std::function<bool(const Vec3&)>& is) {
  const Positions rest = scene.recorded_bodies()[0].rest_positions;
  std::vector<int> found;
  for (int v = 0; v < rest.rows(); ++v) {
    if (is(rest.row(v).transpose())) found.push_back(v);
  }
  return found;
}

TEST(BodyEdits, WhatABrushPaintsIsTheSceneThatSimulateRuns) {
  std::unique_ptr<Simulation> scene =
      std::make_unique<WorldSimulation>("ball", one_ball(), "", Progress{});
  const double soft = scene->bodies()[0].frequencies_hz[0];
  const std::vector<int> low = vertices_where(*scene, [](const Vec3& x) { return x.y() < -0.15; });
  const std::vector<int> high = vertices_where(*scene, [](const Vec3& x) { return x.y() > 0.05; });
  scene = edited(*scene, paint_fixed(0, low, true));
  EXPECT_FALSE(scene->bodies()[0].free);
  scene = edited(*scene, paint_young(0, high, 1e7));
  const json saved = json::parse(scene->scene_file())["bodies"][0];
  EXPECT_TRUE(saved["fixed"][0].get<std::string>().starts_with("vertices:"));
  ASSERT_EQ(saved["regions"].size(), 1U);
  EXPECT_EQ(saved["regions"].begin().value()["young"], 1e7);
  expect_same_bits(*scene, 20);
  // Painted over, let go and wiped off, it is the ball that it was.
  scene = edited(*scene, paint_young(0, high, 1e4));
  EXPECT_EQ(json::parse(scene->scene_file())["bodies"][0]["regions"].size(), 1U);
  scene = edited(*scene, paint_young(0, high, std::nullopt));
  scene = edited(*scene, paint_fixed(0, low, false));
  EXPECT_TRUE(scene->bodies()[0].free);
  EXPECT_FALSE(json::parse(scene->scene_file())["bodies"][0].contains("regions"));
  EXPECT_EQ(scene->bodies()[0].frequencies_hz[0], soft);
}

TEST(BodyEdits, ABrushGoesOnFromWhatTheSceneSelected) {
  json document = one_ball();
  document["bodies"][0]["fixed"] = {"y<=-0.1"};
  document["bodies"][0].erase("position");
  std::unique_ptr<Simulation> scene =
      std::make_unique<WorldSimulation>("ball", document, "", Progress{});
  const std::vector<int> top = vertices_where(*scene, [](const Vec3& x) { return x.y() > 0.2; });
  ASSERT_FALSE(top.empty());
  scene = edited(*scene, paint_fixed(0, top, true));
  scene->reset();
  for (int k = 0; k < 10; ++k) scene->step();
  const Positions rest = scene->recorded_bodies()[0].rest_positions, now = scene->surfaces()[0];
  for (int v = 0; v < rest.rows(); ++v) {
    if (rest(v, 1) > 0.2 || rest(v, 1) < -0.15) EXPECT_LT((now - rest).row(v).norm(), 1e-9) << v;
  }
}

TEST(BodyEdits, SayWhatTheyCannotDo) {
  const WorldSimulation ball("ball", one_ball(), "", Progress{});
  EXPECT_THROW((void)edited(ball, fill_body(0, 6)), Error) << "its tets are its own";
  EXPECT_THROW((void)ball.cage(0, 6), Error);
  EXPECT_THROW((void)edited(ball, paint_fixed(7, {0}, true)), Error);
  EXPECT_THROW((void)edited(ball, paint_fixed(0, {1 << 20}, true)), Error) << "no such vertex";
}

TEST(BodyEdits, FillASurfaceAsItsCageShows) {
  const TemporaryFolder folder;
  write_surface(folder.path() / "box.obj", boundary_surface(bar({1, 0.5, 0.5}, {4, 2, 2})).surface);
  const json document{
      {"limber", 1},
      {"bodies", {{{"surface", "box.obj"}, {"fill", {{"cells", 3}}}, {"modes", 4}}}}};
  std::unique_ptr<Simulation> scene =
      std::make_unique<WorldSimulation>("box", document, folder.path(), Progress{});
  EXPECT_TRUE(scene->bodies()[0].filled);
  EXPECT_EQ(scene->cage(0, 0)({}).tets, scene->bodies()[0].tets);
  const Cage finer = scene->cage(0, 6)({});
  EXPECT_GT(finer.tets, scene->bodies()[0].tets);
  EXPECT_EQ(finer.edges.size() % 2, 0U);
  scene = edited(*scene, fill_body(0, 6));
  EXPECT_EQ(scene->bodies()[0].tets, finer.tets);
  EXPECT_EQ(scene->bodies()[0].cells, 6);
}

TEST(MeshImport, TurnsAndScalesWithoutMirroring) {
  const TemporaryFolder folder;
  const TetMesh box = bar({100, 200, 300}, {1, 1, 1});
  for (const char* name : {"box.stl", "box.msh"}) {
    const std::filesystem::path file = folder.path() / name;
    if (is_tet_format(file)) {
      write_tet_mesh(file, box);
    } else {
      write_surface(file, boundary_surface(box).surface);
    }
    EXPECT_EQ(imported_mesh(file, {}), file);
    const json found = json::parse(survey_mesh(file));
    EXPECT_EQ(found["high"][2].get<double>() - found["low"][2].get<double>(), 300);
    EXPECT_EQ(found["tets"].get<int>() > 0, is_tet_format(file));
    for (const auto& [up, size] :
         {std::pair('z', Vec3(0.1, 0.3, 0.2)), {'x', {0.2, 0.1, 0.3}}, {'y', {0.1, 0.2, 0.3}}}) {
      const std::filesystem::path made = imported_mesh(file, {0.001, up});
      const TriMesh surface =
          is_tet_format(made) ? boundary_surface(read_tet_mesh(made)).surface : read_surface(made);
      const Vec3 extent = surface.V.colwise().maxCoeff() - surface.V.colwise().minCoeff();
      EXPECT_TRUE(extent.isApprox(size, 1e-6)) << name << " " << up;  // STL has single precision
      double volume = 0;
      for (Eigen::Index f = 0; f < surface.F.rows(); ++f) {
        const Vec3 a = surface.V.row(surface.F(f, 0)), b = surface.V.row(surface.F(f, 1)),
                   c = surface.V.row(surface.F(f, 2));
        volume += a.dot(b.cross(c)) / 6;
      }
      EXPECT_NEAR(volume, 0.006, 1e-7) << name << " " << up << ": inside out where negative";
      if (made != file) std::filesystem::remove(made);
      if (is_tet_format(file)) write_tet_mesh(file, box);
    }
  }
}

}  // namespace
}  // namespace limber::studio
