#include "server/parse_joints.h"

#include "server/joint_edits.h"

namespace limber::studio {

namespace {

JointSide read_joint_side(const Fields& f, const char* key) {
  JointSide side;
  if (f.at(key).is_null()) return side;
  const Fields of = f.object(key);
  if (of.has("obstacle")) {
    side.obstacle = of.integer("obstacle", 0, kMostBodies);
  } else {
    side.body = of.integer("body", 0, kMostBodies);
  }
  return side;
}

}  // namespace

Command read_new_joint(const Fields& f) {
  NewJoint joint;
  joint.kind = f.text("kind", 20);
  if (joint.kind != "ball" && joint.kind != "hinge" && joint.kind != "weld" &&
      joint.kind != "slider" && joint.kind != "distance") {
    Fields::refuse("kind", "is none of ball, hinge, weld, slider, distance");
  }
  joint.sides = {read_joint_side(f, "a"), read_joint_side(f, "b")};
  joint.at = f.vector("at", kFar);
  if (joint.kind == "distance") joint.to = f.vector("to", kFar);
  return command::Edit{"Add a " + joint.kind, add_joint(joint)};
}

Command read_joint_change(const Fields& f) {
  JointChange change;
  if (f.has("at")) change.at = f.vector("at", kFar);
  if (f.has("to")) change.to = f.vector("to", kFar);
  if (f.has("axis")) change.axis = f.vector("axis", kFar);
  if (f.has("radius")) change.radius = f.number("radius", 0, kFar);
  if (f.has("break_force")) change.break_force = f.number("break_force", 0, kStrong);
  if (f.has("limits")) {
    change.limits = f.numbers("limits", 0, 2, -kFar, kFar);
    if (change.limits->size() == 1) Fields::refuse("limits", "are two numbers or none");
  }
  if (f.has("collide")) change.collide = f.boolean("collide");
  return command::Edit{"Change a joint", change_joint(f.integer("joint", 0, kMostBodies), change)};
}

Command read_joint_removal(const Fields& f) {
  return command::Edit{"Delete a joint", remove_joint(f.integer("joint", 0, kMostBodies))};
}

}  // namespace limber::studio
