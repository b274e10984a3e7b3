// Where a body touches itself: its contact points against its deformed surface, apart from what
// belongs together at rest (self_shape.h).
//
// Three looks, each dearer than the one before: how far the modes can have moved anything, how far
// contact points have moved, and a search in a tree of boxes for those that have moved far enough.
//
// A point comes into its body through its surface: what lies in it was seen outside before. Only
// those that the last step remembers are looked for deeper than a little, so that no side of a limb
// that is bent far is taken for one that a point has come through.
#pragma once

#include <span>
#include <vector>

#include "limber/contact/contact_memory.h"
#include "limber/contact/narrow_phase.h"
#include "limber/contact/self_shape.h"

namespace limber {

/// The most contacts of a body with itself.
constexpr std::size_t kSelfContacts = 24;

class SelfContact {
 public:
  /// For bodies of this shape. Allocates what find() needs.
  void reserve(const SelfShape& shape);
  /// Appends the contacts of a body with itself, in the order of their features, for a step of h
  /// seconds. `before`: what it remembers of the last step.
  void find(int who, PosedCollider& posed, const SelfShape& shape, double h,
            std::span<const RememberedContact> before, std::vector<Contact>& contacts);

 private:
  struct Candidate {
    std::size_t point;
    SelfHit hit;
    double load;
    int bucket;
  };
  void search(const PosedCollider& posed, const SelfShape& shape, double h, double most_margin,
              std::span<const RememberedContact> before);
  [[nodiscard]] double stir(const PosedCollider& posed) const;
  void reduce(const SelfShape& shape, std::span<const RememberedContact> before);

  std::vector<Bounds> boxes_;
  std::vector<Candidate> candidates_;
};

}  // namespace limber
