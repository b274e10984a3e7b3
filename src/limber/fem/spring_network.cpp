#include "limber/fem/spring_network.h"

#include "limber/fem/operators.h"
#include "limber/fem/stiffness.h"

namespace limber {

SparseMatrix spring_stiffness(const TetMesh& mesh, const Materials& materials) {
  SparseMatrix K = stiffness(mesh, materials);
  std::fill_n(K.valuePtr(), K.nonZeros(), 0.0);
  const Vector volumes = element_geometry(mesh).volumes;
  const auto add_block = [&](int i, int j, const Mat3& block) {
    for (int c = 0; c < 3; ++c) {
      for (int r = 0; r < 3; ++r) K.coeffRef(3 * i + r, 3 * j + c) += block(r, c);
    }
  };
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    const double scale = materials.of(mesh.region(tet)).young * volumes[tet];
    for (int a = 0; a < 4; ++a) {
      for (int b = a + 1; b < 4; ++b) {
        const int i = mesh.T(tet, a);
        const int j = mesh.T(tet, b);
        const Vec3 edge = (mesh.V.row(j) - mesh.V.row(i)).transpose();
        const double squared = edge.squaredNorm();
        const Mat3 spring = scale / (squared * squared) * edge * edge.transpose();
        add_block(i, i, spring);
        add_block(j, j, spring);
        add_block(i, j, -spring);
        add_block(j, i, -spring);
      }
    }
  }
  return K;
}

}  // namespace limber
