#include "limber/scene/fill_cache.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

#include "limber/core/error.h"
#include "limber/core/output_unit.h"
#include "limber/mesh/checks.h"
#include "limber/modes/playback/section_file.h"

namespace limber {

namespace {

template <class T>
std::span<const T> numbers_of(const auto& matrix) {
  return {matrix.data(), static_cast<std::size_t>(matrix.size())};
}

template <class Matrix>
Matrix rows_of(const SharedArray<typename Matrix::Scalar>& numbers) {
  constexpr int kColumns = Matrix::ColsAtCompileTime;
  return Eigen::Map<const Matrix>(numbers.data(), std::ssize(numbers.span()) / kColumns, kColumns);
}

void write_fill(const std::filesystem::path& path, const Tetrahedralized& fill) {
  SectionWriter writer;
  writer.add("V", numbers_of<double>(fill.mesh.V));
  writer.add("T", numbers_of<std::int32_t>(fill.mesh.T));
  writer.add("regions", std::span<const std::int32_t>(fill.mesh.regions));
  writer.add("tets", std::span<const std::int32_t>(fill.embedding.tets));
  writer.add("nodes", std::span<const std::int32_t>(fill.embedding.nodes));
  writer.add("weights", std::span<const double>(fill.embedding.weights));
  writer.add("offsets", numbers_of<double>(fill.embedding.offsets));
  std::string warnings;  // a line each
  for (const std::string& warning : fill.report.warnings) warnings += warning + "\n";
  writer.add("warnings", std::span<const char>(warnings));
  writer.write(path);
}

/// Whether every vertex of the surface hangs on nodes that exist.
bool fits(const Embedding& embedding, const TetMesh& mesh, std::size_t vertices) {
  const auto below = [](const std::vector<std::int32_t>& values, int limit) {
    return std::all_of(values.begin(), values.end(), [&](int v) { return v >= 0 && v < limit; });
  };
  return embedding.tets.size() == vertices && embedding.nodes.size() == 4 * vertices &&
         embedding.weights.size() == 4 * vertices && below(embedding.tets, mesh.tet_count()) &&
         below(embedding.nodes, mesh.node_count()) &&
         (embedding.offsets.rows() == 0 ||
          embedding.offsets.rows() == static_cast<Eigen::Index>(vertices));
}

std::optional<Tetrahedralized> read_fill(const std::filesystem::path& path, int vertices) {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return std::nullopt;
  try {
    const SectionReader reader(path);
    const auto integers = [&](const char* name) {
      const SharedArray<std::int32_t> values = reader.get<std::int32_t>(name);
      return std::vector<std::int32_t>(values.begin(), values.end());
    };
    Tetrahedralized fill;
    fill.mesh.V = rows_of<Positions>(reader.get<double>("V"));
    fill.mesh.T = rows_of<Tets>(reader.get<std::int32_t>("T"));
    fill.mesh.regions = integers("regions");
    check(fill.mesh, path.string());
    fill.embedding.tets = integers("tets");
    fill.embedding.nodes = integers("nodes");
    const SharedArray<double> weights = reader.get<double>("weights");
    fill.embedding.weights.assign(weights.begin(), weights.end());
    fill.embedding.offsets = rows_of<Positions>(reader.get<double>("offsets"));
    const SharedArray<char> text = reader.get<char>("warnings");
    std::istringstream lines(std::string(text.begin(), text.end()));
    for (std::string line; std::getline(lines, line);) fill.report.warnings.push_back(line);
    const bool regions_fit =
        fill.mesh.regions.empty() || std::ssize(fill.mesh.regions) == fill.mesh.tet_count();
    if (!regions_fit || !fits(fill.embedding, fill.mesh, vertices)) return std::nullopt;
    return fill;
  } catch (const Error&) {
    return std::nullopt;  // damaged: as if it were not there
  }
}

}  // namespace

Tetrahedralized fill_with_cache(const TriMesh& surface, const TetrahedralizeOptions& options,
                                const std::filesystem::path& folder) {
  if (folder.empty()) return tetrahedralize(surface, options);
  const std::filesystem::path path = folder / (content_hash(surface, options) + ".fill");
  if (std::optional<Tetrahedralized> kept = read_fill(path, surface.vertex_count())) {
    return std::move(*kept);
  }
  Tetrahedralized fill = tetrahedralize(surface, options);
  try {
    std::error_code none;
    std::filesystem::create_directories(folder, none);
    const OutsideUnits at_once;
    write_fill(path, fill);
  } catch (const Error&) {
    // The work is done; it will only be done again next time.
  }
  return fill;
}

}  // namespace limber
