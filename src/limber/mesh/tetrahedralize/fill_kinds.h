// The choices there are in filling a surface.
#pragma once

#include <string_view>

namespace limber {

enum class FillMode {
  automatic,  ///< conforming where the surface bounds a solid that the lattice resolves, else cage
  cage,       ///< whole lattice cells around the surface
  conforming  ///< tets that end at the surface
};

enum class InsideTest {
  winding_number,  ///< the surface winds round the point more than half, or a sheet is near
  flood_fill       ///< the surface is near, or the point cannot be reached from outside
};

/// How open surfaces are treated.
enum class OpenSurfaces {
  automatic,  ///< filled when nearly closed, else thickened
  fill,
  thicken
};

std::string_view name(FillMode mode);
std::string_view name(InsideTest test);

}  // namespace limber
