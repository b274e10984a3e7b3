// Where two colliders touch or may touch within a step: points of each in the solid of the other,
// edges where points miss, then one normal agreed on, then as few contacts as carry the pair.
//
// Which contacts are kept must not flicker, or a body never comes to rest: those that carried load
// last step come first, then nearer ones, and among equals those of lower rank.
#pragma once

#include <cstdint>
#include <vector>

#include "limber/contact/contact_memory.h"
#include "limber/contact/posed_collider.h"

namespace limber {

/// Features of pairs that are pushed apart as a whole; see narrow_phase.cpp for the others.
constexpr std::uint32_t kDeepFeature = 1U << 29;

/// The most contacts of a pair.
constexpr int kPairContacts = 16;

struct Contact {
  int a = 0, b = 0;             ///< participants
  std::uint32_t feature = 0;    ///< which point or edge of which one: the same from step to step
  double gap = 0;               ///< m, negative where they overlap
  Vec3 normal = Vec3::UnitY();  ///< from b to a
  Vec3 place = Vec3::Zero();    ///< in the middle of the gap
  BodyPoint point_a, point_b;
};

struct PairReach {
  double margin = 0;  ///< gaps up to here may close within the step, m
  double size = 0;    ///< of the smaller of the two, m
};

class NarrowPhase {
 public:
  /// Appends the contacts of the pair, in the order of their features. `before`: what the pair
  /// remembers of the last step.
  void find(int a, const PosedCollider& posed_a, int b, const PosedCollider& posed_b,
            const PairReach& reach, std::span<const RememberedContact> before,
            std::vector<Contact>& contacts);

 private:
  struct Candidate {
    std::uint32_t feature;
    int rank;
    double gap;
    Vec3 normal;   // out of the solid
    Vec3 visitor;  // the place on the visitor's surface
    SolidHit hit;
    BodyPoint visiting;
    bool visitor_is_a;
    double load;
    int bucket;
  };
  void add_points(const PosedCollider& visitor, const PosedCollider& solid, bool visitor_is_a,
                  const PairReach& reach);
  void add_edges(const PosedCollider& visitor, const PosedCollider& solid, bool visitor_is_a,
                 const PairReach& reach);
  bool add_crossings(const PosedCollider& visitor, int edge, const PosedCollider& solid,
                     bool visitor_is_a, const PairReach& reach);
  [[nodiscard]] bool find_agreed_normal(const PosedCollider& a, const PosedCollider& b,
                                        const PairReach& reach, Vec3& agreed) const;
  [[nodiscard]] SolidHit query_inward(const Candidate& one, const Vec3& inward,
                                      const PosedCollider& a, const PosedCollider& b,
                                      const PairReach& reach) const;
  void agree_on_normal(const PosedCollider& a, const PosedCollider& b, const PairReach& reach);
  void reduce(const PairReach& reach, std::span<const RememberedContact> before);

  std::vector<Candidate> candidates_;
  std::vector<int> near_edges_;  // of the solid, to the visitor
};

}  // namespace limber
