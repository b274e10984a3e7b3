#include "limber/mesh/embedding/embed.h"

#include <algorithm>
#include <string>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/embedding/overlap.h"
#include "limber/mesh/embedding/tet_locator.h"

namespace limber {

namespace {
void check_vertices(const Positions& vertices) {
  for (Eigen::Index v = 0; v < vertices.rows(); ++v) {
    if (!vertices.row(v).allFinite()) {
      throw Error("a coordinate is not a number", "vertex " + std::to_string(v),
                  "repair the surface's coordinates");
    }
  }
}

/// Weights drawn towards those of the tet's middle until none is below the limit.
Weights limited(const Weights& w) {
  const Weights middle = Weights::Constant(0.25);
  // middle + s (w − middle) ≥ −limit for the least weight.
  const double s = (0.25 + kMostExtrapolation) / (0.25 - w.minCoeff());
  return middle + s * (w - middle);
}

class Binder {
 public:
  Binder(const TetMesh& mesh, const Positions& vertices) : mesh_(mesh), vertices_(vertices) {
    const auto count = static_cast<std::size_t>(vertices.rows());
    out_.tets.resize(count);
    out_.nodes.resize(4 * count);
    out_.weights.resize(4 * count);
  }

  void bind(int v, int tet, Weights w, double outside) {
    out_.tets[v] = tet;
    const double reach = -w.minCoeff();
    // On a face, rounding may leave a weight this far below zero.
    if (reach > 1e-9) {
      ++out_.outside;
      out_.farthest_outside = std::max(out_.farthest_outside, outside);
      out_.worst_extrapolation = std::max(out_.worst_extrapolation, reach);
    }
    if (reach > kMostExtrapolation) {
      w = limited(w);
      keep_offset(v, tet, w);
    }
    for (int c = 0; c < 4; ++c) {
      out_.nodes[4 * v + c] = mesh_.T(tet, c);
      out_.weights[4 * v + c] = w[c];
    }
  }

  Embedding take() { return std::move(out_); }

 private:
  void keep_offset(int v, int tet, const Weights& w) {
    if (out_.offsets.rows() == 0) out_.offsets = Positions::Zero(vertices_.rows(), 3);
    Vec3 bound = Vec3::Zero();
    for (int c = 0; c < 4; ++c) bound += w[c] * mesh_.V.row(mesh_.T(tet, c)).transpose();
    out_.offsets.row(v) = vertices_.row(v) - bound.transpose();
    ++out_.limited;
  }

  const TetMesh& mesh_;
  const Positions& vertices_;
  Embedding out_;
};
}  // namespace

Embedding embed(const TetMesh& mesh, const Positions& vertices) {
  check(mesh);
  check_vertices(vertices);
  const TetLocator locator(mesh);
  Binder binder(mesh, vertices);
  for (int v = 0; v < vertices.rows(); ++v) {
    const TetLocator::Found found = locator.locate(vertices.row(v));
    binder.bind(v, found.tet, found.weights, found.outside);
  }
  return binder.take();
}

Embedding embed(const TetMesh& mesh, const TriMesh& surface) {
  check(mesh);
  check_vertices(surface.V);
  const TetLocator locator(mesh);
  const SurfaceTets found = tets_along_surface(mesh, surface, locator);
  Binder binder(mesh, surface.V);
  for (int v = 0; v < surface.vertex_count(); ++v) {
    const Vec3 p = surface.V.row(v);
    if (found.tets[v] >= 0) {
      binder.bind(v, found.tets[v], barycentric(mesh, found.tets[v], p), 0);
      continue;
    }
    const int piece = found.pieces[v];
    const TetLocator::Found near =
        locator.nearest(p, [&](int t) { return piece < 0 || found.piece_of_tet[t] == piece; });
    binder.bind(v, near.tet, near.weights, near.outside);
  }
  return binder.take();
}

Embedding embed_in(const TetMesh& mesh, const Positions& vertices,
                   const std::vector<std::int32_t>& tets) {
  check_vertices(vertices);
  Binder binder(mesh, vertices);
  for (int v = 0; v < vertices.rows(); ++v) {
    const Weights w = barycentric(mesh, tets[v], vertices.row(v));
    binder.bind(v, tets[v], w, 0);
  }
  return binder.take();
}

Positions embedded_positions(const Embedding& embedding, const Positions& positions) {
  Positions x = embedding.offsets;
  if (x.rows() == 0) x = Positions::Zero(embedding.vertex_count(), 3);
  for (int v = 0; v < embedding.vertex_count(); ++v) {
    for (int c = 0; c < 4; ++c) {
      x.row(v) += embedding.weights[4 * v + c] * positions.row(embedding.nodes[4 * v + c]);
    }
  }
  return x;
}

}  // namespace limber
