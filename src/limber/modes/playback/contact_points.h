// Which vertices of a surface stand for it in contact, in the order of their importance (rank).
//
// Support points in 26 directions first: corners before edges before faces, so that a box is held
// by its corners; then, one after another, the vertex farthest from all taken so far. A prefix of
// the list is thus a good choice for every count. Baked files hold the list, which takes longer to
// find than to read.
#pragma once

#include <vector>

#include "limber/core/types.h"

namespace limber {

constexpr int kContactPoints = 256;

/// Vertex numbers, at most `count`, only of vertices that a triangle uses; always the same for the
/// same surface.
[[nodiscard]] std::vector<std::int32_t> choose_contact_points(
    const Eigen::Ref<const Positions>& vertices, const Eigen::Ref<const Triangles>& triangles,
    int count = kContactPoints);

}  // namespace limber
