// K and M straight into their pattern, against Eigen's triplets from the same element matrices.
#include "bench.h"
#include "limber/fem/mass.h"
#include "limber/fem/node_graph.h"
#include "limber/fem/operators.h"
#include "limber/fem/stiffness.h"
#include "limber/mesh/sample_shapes.h"
#include "timing.h"

namespace limber {

namespace {

/// K (3n×3n) and m (n×n) by triplets.
double by_triplets(const TetMesh& mesh, const Material& material) {
  const ElementGeometry geometry = element_geometry(mesh);
  std::vector<Eigen::Triplet<double>> K_entries;
  std::vector<Eigen::Triplet<double>> m_entries;
  K_entries.reserve(144 * mesh.tet_count());
  m_entries.reserve(16 * mesh.tet_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const Eigen::Map<const Eigen::Matrix<double, 3, 4>> gradients(geometry.gradients.data() +
                                                                  12 * tet);
    const Eigen::Matrix<double, 12, 12> Ke =
        element_stiffness(gradients, geometry.volumes[tet], material);
    const double mass = material.density * geometry.volumes[tet] / 20;
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) {
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) {
            K_entries.emplace_back(3 * mesh.T(tet, a) + i, 3 * mesh.T(tet, b) + j,
                                   Ke(3 * a + i, 3 * b + j));
          }
        }
        m_entries.emplace_back(mesh.T(tet, a), mesh.T(tet, b), a == b ? 2 * mass : mass);
      }
    }
  }
  SparseMatrix K(3 * mesh.node_count(), 3 * mesh.node_count());
  K.setFromTriplets(K_entries.begin(), K_entries.end());
  SparseMatrix m(mesh.node_count(), mesh.node_count());
  m.setFromTriplets(m_entries.begin(), m_entries.end());
  return K.coeff(0, 0) + m.coeff(0, 0);
}

double direct(const TetMesh& mesh, const Material& material) {
  const ElementGeometry geometry = element_geometry(mesh);
  const NodeGraph graph(mesh);
  const SparseMatrix K = stiffness(mesh, material, geometry, graph);
  const SparseMatrix m = scalar_mass(mesh, material, MassKind::consistent, geometry, graph);
  return K.coeff(0, 0) + m.coeff(0, 0);
}

std::vector<BenchResult> assembly() {
  const TetMesh mesh = bar({5, 1, 1}, {65, 13, 13});
  const Material material;
  BenchResult ratio;
  ratio.name = "assembly of K and M, 66k tets";
  ratio.reference = "Eigen's setFromTriplets from the same element matrices";
  ratio.seconds = best_seconds([&] { do_not_optimize(direct(mesh, material)); }, 1);
  ratio.reference_seconds = best_seconds([&] { do_not_optimize(by_triplets(mesh, material)); }, 1);
  ratio.ratio = ratio.reference_seconds / ratio.seconds;
  ratio.target = 5;
  BenchResult each;
  each.name = "assembly of K and M, each tet";
  each.seconds = ratio.seconds / mesh.tet_count();
  each.target = 1e-6;
  each.note = "pattern, geometry, K and M together";
  return {ratio, each};
}

const RegisterBench kAssembly("assembly", &assembly);

}  // namespace

}  // namespace limber
