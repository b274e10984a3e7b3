// A clamped bar with its modes, for tests of everything that plays bodies.
#pragma once

#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "limber/modes/bake.h"

namespace limber {

/// Choi & Ko's bar (99 nodes, 240 tets, 1×0.2×0.2 m), clamped at x = 0.
inline ModalModel baked_bar(int modes, const Material& material = {2e5, 0.3, 1000}) {
  const TetMesh mesh = bar({1, 0.2, 0.2}, {10, 2, 2});
  return bake(mesh, material, select_nodes(mesh, "x<=0.001"), {modes});
}

/// The node of that bar nearest to a point.
inline int bar_node(const ModalModel& body, const Vec3& point) {
  return nearest_node(Positions(body.rest_positions()), point);
}

}  // namespace limber
