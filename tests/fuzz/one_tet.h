// The smallest baked body.
#pragma once

#include <string>

#include "limber/modes/playback/baked_file.h"

namespace limber::fuzz {

/// The bytes of its file.
[[nodiscard]] std::string one_tet_file(Precision precision);

}  // namespace limber::fuzz
