// How long a baked body of 100k vertices and 40 modes takes to load.
#include <chrono>
#include <filesystem>
#include <random>

#include "bench.h"
#include "limber/modes/playback/baked_file.h"
#include "timing.h"

namespace limber {

namespace {

/// Numbers at random: what counts is their amount.
ModalModel large_body(int nodes, int modes) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto numbers = [&](std::size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = uniform(random);
    return SharedArray<double>(std::move(values));
  };
  const auto counted = [](std::size_t count, int repeat) {
    std::vector<std::int32_t> values(count);
    for (std::size_t k = 0; k < count; ++k) values[k] = static_cast<std::int32_t>(k) / repeat;
    return SharedArray<std::int32_t>(std::move(values));
  };
  const auto n = static_cast<std::size_t>(nodes);
  ModalModel body;
  body.rest_positions_data = numbers(3 * n);
  body.eigenvalues_data = SharedArray<double>(std::vector<double>(modes, 100.0));
  body.Phi_data = numbers(3 * n * modes);
  body.Psi_data = numbers(3 * n * modes);
  body.mass.offsets = counted(n + 1, 1);
  body.mass.columns = counted(n, 1);
  body.mass.values = numbers(n);
  body.mass.row_sums = numbers(n);
  body.surface.rest_positions = numbers(3 * n);
  body.surface.rest_normals = numbers(3 * n);
  body.surface.binding.nodes = counted(4 * n, 4);
  std::vector<double> weights(4 * n, 0.0);
  for (std::size_t v = 0; v < n; ++v) weights[4 * v] = 1;
  body.surface.binding.weights = SharedArray<double>(std::move(weights));
  return body;
}

std::vector<BenchResult> loading() {
  const auto path = std::filesystem::temp_directory_path() / "limber_bench.limber";
  {
    const ModalModel body = large_body(100'000, 40);
    write_baked(path, {body, pack_surface(body, Precision::float32)});
  }
  BenchResult result;
  result.name = "load a baked body, 100k vertices, 40 modes";
  result.target = 0.05;
  result.note = std::to_string(std::filesystem::file_size(path) >> 20) +
                " MB, nodes in double and surface in float, checksum verified";
  result.seconds = best_seconds([&] { do_not_optimize(read_baked(path).body.mode_count()); });
  std::filesystem::remove(path);
  return {result};
}

const RegisterBench kLoading("loading", &loading);

}  // namespace

}  // namespace limber
