#include "fuzz/one_tet.h"

#include "fuzz/target.h"
#include "limber/core/file.h"

namespace limber::fuzz {

namespace {

/// One tet with a mode that stretches it, put together without a solver.
BakedBody one_tet(Precision precision) {
  ModalModel body;
  body.rest_positions_data =
      SharedArray<double>(std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
  body.tets_data = SharedArray<std::int32_t>(std::vector<std::int32_t>{0, 1, 2, 3});
  body.fixed_nodes = SharedArray<std::int32_t>(std::vector<std::int32_t>{0});
  body.eigenvalues_data = SharedArray<double>(std::vector<double>{100});
  body.Phi_data = SharedArray<double>(std::vector<double>(12, 0.25));
  body.Psi_data = SharedArray<double>(std::vector<double>(12, 0.5));
  body.mass.offsets = SharedArray<std::int32_t>(std::vector<std::int32_t>{0, 1, 2, 3, 4});
  body.mass.columns = SharedArray<std::int32_t>(std::vector<std::int32_t>{0, 1, 2, 3});
  body.mass.values = SharedArray<double>(std::vector<double>(4, 1.0));
  body.mass.row_sums = SharedArray<double>(std::vector<double>(4, 1.0));
  body.surface.rest_positions = body.rest_positions_data;
  body.surface.rest_normals = SharedArray<double>(std::vector<double>(12, 0.577));
  body.surface.triangles =
      SharedArray<std::int32_t>(std::vector<std::int32_t>{0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2});
  body.surface.binding.nodes = SharedArray<std::int32_t>(
      std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
  body.surface.binding.weights =
      SharedArray<double>(std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  body.material = {2e5, 0.3, 1000};
  PackedSurface surface = pack_surface(body, precision);
  return {std::move(body), std::move(surface)};
}

}  // namespace

std::string one_tet_file(Precision precision) {
  const std::string path = file_holding("", ".limber");
  write_baked(path, one_tet(precision));
  return std::string(FileBytes(path).text());
}

}  // namespace limber::fuzz
