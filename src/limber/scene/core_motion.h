// How a rigid core (a bone) moves that no keyframes move: hung on a hand by a spring, or turning
// about an axis (Müller et al. 2002, sections 4.3 and 4.4).
//
// The core carries the mass of the whole body, as if its skin were rigid too: skin and core then
// never fight over a time step. The skin feels the core's motion exactly.
#pragma once

#include "limber/dynamics/frame/frame_motion.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/scene/scene_file.h"

namespace limber {

/// The frame from time 0 to the end of the scene; `core` has a hand or an axis. Throws Error when
/// the spring is too stiff for the body's mass.
[[nodiscard]] SupportMotion core_motion(const CoreDescription& core, const TetMesh& mesh,
                                        const Materials& materials, const SceneDescription& scene,
                                        const std::string& where);

}  // namespace limber
