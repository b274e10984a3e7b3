// How much each key counts at a time between them.
#pragma once

#include <array>
#include <vector>

namespace limber {

struct KeyWeight {
  int key = 0;
  double weight = 0;
};

/// Up to four keys around t with weights that sum to one: a C¹ cubic through the keys, its slope at
/// a key that of the chord between the neighbours (Catmull & Rom 1974). Between two keys alone it
/// is a straight line; outside them the end key counts whole. Times ascend strictly.
[[nodiscard]] std::array<KeyWeight, 4> key_weights(const std::vector<double>& times, double t);

/// The smooth bump of an inserted key (Huang et al. 2011, eq. 20): one at `here`, zero from
/// `before` and from `behind` outward, flat at all three.
[[nodiscard]] double key_bump(double before, double here, double behind, double t);

}  // namespace limber
