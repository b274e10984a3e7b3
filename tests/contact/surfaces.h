// Closed surfaces for tests of contact.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <map>
#include <vector>

#include "limber/core/types.h"

namespace limber::test {

struct Surface {
  Positions vertices;
  Triangles triangles;
};

inline Surface joined(const std::vector<Vec3>& vertices,
                      const std::vector<std::array<int, 3>>& triangles) {
  Surface surface;
  surface.vertices.resize(static_cast<Eigen::Index>(vertices.size()), 3);
  surface.triangles.resize(static_cast<Eigen::Index>(triangles.size()), 3);
  for (std::size_t v = 0; v < vertices.size(); ++v)
    surface.vertices.row(static_cast<Eigen::Index>(v)) = vertices[v].transpose();
  for (std::size_t t = 0; t < triangles.size(); ++t)
    surface.triangles.row(static_cast<Eigen::Index>(t)) << triangles[t][0], triangles[t][1],
        triangles[t][2];
  return surface;
}

/// From the origin to `size`, cells×cells squares a side.
inline Surface box_surface(const Vec3& size, int cells) {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
  std::map<std::array<int, 3>, int> numbers;
  const auto vertex = [&](const std::array<int, 3>& at) {
    const auto [place, is_new] = numbers.emplace(at, static_cast<int>(vertices.size()));
    if (is_new) vertices.push_back(Vec3(at[0], at[1], at[2]).cwiseProduct(size) / cells);
    return place->second;
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const int level : {0, cells}) {
      for (int i = 0; i < cells; ++i) {
        for (int j = 0; j < cells; ++j) {
          const auto at = [&](int a, int b) {
            std::array<int, 3> place{};
            place[axis] = level;
            place[(axis + 1) % 3] = a;
            place[(axis + 2) % 3] = b;
            return vertex(place);
          };
          const int v0 = at(i, j), v1 = at(i + 1, j), v2 = at(i + 1, j + 1), v3 = at(i, j + 1);
          if (level == 0) {
            triangles.push_back({v0, v2, v1});
            triangles.push_back({v0, v3, v2});
          } else {
            triangles.push_back({v0, v1, v2});
            triangles.push_back({v0, v2, v3});
          }
        }
      }
    }
  }
  return joined(vertices, triangles);
}

/// Around the origin: an octahedron, each triangle cut in four `levels` times.
inline Surface ball_surface(double radius, int levels) {
  std::vector<Vec3> vertices{Vec3::UnitX(),  Vec3::UnitY(),  Vec3::UnitZ(),
                             -Vec3::UnitX(), -Vec3::UnitY(), -Vec3::UnitZ()};
  std::vector<std::array<int, 3>> triangles{{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2},
                                            {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [place, is_new] =
          middles.emplace(std::minmax(a, b), static_cast<int>(vertices.size()));
      if (is_new) vertices.push_back((vertices[a] + vertices[b]).normalized());
      return place->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : triangles) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    triangles = std::move(finer);
  }
  for (Vec3& x : vertices) x *= radius;
  return joined(vertices, triangles);
}

}  // namespace limber::test
