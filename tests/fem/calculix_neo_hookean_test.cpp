// Neo-Hookean forces against CalculiX (tests/reference/make_calculix_neo_hookean.py) where its law
// is the same: without the origin barrier, and nearly incompressible.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "limber/core/solvers/cholesky.h"
#include "limber/fem/fixed_dofs.h"
#include "limber/fem/mass.h"
#include "limber/fem/neo_hookean.h"
#include "limber/fem/node_graph.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/select.h"

namespace limber {
namespace {

/// How far Newton's method would move the nodes from `x` under the nodal forces, and still further
/// from there, until it rests: the distance between the two rest shapes.
Positions way_to_rest(const TetMesh& mesh, const Material& material, const FreeDofs& free,
                      const Positions& loads, const Positions& start) {
  const NeoHookean law{0};
  const TetBatches tets(mesh, material, element_geometry(mesh));
  std::vector<int> all(static_cast<std::size_t>(mesh.tet_count()));
  std::iota(all.begin(), all.end(), 0);
  const auto pattern = std::make_shared<BlockPattern>(block_pattern(NodeGraph(mesh), free));
  const TetSlots slots = tet_slots(*pattern, free, mesh, all);
  Positions x = start;
  for (int iteration = 0; iteration < 10; ++iteration) {
    Positions f = loads;
    add_neo_hookean_forces(tets, law, x, f);
    BlockMatrix A(pattern);
    add_exact_neo_hookean_tangent(tets, law, x, 1, slots, A);
    const Vector step = Cholesky(A.to_sparse()).solve(free.reduce(stacked(f)));
    stacked(x) += Vector(free.expand(step));
    if (step.lpNorm<Eigen::Infinity>() < 1e-10) return x - start;
  }
  ADD_FAILURE() << "no convergence";
  return x - start;
}

TEST(Calculix, NeoHookeanBodiesRestInTheSameShape) {
  const std::string folder = LIMBER_SOURCE_DIR "/tests/reference/";
  const auto json = nlohmann::json::parse(std::ifstream(folder + "calculix_neo_hookean.json"));
  const double mu = json["material"]["shear"];
  const double bulk = json["material"]["bulk"];
  const Material material{9 * bulk * mu / (3 * bulk + mu),
                          (3 * bulk - 2 * mu) / (2 * (3 * bulk + mu)), json["material"]["density"]};
  ASSERT_EQ(json["cases"].size(), 3U);
  for (const auto& reference : json["cases"]) {
    const std::string name = reference["mesh"];
    const TetMesh mesh = read_tet_mesh(folder + name + ".msh");
    const FreeDofs free(mesh.node_count(),
                        select_nodes(mesh, reference["fixed"].get<std::string>()));
    const SparseMatrix m = scalar_mass(mesh, material);
    const Vec3 gravity(0, 0, -reference["gravity"].get<double>());
    const Positions loads = m * Vector::Ones(m.cols()) * gravity.transpose();
    Positions x = mesh.V;
    double largest = 0;
    for (int node = 0; node < mesh.node_count(); ++node) {
      for (int c = 0; c < 3; ++c) {
        const double u = reference["displacements"][node][c];
        x(node, c) += u;
        largest = std::max(largest, std::abs(u));
      }
    }
    EXPECT_GT(largest, 0.01) << name;  // far enough for the law to count
    const Positions way = way_to_rest(mesh, material, free, loads, x);
    EXPECT_LT(way.cwiseAbs().maxCoeff(), 1e-5 * largest) << name;
  }
}

}  // namespace
}  // namespace limber
