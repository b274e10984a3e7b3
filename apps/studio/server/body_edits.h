// What people make of a body on the page, as changes of the scene's document: how finely it is
// filled, and what a brush paints on its surface.
#pragma once

#include "server/scene_edits.h"

namespace limber::studio {

/// Filled by so many cells along its longest side. Throws Error for a body with tets of its own.
[[nodiscard]] SceneEdit fill_body(int body, int cells);

/// Vertices of its surface held, or let go: `"fixed": ["vertices:…"]`. What the scene selected
/// before goes on as the vertices that it held.
[[nodiscard]] SceneEdit paint_fixed(int body, std::vector<int> vertices, bool fixed);

/// Vertices under which it has another Young's modulus (Pa): `"regions": {"vertices:…": …}`. None
/// brings the body's own back.
[[nodiscard]] SceneEdit paint_young(int body, std::vector<int> vertices,
                                    std::optional<double> young);

}  // namespace limber::studio
