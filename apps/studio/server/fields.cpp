#include "server/fields.h"

namespace limber::studio {

namespace {

Hand::Kind hand_kind(const std::string& name) {
  if (name == "position") return Hand::Kind::position;
  if (name == "orientation") return Hand::Kind::orientation;
  if (name == "both") return Hand::Kind::both;
  Fields::refuse("kind", "is none of position, orientation, both");
}

}  // namespace

Hand read_hand(const Fields& f) {
  return {f.integer("id", 0, kAnyId),
          f.integer("body", 0, kMostBodies),
          f.integer("vertex", 0, kMostVertices),
          hand_kind(f.text("kind", 20)),
          f.vector("target", kFar),
          f.vector("rotation", kFar),
          f.boolean("pinned")};
}

Curve read_curve(const Fields& f) {
  Curve curve{f.numbers("at", 1, kMostPoints, 0, 1), f.numbers("value", 1, kMostPoints, -1, 1)};
  if (curve.at.size() != curve.value.size())
    Fields::refuse("value", "has another length than `at`");
  for (std::size_t i = 1; i < curve.at.size(); ++i) {
    if (!(curve.at[i] > curve.at[i - 1])) Fields::refuse("at", "does not ascend");
  }
  return curve;
}

MotionCurves read_curves(const Fields& f) {
  MotionCurves curves{read_curve(f.object("frequency")), read_curve(f.object("damping")),
                      read_curve(f.object("weight"))};
  if (f.has("share")) curves.share = read_curve(f.object("share"));  // projects of 0.2 have none
  return curves;
}

json as_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

json as_json(const Hand& hand) {
  const char* kinds[] = {"position", "orientation", "both"};
  return {{"id", hand.id},
          {"body", hand.body},
          {"vertex", hand.vertex},
          {"kind", kinds[static_cast<int>(hand.kind)]},
          {"target", as_json(hand.target)},
          {"rotation", as_json(hand.rotation)},
          {"pinned", hand.pinned}};
}

json as_json(const Curve& curve) { return {{"at", curve.at}, {"value", curve.value}}; }

}  // namespace limber::studio
