// Surfaces for tests of meshing, made by formula.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "limber/mesh/boundary.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/tri_mesh.h"

namespace limber {

inline TriMesh ball_surface(double radius, int cells) {
  return boundary_surface(sphere(radius, cells)).surface;
}

inline TriMesh box_surface(const Vec3& size, const CellCounts& cells) {
  return boundary_surface(bar(size, cells)).surface;
}

/// Around the z axis.
inline TriMesh torus_surface(double large, double small, int around, int across) {
  TriMesh torus;
  torus.V.resize(around * across, 3);
  torus.F.resize(2 * around * across, 3);
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j < across; ++j) {
      const double u = 2 * std::numbers::pi * i / around;
      const double v = 2 * std::numbers::pi * j / across;
      const double r = large + small * std::cos(v);
      const int k = i * across + j;
      torus.V.row(k) << r * std::cos(u), r * std::sin(u), small * std::sin(v);
      const int right = ((i + 1) % around) * across + j;
      const int up = i * across + (j + 1) % across;
      const int both = ((i + 1) % around) * across + (j + 1) % across;
      torus.F.row(2 * k) << k, right, both;
      torus.F.row(2 * k + 1) << k, both, up;
    }
  }
  return torus;
}

/// A square of side 1 in the plane z = 0, bent upward by `bend` at its middle.
inline TriMesh sheet_surface(int cells, double bend = 0) {
  TriMesh sheet;
  const int n = cells + 1;
  sheet.V.resize(n * n, 3);
  sheet.F.resize(2 * cells * cells, 3);
  int f = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const double x = static_cast<double>(i) / cells;
      const double y = static_cast<double>(j) / cells;
      sheet.V.row(i + n * j) << x, y, bend * 16 * x * (1 - x) * y * (1 - y);
      if (i == cells || j == cells) continue;
      const int k = i + n * j;
      sheet.F.row(f++) << k, k + 1, k + n + 1;
      sheet.F.row(f++) << k, k + n + 1, k + n;
    }
  }
  return sheet;
}

inline TriMesh moved(TriMesh surface, const Vec3& by) {
  surface.V.rowwise() += by.transpose();
  return surface;
}

/// Both as one surface, not welded.
inline TriMesh together(const TriMesh& a, const TriMesh& b) {
  TriMesh all;
  all.V.resize(a.V.rows() + b.V.rows(), 3);
  all.F.resize(a.F.rows() + b.F.rows(), 3);
  all.V << a.V, b.V;
  all.F.topRows(a.F.rows()) = a.F;
  all.F.bottomRows(b.F.rows()) = b.F.array() + static_cast<std::int32_t>(a.V.rows());
  return all;
}

/// Without the triangles for which drop(f) holds.
template <class Drop>
TriMesh without(const TriMesh& surface, const Drop& drop) {
  std::vector<int> kept;
  for (int f = 0; f < surface.triangle_count(); ++f) {
    if (!drop(f)) kept.push_back(f);
  }
  TriMesh rest;
  rest.V = surface.V;
  rest.F = surface.F(kept, Eigen::all);
  return rest;
}

}  // namespace limber
