#include "limber/mesh/tetrahedralize/stuffing_stencils.h"

#include <algorithm>
#include <utility>

namespace limber {

namespace {
using Tet = std::array<std::int32_t, 4>;
using Cuts = std::array<std::array<StencilCut, 4>, 4>;

struct Sorted {
  std::array<int, 4> inside{};
  std::array<int, 4> outside{};
  int inside_count = 0;
  int outside_count = 0;
};

Sorted sort_corners(const std::array<StencilCorner, 4>& corners) {
  Sorted s;
  for (int i = 0; i < 4; ++i) {
    if (corners[i].sign > 0) s.inside[s.inside_count++] = i;
    if (corners[i].sign < 0) s.outside[s.outside_count++] = i;
  }
  return s;
}

/// `tet` with some corners replaced. A corner that moves along an edge to a point short of the
/// other end keeps the volume positive, so replacing in place keeps the orientation.
Tet replaced(Tet tet, std::initializer_list<std::pair<int, std::int32_t>> changes) {
  for (const auto& [corner, node] : changes) tet[corner] = node;
  return tet;
}

/// One inside corner: a smaller tet.
void cut_single(const Tet& tet, const Sorted& s, const Cuts& cuts, StencilTets& out) {
  Tet small = tet;
  const int p = s.inside[0];
  for (int k = 0; k < s.outside_count; ++k) small[s.outside[k]] = cuts[p][s.outside[k]].node;
  out.tets[out.count++] = small;
}

/// One outside corner and two or three inside: a pyramid or a prism, divided from the
/// shortest piece of edge on.
void cut_off_one(const Tet& tet, Sorted s, const Cuts& cuts, StencilTets& out) {
  const int m = s.outside[0];
  std::sort(s.inside.begin(), s.inside.begin() + s.inside_count,
            [&](int a, int b) { return cuts[a][m].before(cuts[b][m]); });
  Tet rest = tet;
  for (int k = 0; k < s.inside_count; ++k) {
    const int p = s.inside[k];
    out.tets[out.count++] = replaced(rest, {{m, cuts[p][m].node}});
    rest[p] = cuts[p][m].node;
  }
}

/// Two inside (p, q), two outside (m, n): a prism between the triangles p, pm, pn and q, qm, qn.
void cut_in_half(const Tet& tet, const Sorted& s, const Cuts& cuts, StencilTets& out) {
  int p = s.inside[0];
  int q = s.inside[1];
  int m = s.outside[0];
  int n = s.outside[1];
  const bool from_p_at_m = cuts[p][m].before(cuts[q][m]);
  const bool from_p_at_n = cuts[p][n].before(cuts[q][n]);
  if (from_p_at_m != from_p_at_n) {
    // Diagonals pm–q and qn–p (m and n exchanged otherwise): only pm–qn avoids a circle.
    if (!from_p_at_m) std::swap(m, n);
    const std::int32_t pm = cuts[p][m].node;
    const std::int32_t qn = cuts[q][n].node;
    out.tets[0] = replaced(tet, {{m, pm}, {n, qn}});
    out.tets[1] = replaced(tet, {{q, qn}, {m, pm}, {n, cuts[p][n].node}});
    out.tets[2] = replaced(tet, {{p, pm}, {m, cuts[q][m].node}, {n, qn}});
    out.count = 3;
    return;
  }
  if (!from_p_at_m) std::swap(p, q);
  // Both diagonals end at q: the rest is a pyramid over the cut surface, divided either way.
  const std::int32_t pm = cuts[p][m].node;
  const std::int32_t pn = cuts[p][n].node;
  const std::int32_t qm = cuts[q][m].node;
  const std::int32_t qn = cuts[q][n].node;
  out.tets[0] = replaced(tet, {{m, pm}, {n, pn}});
  out.tets[1] = replaced(tet, {{p, pm}, {m, qm}, {n, qn}});
  out.tets[2] = replaced(tet, {{p, pm}, {m, qn}, {n, pn}});
  out.alternative[0] = replaced(tet, {{p, pn}, {m, qm}, {n, qn}});
  out.alternative[1] = replaced(tet, {{p, pm}, {m, qm}, {n, pn}});
  out.choice = true;
  out.count = 3;
}
}  // namespace

StencilTets cut_tet(const std::array<StencilCorner, 4>& corners, const Cuts& cuts) {
  StencilTets out;
  const Sorted s = sort_corners(corners);
  const Tet tet = {corners[0].node, corners[1].node, corners[2].node, corners[3].node};
  if (s.inside_count == 0) return out;
  if (s.outside_count == 0) {
    out.tets[out.count++] = tet;
  } else if (s.inside_count == 1) {
    cut_single(tet, s, cuts, out);
  } else if (s.outside_count == 1) {
    cut_off_one(tet, s, cuts, out);
  } else {
    cut_in_half(tet, s, cuts, out);
  }
  return out;
}

}  // namespace limber
