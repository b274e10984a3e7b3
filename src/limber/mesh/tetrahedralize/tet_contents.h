// What a background tet holds of a body: connected bits of its surface and inside. Two legs that
// pass through one tet without touching are two bits.
//
// Bits are found from the triangles that touch the tet: neighbours along an edge that runs through
// the tet belong together, as do triangles that cross. Bits of surface with inside between them are
// one: that shows on straight ways through the tet from bit to bit, along which every triangle met
// changes the winding number by one.
#pragma once

#include <utility>
#include <vector>

#include "limber/mesh/tetrahedralize/solid.h"

namespace limber {

struct TetContents {
  std::vector<int> bit_of_triangle;    ///< in the order of Touching::of(tet)
  std::array<int, 4> bit_of_corner{};  ///< for inside corners; -1 for the others
  int bits = 0;
};

class ContentsFinder {
 public:
  /// `touching_pairs`: triangles of `body` that cross or touch without a common corner. All must
  /// outlive this.
  ContentsFinder(const Soup& body, const Roles& roles, const Solid& solid,
                 const BackgroundGrid& grid, const Touching& touching,
                 const std::vector<bool>& inside,
                 const std::vector<std::pair<int, int>>& touching_pairs, double slack);

  [[nodiscard]] TetContents operator()(int tet) const;

 private:
  struct Work;
  struct Start;
  void join_neighbours(Work& work) const;
  [[nodiscard]] std::vector<Start> starts_in(Work& work) const;
  void join_through_inside(Work& work) const;
  void join_along(Work& work, const Start& from, const Start& to) const;
  double winding_behind(int f) const;

  const Soup& body_;
  const Roles& roles_;
  const Solid& solid_;
  const BackgroundGrid& grid_;
  const Touching& touching_;
  const std::vector<bool>& inside_;
  double slack_;
  std::vector<std::int32_t> first_partner_;  ///< of each triangle, into partners_
  std::vector<std::int32_t> partners_;
  /// Triangles behind which the winding number is the same name one of them.
  std::vector<std::int32_t> alike_;
  mutable std::vector<double> winding_behind_;  ///< NaN until asked for
};

}  // namespace limber
