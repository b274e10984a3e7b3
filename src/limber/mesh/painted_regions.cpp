#include "limber/mesh/painted_regions.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "limber/core/error.h"
#include "limber/mesh/select.h"
#include "limber/mesh/spatial/triangle_tree.h"

namespace limber {

namespace {

constexpr std::string_view kColour = "colour:#";
constexpr std::string_view kVertices = "vertices:";

std::vector<int> all_where(int count, const auto& wanted) {
  std::vector<int> found;
  for (int i = 0; i < count; ++i)
    if (wanted(i)) found.push_back(i);
  return found;
}

std::vector<int> tets_of_group(const TetMesh& mesh, const TriMesh& surface, int group) {
  const std::vector<int> nearest = nearest_triangles(mesh, surface);
  return all_where(mesh.tet_count(),
                   [&](int tet) { return surface.face_materials[nearest[tet]] == group; });
}

/// 0..1 as people pick colours, from linear light.
float display(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

/// As displayed, the mean of its corners.
Eigen::Vector3f displayed_colour(const TriMesh& surface, int triangle) {
  Eigen::Vector3f mean = Eigen::Vector3f::Zero();
  for (int i = 0; i < 3; ++i) {
    for (int c = 0; c < 3; ++c) {
      mean[c] += display(surface.colours(surface.F(triangle, i), c)) / 3;
    }
  }
  return mean;
}

void refuse_unpainted(const TriMesh& surface, const std::string& where) {
  if (surface.colours.rows() > 0) return;
  throw Error("the surface has no colours", where, "paint its vertices");
}

std::vector<int> tets_of_colour(const TetMesh& mesh, const TriMesh& surface,
                                const std::string& name) {
  unsigned rgb = 0;
  const char* const first = name.data() + kColour.size();
  const char* const last = name.data() + name.size();
  const auto [stop, problem] = std::from_chars(first, last, rgb, 16);
  if (problem != std::errc{} || stop != last || last - first != 6) {
    throw Error("cannot read a colour", "region " + name, "write colour:#rrggbb");
  }
  refuse_unpainted(surface, "region " + name);
  constexpr float kNear = 0.1f;  // of the colour cube's side: what brushes blur is left out
  const auto painted = [&](int f) {
    const Eigen::Vector3f colour = displayed_colour(surface, f);
    for (int c = 0; c < 3; ++c) {
      if (std::abs(colour[c] - static_cast<float>(rgb >> (16 - 8 * c) & 255) / 255) > kNear)
        return false;
    }
    return true;
  };
  const std::vector<int> nearest = nearest_triangles(mesh, surface);
  return all_where(mesh.tet_count(), [&](int tet) { return painted(nearest[tet]); });
}

std::vector<int> tets_selected(const TetMesh& mesh, const std::string& expression) {
  std::vector<char> picked(mesh.node_count(), 0);
  for (const int node : select_nodes(mesh, expression)) picked[node] = 1;
  return all_where(mesh.tet_count(), [&](int tet) {
    int count = 0;
    for (int k = 0; k < 4; ++k) count += picked[mesh.T(tet, k)];
    return count >= 3;
  });
}

std::vector<int> tets_of_vertices(const TetMesh& mesh, const TriMesh& surface,
                                  const std::vector<int>& vertices) {
  std::vector<char> picked(surface.vertex_count(), 0);
  for (const int vertex : vertices) picked[vertex] = 1;
  const std::vector<int> nearest = nearest_triangles(mesh, surface);
  return all_where(mesh.tet_count(), [&](int tet) {
    int count = 0;
    for (int k = 0; k < 3; ++k) count += picked[surface.F(nearest[tet], k)];
    return count >= 2;
  });
}

}  // namespace

std::vector<int> nearest_triangles(const TetMesh& mesh, const TriMesh& surface) {
  const TriangleTree tree(surface.V, surface.F);
  std::vector<int> nearest(mesh.tet_count());
  for (int tet = 0; tet < mesh.tet_count(); ++tet) {
    Vec3 centre = Vec3::Zero();
    for (int k = 0; k < 4; ++k) centre += 0.25 * mesh.V.row(mesh.T(tet, k)).transpose();
    nearest[tet] = tree.nearest(centre).triangle;
  }
  return nearest;
}

std::vector<int> tets_of_region(const TetMesh& mesh, const TriMesh& surface,
                                const std::string& name) {
  const auto group = std::find(surface.material_names.begin(), surface.material_names.end(), name);
  const bool selection = name.find_first_of("<>:") != std::string::npos;
  std::vector<int> tets;
  if (group != surface.material_names.end() && !surface.face_materials.empty()) {
    tets = tets_of_group(mesh, surface, static_cast<int>(group - surface.material_names.begin()));
  } else if (name.starts_with(kColour)) {
    tets = tets_of_colour(mesh, surface, name);
  } else if (name.starts_with(kVertices)) {
    tets = tets_of_vertices(mesh, surface, *select_vertices(name, surface.vertex_count()));
  } else if (selection) {
    tets = tets_selected(mesh, name);
  } else {
    std::string known;
    for (const std::string& other : surface.material_names) known += " " + other;
    throw Error("the surface has no group \"" + name + "\"", "regions",
                known.empty() ? "name a number, a colour or a SELECT" : "there are:" + known);
  }
  if (tets.empty()) {
    throw Error("no tet lies there", "region " + name, "use a finer mesh or a larger region");
  }
  return tets;
}

std::vector<float> painted_brightness(const TetMesh& mesh, const TriMesh& surface) {
  refuse_unpainted(surface, "painted_young");
  std::vector<float> brightness;
  for (const int triangle : nearest_triangles(mesh, surface)) {
    brightness.push_back(displayed_colour(surface, triangle).mean());
  }
  return brightness;
}

std::vector<int> set_apart(TetMesh& mesh, const std::vector<int>& tets) {
  if (mesh.regions.empty()) mesh.regions.assign(mesh.tet_count(), 0);
  int next = 1 + *std::max_element(mesh.regions.begin(), mesh.regions.end());
  std::map<int, int> renamed;
  for (const int tet : tets) {
    const auto [place, isnew] = renamed.try_emplace(mesh.regions[tet], next);
    if (isnew) ++next;
    mesh.regions[tet] = place->second;
  }
  std::vector<int> numbers;
  for (const auto& [old, number] : renamed) numbers.push_back(number);
  return numbers;
}

}  // namespace limber
