// Hands on a body at full resolution: a finger takes a patch of nodes around the vertex, each on a
// spring, so that no single tet has to bear the pull.
//
// Symbols: X rest and x present places of the patch's nodes, P and p of the vertex, R the rotation
// of the patch: the nearest one to Σ (x − p)(X − P)ᵀ, or the hand's own. A node's target is
// t + R (X − P), t the hand's target.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "limber/dynamics/dynamic_body.h"
#include "server/simulation.h"
#include "server/studio_body.h"

namespace limber::studio {

class FullHands {
 public:
  /// `hands` of this body, and `now` (n×3) its nodes, in the coordinates of its handles' targets.
  /// `dynamics` is the same at every call.
  void apply(const StudioBody& body, std::span<const Hand> hands, const Positions& now,
             DynamicBody& dynamics);

 private:
  struct Patch {
    int vertex = 0;
    Vec3 rest = Vec3::Zero();
    Vec3 target = Vec3::Zero();  // where the finger is; follows the hand
    std::vector<int> nodes;
    std::vector<int> springs;
  };

  [[nodiscard]] static Patch take(const StudioBody& body, int vertex, const Positions& now,
                                  Handles& handles);
  static void move(const StudioBody& body, const Hand& hand, const Positions& now, Patch& patch,
                   Handles& handles);

  std::map<int, Patch> patches_;  // by the hand's id
};

}  // namespace limber::studio
