// K and the modes against CalculiX (tests/reference/make_calculix.py), which prints seven digits.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "limber/core/solvers/cholesky.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/select.h"
#include "limber/modes/modal_analysis.h"

namespace limber {
namespace {

const std::string kFolder = LIMBER_SOURCE_DIR "/tests/reference/";

/// One body of calculix.json, with its mesh.
struct Reference {
  explicit Reference(const std::string& name) {
    const auto json = nlohmann::json::parse(std::ifstream(kFolder + "calculix.json"));
    const auto& body = json["bodies"][name];
    material = {json["material"]["young"], json["material"]["poisson"],
                json["material"]["density"]};
    gravity = json["gravity"];
    mesh = read_tet_mesh(kFolder + name + ".msh");
    fixed = select_nodes(mesh, body["fixed"].get<std::string>());
    eigenvalues = body["eigenvalues"].get<std::vector<double>>();
    sag.resize(mesh.node_count(), 3);
    for (int node = 0; node < mesh.node_count(); ++node) {
      for (int c = 0; c < 3; ++c) sag(node, c) = body["sag"][node][c];
    }
  }

  Material material;
  double gravity = 0;
  TetMesh mesh;
  std::vector<int> fixed;
  std::vector<double> eigenvalues;
  Positions sag;
};

class CalculixTest : public testing::TestWithParam<const char*> {};

TEST_P(CalculixTest, StaticSagIsTheSame) {
  const Reference reference(GetParam());
  const TetMesh& mesh = reference.mesh;
  const FreeDofs free(mesh.node_count(), reference.fixed);
  Positions acceleration = Positions::Zero(mesh.node_count(), 3);
  acceleration.col(1).setConstant(-reference.gravity);
  const Vector load = mass(mesh, reference.material) * stacked(acceleration);
  const Cholesky factor(free.reduce(stiffness(mesh, reference.material), 3));
  const Vector u = free.expand(factor.solve(free.reduce(load)));
  const double largest = reference.sag.cwiseAbs().maxCoeff();
  EXPECT_LT((u - stacked(reference.sag)).cwiseAbs().maxCoeff(), 1e-6 * largest);
}

TEST_P(CalculixTest, FrequenciesWithItsOnePointMassAreTheSame) {
  const Reference reference(GetParam());
  const int count = static_cast<int>(reference.eigenvalues.size());
  const ModalAnalysis modes = modal_analysis(reference.mesh, reference.material, reference.fixed,
                                             {count, {}, MassKind::one_point});
  for (int k = 0; k < count; ++k) {
    EXPECT_NEAR(modes.eigenvalues[k], reference.eigenvalues[k], 1e-6 * reference.eigenvalues[k]);
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, CalculixTest, testing::Values("bar", "cylinder", "graded"),
                         [](const auto& body) { return std::string(body.param); });

}  // namespace
}  // namespace limber
