// What a person should know about a mesh just made, in words.
#pragma once

#include <string>
#include <vector>

#include "limber/mesh/tetrahedralize/body_mesher.h"

namespace limber {

std::vector<std::string> warnings_about(const TetrahedralizeReport& report,
                                        const std::vector<BodyMesh>& meshes,
                                        const TetrahedralizeOptions& options);

}  // namespace limber
