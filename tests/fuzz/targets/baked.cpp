// Baked bodies: as they come, and with size and checksum made to fit, so that damage reaches what
// lies behind them.
#include <cstring>

#include "fuzz/target.h"
#include "limber/core/checksum.h"
#include "limber/core/file.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/modes/playback/baked_file.h"

namespace limber::fuzz {
namespace {

constexpr std::size_t kHeader = 64;
constexpr std::size_t kSizeAt = 16;
constexpr std::size_t kChecksumAt = 24;

std::string resealed(std::string_view bytes) {
  std::string fitting(bytes);
  if (fitting.size() < kHeader) return fitting;
  const std::uint64_t size = fitting.size();
  std::memcpy(fitting.data() + kSizeAt, &size, sizeof size);
  const std::uint64_t sum = checksum(std::as_bytes(std::span(fitting)).subspan(kHeader));
  std::memcpy(fitting.data() + kChecksumAt, &sum, sizeof sum);
  return fitting;
}

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

std::string file_of(const BakedBody& baked) {
  const std::string path = file_holding("", ".limber");
  write_baked(path, baked);
  return std::string(FileBytes(path).text());
}

void read(std::string_view bytes) {
  const BakedBody body = read_baked(file_holding(bytes, ".limber"));
  if (!body.body.Phi().allFinite() || !body.body.rest_positions().allFinite()) {
    throw std::logic_error("numbers that are not finite");
  }
}

const Register kBaked({"limber", [](std::string_view bytes) { read(bytes); },
                       [] {
                         return std::vector<std::string>{file_of(one_tet(Precision::float32)),
                                                         file_of(one_tet(Precision::int16))};
                       }});
const Register kResealed({"limber-resealed", [](std::string_view bytes) { read(resealed(bytes)); },
                          [] {
                            return std::vector<std::string>{file_of(one_tet(Precision::float32)),
                                                            file_of(one_tet(Precision::int16))};
                          }});

}  // namespace
}  // namespace limber::fuzz
