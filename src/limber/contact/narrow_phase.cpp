#include "limber/contact/narrow_phase.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "limber/dynamics/rigid_body.h"

namespace limber {

namespace {

/// Features: points 0…, edges from here on (two places each), and the same again for the solid's.
constexpr std::uint32_t kEdgeFeature = 1U << 24;
constexpr std::uint32_t kCrossingFeature = 1U << 25;  // an edge of each: 512 × 512 at most
constexpr std::uint32_t kSecondVisitor = 1U << 30;
/// Edges are looked at only where fewer points than this touch: three hold a body.
constexpr int kEnoughPoints = 3;
/// Shares of the pair's size. Touching: gaps that edges would not improve on.
constexpr double kTouching = 0.005;
/// Rank counts among contacts whose gaps differ by less; see CONTACT: the deepest must lead.
constexpr double kBucket = 0.01;
constexpr double kLead = 0.0025;
/// Contacts nearer to each other than this carry the same.
constexpr double kApart = 0.02;
/// Cosine of directions that count as one.
constexpr double kSameNormal = 0.95;
constexpr std::size_t kMostNormals = 12;
/// Overlap along the agreed normal, up to which the pair lies face on face; and how far from a rim
/// the face is measured. Shares of the size.
constexpr double kFlat = 0.05;
constexpr double kInward = 0.03;

/// Crossed edges: how far their normal may lean out of the wedge between the faces of either, and
/// how deep, as a share of the size, they may have passed each other.
constexpr double kLean = 0.05;
constexpr double kPassed = 0.1;

/// A point of a soft body's edge.
BodyPoint point_on_edge(const Collider::Edge& edge, double place) {
  const BodyPoint &a = edge.from, &b = edge.to;
  if (a.weights[0] == 1 && b.weights[0] == 1)
    return {{a.nodes[0], b.nodes[0], a.nodes[0], a.nodes[0]}, {1 - place, place, 0, 0}};
  return place > 0.5 ? b : a;
}

/// A point may lie deeper than the narrowest body is thick when bodies start in each other; a
/// sheet without an inside gives up at half the visitor's size.
bool too_deep(const PosedCollider& solid, double distance, const PairReach& reach) {
  const RestSurface* surface = solid.shape().surface();
  return surface != nullptr && !surface->closed() && distance < -0.5 * reach.size;
}

}  // namespace

void NarrowPhase::add_points(const PosedCollider& visitor, const PosedCollider& solid,
                             bool visitor_is_a, const PairReach& reach) {
  const double radius = visitor.shape().radius();
  const std::span<const PointState> points = visitor.points();
  Bounds near = solid.bounds();
  near.grow(reach.margin + radius);
  const Vec3 side = visitor.bounds().middle();
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3& x = points[k].position;
    if (!near.contains(x)) continue;
    const SolidHit hit = solid.query(x, reach.margin + radius, side);
    if (!hit.hit || too_deep(solid, hit.distance, reach)) continue;
    const auto index = static_cast<std::uint32_t>(k);
    candidates_.push_back({index | (visitor_is_a ? 0 : kSecondVisitor), static_cast<int>(k),
                           hit.distance - radius, hit.normal, x - radius * hit.normal, hit,
                           visitor.shape().points()[k].point, visitor_is_a, 0, 0});
  }
}

/// Contacts of an edge with sharp edges of the solid: their normal is across both, however deep the
/// one has come into the other. (Nearest faces flip there: the deepest place is as far from the one
/// as from the other.) False where it crosses none.
bool NarrowPhase::add_crossings(const PosedCollider& visitor, int edge, const PosedCollider& solid,
                                bool visitor_is_a, const PairReach& reach) {
  const PosedCollider::PosedEdge own = visitor.edge(edge);
  const Vec3 d = own.to - own.from;
  const double far = reach.margin;
  bool found = false;
  for (const int number : near_edges_) {
    const PosedCollider::PosedEdge other = solid.edge(number);
    const Vec3 e = other.to - other.from, between = own.from - other.from;
    // Closest places of two lines (Ericson 2005, section 5.1.8).
    const double dd = d.dot(d), ee = e.dot(e), de = d.dot(e);
    const double det = dd * ee - de * de;
    if (det < 1e-4 * dd * ee) continue;  // nearly along each other: their corners touch first
    const double db = d.dot(between), eb = e.dot(between);
    const double s = (de * eb - ee * db) / det, t = (dd * eb - de * db) / det;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) continue;
    Vec3 normal = d.cross(e).normalized();
    if (normal.dot(other.into[0] + other.into[1]) > 0) normal = -normal;
    // Outward for the solid and inward for the visitor, between the faces of each.
    const auto leans = [&](const Vec3& n, const PosedCollider::PosedEdge& of) {
      return n.dot(of.into[0]) > kLean || n.dot(of.into[1]) > kLean;
    };
    if (leans(normal, other) || leans(-normal, own)) continue;
    const Vec3 on_own = own.from + s * d, on_other = other.from + t * e;
    const double gap = normal.dot(on_own - on_other);
    if (gap > far || gap < -kPassed * reach.size) continue;
    SolidHit hit;
    hit.hit = true;
    hit.distance = gap;
    hit.normal = normal;
    hit.closest = on_other;
    const Collider::Edge& rest = solid.shape().edges()[static_cast<std::size_t>(number)];
    hit.triangle = rest.triangle;
    if (rest.corner >= 0) {
      hit.weights[rest.corner] = 1 - t;
      hit.weights[(rest.corner + 1) % 3] = t;
    }
    const auto index = static_cast<std::uint32_t>(edge) * 512 + static_cast<std::uint32_t>(number);
    BodyPoint visiting;
    if (visitor.soft())
      visiting = point_on_edge(visitor.shape().edges()[static_cast<std::size_t>(edge)], s);
    candidates_.push_back({index | kCrossingFeature | (visitor_is_a ? 0 : kSecondVisitor), edge,
                           gap, normal, on_own, hit, visiting, visitor_is_a, 0, 0});
    found = true;
  }
  return found;
}

void NarrowPhase::add_edges(const PosedCollider& visitor, const PosedCollider& solid,
                            bool visitor_is_a, const PairReach& reach) {
  if (solid.shape().kind() == Collider::Kind::plane) return;  // corners touch it first
  const double radius = visitor.shape().radius();
  const double far = reach.margin + radius;
  Bounds near = solid.bounds();
  near.grow(far);
  const Vec3 side = visitor.bounds().middle();
  const std::span<const Collider::Edge> edges = visitor.shape().edges();
  const bool cross =
      radius == 0 && visitor.shape().edges_have_sides() && solid.shape().edges_have_sides();
  near_edges_.clear();
  Bounds around = visitor.bounds();
  around.grow(far);
  for (int e = 0; cross && e < static_cast<int>(solid.shape().edges().size()); ++e) {
    Bounds box;
    Vec3 from, to;
    solid.edge_ends(e, from, to);
    box.add(from);
    box.add(to);
    if (box.overlaps(around) && visitor.may_reach(from, to, far)) near_edges_.push_back(e);
  }
  const bool edges_alone = cross && solid.shape().faceted();
  // Crossings are the same from both sides.
  if (edges_alone && (near_edges_.empty() || !visitor_is_a)) return;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    Vec3 from, to;
    visitor.edge_ends(static_cast<int>(e), from, to);
    Bounds box;
    box.add(from);
    box.add(to);
    if (!box.overlaps(near) || !solid.may_reach(from, to, far)) continue;
    const bool crosses = !near_edges_.empty() &&
                         add_crossings(visitor, static_cast<int>(e), solid, visitor_is_a, reach);
    if (crosses || edges_alone) continue;
    const double length = (to - from).norm();
    const auto at = [&](double t) { return Vec3(from + t * (to - from)); };
    const auto query = [&](double t) { return solid.query(at(t), far + length, side); };
    const auto distance = [&](double t) {
      const SolidHit hit = query(t);
      return hit.hit ? hit.distance : far + 2 * length;
    };
    // Distances change by no more than the way: nothing nearer than this lies between.
    const double at_middle = distance(0.5);
    if (at_middle > far + length / 2) continue;
    const auto least_within = [&](double one, double other) {
      return (one + other - length / 2) / 2;
    };
    if (least_within(distance(0), at_middle) > far && least_within(at_middle, distance(1)) > far)
      continue;
    // Golden sections: the distance from a convex solid is convex along the edge.
    constexpr double kGolden = 0.6180339887498949;
    double low = 0, high = 1;
    double s = 1 - kGolden, t = kGolden, at_s = distance(s), at_t = distance(t);
    for (int pass = 0; pass < 14; ++pass) {
      if (at_s <= at_t) {
        high = t;
        t = s;
        at_t = at_s;
        s = high - kGolden * (high - low);
        at_s = distance(s);
      } else {
        low = s;
        s = t;
        at_s = at_t;
        t = low + kGolden * (high - low);
        at_t = distance(t);
      }
      if (std::min(at_s, at_t) - kGolden * (high - low) * length > far) break;
    }
    const double middle = (low + high) / 2, least = distance(middle);
    if (least > far) continue;
    const double level = least + kTouching / 4 * reach.size;
    const auto border = [&](double inside, double outside) {
      if (distance(outside) <= level) return outside;
      for (int pass = 0; pass < 8; ++pass) {
        const double between = (inside + outside) / 2;
        (distance(between) <= level ? inside : outside) = between;
      }
      return inside;
    };
    // Where the edge lies flat on the solid, the two ends of what lies on it.
    const double first = border(middle, 0), last = border(middle, 1);
    const bool flat = last - first > 0.1;
    for (int end = 0; end < (flat ? 2 : 1); ++end) {
      const double place = flat ? (end == 0 ? first : last) : middle;
      // Its own corners are contact points already, unless it is round.
      if (radius == 0 && (place < 0.01 || place > 0.99)) continue;
      if (radius > 0 && flat && (place < 0.01 || place > 0.99)) continue;
      const SolidHit hit = query(place);
      if (!hit.hit || hit.distance > far || too_deep(solid, hit.distance, reach)) continue;
      const BodyPoint visiting = visitor.soft() ? point_on_edge(edges[e], place) : edges[e].from;
      const auto index = static_cast<std::uint32_t>(2 * e) + static_cast<std::uint32_t>(end);
      candidates_.push_back({index | kEdgeFeature | (visitor_is_a ? 0 : kSecondVisitor),
                             static_cast<int>(e), hit.distance - radius, hit.normal,
                             at(place) - radius * hit.normal, hit, visiting, visitor_is_a, 0, 0});
    }
  }
}

/// The direction, of those seen at the candidates and a little inward from them, along which the
/// two sides overlap least: where they lie face on face it is that of the faces, whatever points at
/// their rims say. False where there is none, or nothing to agree on.
bool NarrowPhase::find_agreed_normal(const PosedCollider& a, const PosedCollider& b,
                                     const PairReach& reach, Vec3& agreed) const {
  std::array<Vec3, kMostNormals> tried;
  std::size_t count = 0;
  double least = std::numeric_limits<double>::infinity();
  const auto try_normal = [&](const Vec3& normal) {
    if (count == kMostNormals ||
        std::any_of(tried.begin(), tried.begin() + static_cast<std::ptrdiff_t>(count),
                    [&](const Vec3& other) { return other.dot(normal) > kSameNormal; }))
      return;
    double low_a = std::numeric_limits<double>::infinity(), high_b = -low_a;
    for (const Candidate& other : candidates_) {
      const double own = normal.dot(other.visitor), solid = normal.dot(other.hit.closest);
      low_a = std::min(low_a, other.visitor_is_a ? own : solid);
      high_b = std::max(high_b, other.visitor_is_a ? solid : own);
    }
    if (high_b - low_a < least) {
      least = high_b - low_a;
      agreed = normal;
    }
    tried[count++] = normal;
  };
  for (const Candidate& one : candidates_)
    try_normal(one.visitor_is_a ? one.normal : Vec3(-one.normal));
  if (count < 2) return false;
  Vec3 middle = Vec3::Zero();
  for (const Candidate& one : candidates_) middle += one.visitor;
  middle /= static_cast<double>(candidates_.size());
  for (std::size_t k = 0; k < std::min<std::size_t>(candidates_.size(), kMostNormals); ++k) {
    const Candidate& one = candidates_[k];
    const SolidHit hit = query_inward(one, middle - one.visitor, a, b, reach);
    if (hit.hit) try_normal(one.visitor_is_a ? hit.normal : Vec3(-hit.normal));
  }
  return least < kFlat * reach.size;
}

SolidHit NarrowPhase::query_inward(const Candidate& one, const Vec3& inward, const PosedCollider& a,
                                   const PosedCollider& b, const PairReach& reach) const {
  const double length = inward.norm();
  if (length == 0) return {};
  const Vec3 x = one.visitor + std::min(1.0, kInward * reach.size / length) * inward;
  const PosedCollider &solid = one.visitor_is_a ? b : a, &visitor = one.visitor_is_a ? a : b;
  return solid.query(x, reach.margin, visitor.bounds().middle());
}

/// Candidates that see another direction are measured again along the agreed one, a little inward
/// from the solid's rim; those that stay beyond it keep their own.
void NarrowPhase::agree_on_normal(const PosedCollider& a, const PosedCollider& b,
                                  const PairReach& reach) {
  Vec3 agreed;
  if (candidates_.size() < 2 || !find_agreed_normal(a, b, reach, agreed)) return;
  Vec3 middle = Vec3::Zero();
  for (const Candidate& one : candidates_) middle += one.visitor;
  middle /= static_cast<double>(candidates_.size());
  for (Candidate& one : candidates_) {
    const Vec3 normal = one.visitor_is_a ? agreed : Vec3(-agreed);
    if (one.normal.dot(normal) > kSameNormal || (one.feature & kCrossingFeature) != 0) continue;
    Vec3 inward = middle - one.visitor;
    inward -= normal.dot(inward) * normal;
    const SolidHit hit = query_inward(one, inward, a, b, reach);
    if (!hit.hit || hit.normal.dot(normal) < kSameNormal) continue;
    one.hit = hit;
    one.normal = hit.normal;
    one.gap = hit.distance;
  }
}

void NarrowPhase::reduce(const PairReach& reach, std::span<const RememberedContact> before) {
  double least = std::numeric_limits<double>::infinity();
  for (Candidate& candidate : candidates_) {
    const RememberedContact* last = remembered(before, candidate.feature);
    candidate.load = last != nullptr ? last->normal_impulse : 0;
    least = std::min(least, candidate.gap);
  }
  for (Candidate& candidate : candidates_) {
    const double behind = (candidate.gap - least) / (kBucket * reach.size);
    candidate.bucket = static_cast<int>(std::min(behind, 1e6));
  }
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& x, const Candidate& y) {
    const bool x_loaded = x.load > 0, y_loaded = y.load > 0;
    if (x_loaded != y_loaded) return x_loaded;
    if (!x_loaded && x.bucket != y.bucket) return x.bucket < y.bucket;
    if (x.rank != y.rank) return x.rank < y.rank;
    return x.feature < y.feature;
  });
  const double apart = kApart * reach.size;
  std::size_t kept = 0;
  double deepest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < candidates_.size() && kept < kPairContacts; ++k) {
    const Candidate& next = candidates_[k];
    const bool new_place =
        std::none_of(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(kept),
                     [&](const Candidate& other) {
                       return (other.visitor - next.visitor).squaredNorm() < apart * apart &&
                              other.normal.dot(other.visitor_is_a == next.visitor_is_a
                                                   ? next.normal
                                                   : Vec3(-next.normal)) > kSameNormal;
                     });
    if (!new_place) continue;
    deepest = std::min(deepest, next.gap);
    std::swap(candidates_[kept++], candidates_[k]);
  }
  // The deepest takes the last one's place where it leads clearly.
  if (kept == kPairContacts) {
    const auto lead =
        std::min_element(candidates_.begin() + static_cast<std::ptrdiff_t>(kept), candidates_.end(),
                         [](const Candidate& x, const Candidate& y) { return x.gap < y.gap; });
    if (lead != candidates_.end() && lead->gap < deepest - kLead * reach.size)
      std::swap(candidates_[kept - 1], *lead);
  }
  candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(kept), candidates_.end());
}

void NarrowPhase::find(int a, const PosedCollider& posed_a, int b, const PosedCollider& posed_b,
                       const PairReach& reach, std::span<const RememberedContact> before,
                       std::vector<Contact>& contacts) {
  candidates_.clear();
  const bool both_round = posed_a.shape().kind() == Collider::Kind::sphere &&
                          posed_b.shape().kind() == Collider::Kind::sphere;
  add_points(posed_a, posed_b, true, reach);
  if (!both_round) add_points(posed_b, posed_a, false, reach);
  const auto touching = std::count_if(
      candidates_.begin(), candidates_.end(),
      [&](const Candidate& candidate) { return candidate.gap < kTouching * reach.size; });
  const bool on_edges = std::any_of(before.begin(), before.end(), [](const auto& last) {
    return last.normal_impulse > 0 && (last.feature & (kEdgeFeature | kCrossingFeature)) != 0 &&
           (last.feature & kDeepFeature) == 0;
  });
  if (touching < kEnoughPoints || on_edges) {
    add_edges(posed_a, posed_b, true, reach);
    add_edges(posed_b, posed_a, false, reach);
  }
  if (candidates_.empty()) return;
  agree_on_normal(posed_a, posed_b, reach);
  reduce(reach, before);
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& x, const Candidate& y) { return x.feature < y.feature; });
  for (const Candidate& candidate : candidates_) {
    const PosedCollider& solid = candidate.visitor_is_a ? posed_b : posed_a;
    const PosedCollider& visitor = candidate.visitor_is_a ? posed_a : posed_b;
    Contact contact;
    contact.a = a;
    contact.b = b;
    contact.feature = candidate.feature;
    contact.gap = candidate.gap;
    contact.normal = candidate.visitor_is_a ? candidate.normal : Vec3(-candidate.normal);
    contact.place = candidate.visitor - candidate.gap / 2 * candidate.normal;
    const BodyPoint own =
        visitor.soft() ? candidate.visiting : RigidBody::point(visitor.to_local(candidate.visitor));
    const BodyPoint other = solid.point_of(candidate.hit);
    contact.point_a = candidate.visitor_is_a ? own : other;
    contact.point_b = candidate.visitor_is_a ? other : own;
    contacts.push_back(contact);
  }
}

}  // namespace limber
