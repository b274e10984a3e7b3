// What is left of one background tet inside the surface. Labelle & Shewchuk 2007, figure 3.
//
// Corners are inside (+), on the surface (0) or outside (-); an edge from + to - carries a cut
// point. What lies inside is a tet, a pyramid or a prism; the last two are divided into two or
// three tets along diagonals of their four-sided faces. Both tets at a face must choose the same
// diagonal and no prism may get three diagonals in a circle.
//
// Deviates: the paper takes the diagonal by a parity rule on the lattice. Here it starts from the
// cut point with the shorter way to its inside corner: as independent of the tet, never a circle
// since lengths are ordered, and nearly always the shorter diagonal. The angles come out better.
#pragma once

#include <array>
#include <cstdint>

#include "limber/core/types.h"

namespace limber {

struct StencilCorner {
  std::int32_t node = -1;
  int sign = 0;  ///< +1 inside, 0 on the surface, -1 outside
};

/// One of the edges from an inside to an outside corner.
struct StencilCut {
  std::int32_t node = -1;  ///< of the cut point
  double length = 0;       ///< from the inside corner

  /// Whether a diagonal starts from this rather than the other.
  [[nodiscard]] bool before(const StencilCut& other) const {
    return length != other.length ? length < other.length : node < other.node;
  }
};

struct StencilTets {
  std::array<std::array<std::int32_t, 4>, 3> tets;
  int count = 0;
  /// Where the cut surface is a quadrilateral whose diagonal is free, tets 1 and 2 may be replaced
  /// by these; the caller takes the better pair.
  bool choice = false;
  std::array<std::array<std::int32_t, 4>, 2> alternative;
};

/// `corners` of a tet of positive volume; cuts[i][j] is read where corner i is inside and j
/// outside. All tets have positive volume when the cut points lie strictly between their corners.
StencilTets cut_tet(const std::array<StencilCorner, 4>& corners,
                    const std::array<std::array<StencilCut, 4>, 4>& cuts);

}  // namespace limber
