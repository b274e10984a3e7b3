// StVK statics against CalculiX with NLGEOM (tests/reference/make_calculix_nlgeom.py), which prints
// seven digits.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "limber/dynamics/full_space/full_body.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/select.h"

namespace limber {
namespace {

TEST(Calculix, StvkSagsTheSame) {
  const std::string folder = LIMBER_SOURCE_DIR "/tests/reference/";
  const auto json = nlohmann::json::parse(std::ifstream(folder + "calculix_nlgeom.json"));
  const auto& given = json["material"];
  const Material material{given["young"], given["poisson"], given["density"]};
  for (const auto& reference : json["cases"]) {
    const std::string name = reference["mesh"];
    const TetMesh mesh = read_tet_mesh(folder + name + ".msh");
    Loads loads;
    loads.gravity.push_back({Vec3(0, -reference["gravity"].get<double>(), 0)});
    FullBodyOptions options;
    options.method = Method::stvk;
    FullBody body(mesh, material, select_nodes(mesh, reference["fixed"].get<std::string>()),
                  options, loads);
    const SettleStatus status = body.settle();
    EXPECT_TRUE(status.converged) << name;
    Positions expected(mesh.node_count(), 3);
    for (int node = 0; node < mesh.node_count(); ++node) {
      for (int c = 0; c < 3; ++c) expected(node, c) = reference["displacements"][node][c];
    }
    const Positions u = body.positions() - mesh.V;
    const double largest = expected.cwiseAbs().maxCoeff();
    EXPECT_LT((u - expected).cwiseAbs().maxCoeff(), 1e-6 * largest)
        << name << ", gravity " << reference["gravity"];
  }
}

}  // namespace
}  // namespace limber
