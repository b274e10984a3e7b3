// The characters as solids of about unit height.
#pragma once

#include "limber/mesh/characters/implicit.h"

namespace limber {

[[nodiscard]] Implicit flubber_solid();
[[nodiscard]] Implicit dino_solid();
[[nodiscard]] Implicit elephant_solid();
[[nodiscard]] Implicit bird_solid();
[[nodiscard]] Implicit bunny_solid();
[[nodiscard]] Implicit belly_solid();
[[nodiscard]] Implicit jelly_box_solid();
[[nodiscard]] Implicit tube_solid();
[[nodiscard]] Implicit brain_solid();
[[nodiscard]] Implicit hat_solid();
[[nodiscard]] Implicit bowl_solid();

}  // namespace limber
