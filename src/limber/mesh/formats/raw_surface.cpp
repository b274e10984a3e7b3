#include <cmath>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/coincident.h"
#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"

namespace limber {

namespace {

void check_corners(const RawSurface& raw, const std::string& file_name) {
  const auto vertices = static_cast<std::int64_t>(raw.coordinates.size() / 3);
  const auto pairs = static_cast<std::int64_t>(raw.uv.size() / 2);
  for (std::size_t i = 0; i < raw.corners.size(); ++i) {
    if (raw.corners[i] < 0 || raw.corners[i] >= vertices) {
      throw Error("triangle " + std::to_string(i / 3) +
                      " names a vertex that is not there; the file has " +
                      std::to_string(vertices) + " vertices",
                  file_name, kExportAgain);
    }
  }
  for (std::size_t i = 0; i < raw.uv_corners.size(); ++i) {
    if (raw.uv_corners[i] != RawSurface::kNoUv &&
        (raw.uv_corners[i] < 0 || raw.uv_corners[i] >= pairs)) {
      throw Error("triangle " + std::to_string(i / 3) +
                      " names texture coordinates that are not there; the file has " +
                      std::to_string(pairs),
                  file_name, kExportAgain);
    }
  }
}

/// Keeps the triangles with three different corners; returns how many went.
int drop_collapsed_triangles(RawSurface& raw) {
  const std::size_t triangles = raw.corners.size() / 3;
  std::size_t kept = 0;
  for (std::size_t f = 0; f < triangles; ++f) {
    const std::int64_t* const v = raw.corners.data() + 3 * f;
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    std::copy_n(v, 3, raw.corners.data() + 3 * kept);
    if (!raw.uv_corners.empty()) {
      std::copy_n(raw.uv_corners.data() + 3 * f, 3, raw.uv_corners.data() + 3 * kept);
    }
    if (!raw.file_corners.empty()) {
      std::copy_n(raw.file_corners.data() + 3 * f, 3, raw.file_corners.data() + 3 * kept);
    }
    if (!raw.materials.empty()) raw.materials[kept] = raw.materials[f];
    ++kept;
  }
  raw.corners.resize(3 * kept);
  if (!raw.uv_corners.empty()) raw.uv_corners.resize(3 * kept);
  if (!raw.file_corners.empty()) raw.file_corners.resize(3 * kept);
  if (!raw.materials.empty()) raw.materials.resize(kept);
  return static_cast<int>(triangles - kept);
}

/// Fills `uv` where each vertex has one pair, `corner_uv` where seams give some vertex several.
void set_uv(const RawSurface& raw, TriMesh& surface) {
  const auto has_uv = [](std::int64_t pair) { return pair != RawSurface::kNoUv; };
  if (std::none_of(raw.uv_corners.begin(), raw.uv_corners.end(), has_uv)) return;
  const auto corners = static_cast<Eigen::Index>(raw.corners.size());
  surface.corner_uv.setZero(corners, 2);
  surface.uv.setZero(surface.vertex_count(), 2);
  std::vector<char> seen(surface.V.rows(), 0);
  bool one_each = true;
  for (Eigen::Index i = 0; i < corners; ++i) {
    const std::int64_t pair = raw.uv_corners[i];
    if (has_uv(pair)) surface.corner_uv.row(i) << raw.uv[2 * pair], raw.uv[2 * pair + 1];
    const std::int64_t vertex = raw.corners[i];
    if (seen[vertex] == 0) {
      surface.uv.row(vertex) = surface.corner_uv.row(i);
      seen[vertex] = 1;
    }
    one_each = one_each && surface.uv.row(vertex) == surface.corner_uv.row(i);
  }
  (one_each ? surface.corner_uv : surface.uv).resize(0, 2);
}

/// Numbers the normals: a vertex's first has its own number, others follow behind all vertices.
std::vector<std::int32_t> numbered_normals(const RawSurface& raw, int vertex_count) {
  // Exporters round normals to a byte a component at worst: differences below are rounding.
  constexpr float kSame = 0.02F;
  const auto normal = [&](std::size_t i) {
    return Eigen::Map<const Eigen::Vector3f>(raw.file_normals.data() + 3 * i);
  };
  struct Known {
    std::size_t example;  // a vertex of the file with this normal
    int next;             // the next normal of the same vertex, or -1
  };
  constexpr auto kUnused = static_cast<std::size_t>(-1);
  std::vector<Known> known(static_cast<std::size_t>(vertex_count), {kUnused, -1});
  std::vector<std::int32_t> numbers;
  for (std::size_t i = 0; i < raw.file_vertices.size(); ++i) {
    int number = raw.file_vertices[i];
    if (known[number].example == kUnused) known[number].example = i;
    while ((normal(i) - normal(known[number].example)).norm() > kSame && known[number].next >= 0) {
      number = known[number].next;
    }
    if ((normal(i) - normal(known[number].example)).norm() > kSame) {
      known[number].next = static_cast<int>(known.size());
      number = static_cast<int>(known.size());
      known.push_back({i, -1});
    }
    numbers.push_back(number);
  }
  return numbers;
}

void set_file_vertices(RawSurface& raw, TriMesh& surface) {
  if (raw.file_vertices.empty()) return;
  if (!raw.file_normals.empty()) {
    surface.file.normal = numbered_normals(raw, surface.vertex_count());
  }
  surface.file.vertex = std::move(raw.file_vertices);
  surface.file.corners = Eigen::Map<const Triangles>(raw.file_corners.data(), surface.F.rows(), 3);
  surface.file.second_uv = Eigen::Map<const decltype(surface.file.second_uv)>(
      raw.file_second_uv.data(), static_cast<Eigen::Index>(raw.file_second_uv.size() / 2), 2);
  surface.file.colours = Eigen::Map<const decltype(surface.file.colours)>(
      raw.file_colours.data(), static_cast<Eigen::Index>(raw.file_colours.size() / 4), 4);
}

void note_vertices(const TriMesh& surface, ReadNotes& notes) {
  std::vector<char> used(surface.V.rows(), 0);
  for (const std::int32_t v : surface.F.reshaped()) used[v] = 1;
  notes.unused_nodes += static_cast<int>(std::count(used.begin(), used.end(), 0));
  notes.duplicate_nodes += duplicate_count(surface.V);
}
}  // namespace

void RawSurface::add_polygon(std::span<const std::int64_t> vertices,
                             std::span<const std::int64_t> pairs, int material) {
  if (vertices.size() < 3) {
    ++skipped["faces of fewer than three corners"];
    return;
  }
  for (std::size_t i = 1; i + 1 < vertices.size(); ++i) {
    corners.insert(corners.end(), {vertices[0], vertices[i], vertices[i + 1]});
    if (!pairs.empty()) uv_corners.insert(uv_corners.end(), {pairs[0], pairs[i], pairs[i + 1]});
    materials.push_back(material);
  }
}

TriMesh finish(RawSurface&& raw, const std::string& file_name, ReadNotes& notes) {
  check_corners(raw, file_name);
  const int collapsed = drop_collapsed_triangles(raw);
  if (collapsed > 0) raw.skipped["triangles that name a vertex twice"] = collapsed;
  TriMesh surface;
  surface.V = Eigen::Map<const Positions>(raw.coordinates.data(),
                                          static_cast<Eigen::Index>(raw.coordinates.size() / 3), 3);
  surface.F = Eigen::Map<const Eigen::Matrix<std::int64_t, Eigen::Dynamic, 3, Eigen::RowMajor>>(
                  raw.corners.data(), static_cast<Eigen::Index>(raw.corners.size() / 3), 3)
                  .cast<std::int32_t>();
  set_uv(raw, surface);
  set_file_vertices(raw, surface);
  if (!raw.colours.empty()) {
    surface.colours = Eigen::Map<const decltype(surface.colours)>(
        raw.colours.data(), static_cast<Eigen::Index>(raw.colours.size() / 3), 3);
  }
  if (!raw.material_names.empty()) {
    surface.face_materials = std::move(raw.materials);
    surface.material_names = std::move(raw.material_names);
    surface.looks = std::move(raw.looks);
  }
  check(surface, file_name);
  note_vertices(surface, notes);
  for (const auto& [name, count] : raw.skipped) {
    notes.remarks.push_back("left out " + std::to_string(count) + " " + name);
  }
  return surface;
}

float linear_from_srgb(float encoded) {
  return encoded <= 0.04045F ? encoded / 12.92F : std::pow((encoded + 0.055F) / 1.055F, 2.4F);
}

float srgb_from_linear(float linear) {
  return linear <= 0.0031308F ? linear * 12.92F : 1.055F * std::pow(linear, 1 / 2.4F) - 0.055F;
}

}  // namespace limber
