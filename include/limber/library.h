// All of Limber in one include: link limber::limber. Meshes are read, made, checked and written,
// bodies baked, scenes run, poses interpolated, animations written; and limber/runtime.h.
#pragma once

#include "limber/export/animation.h"
#include "limber/interpolate/motion/shape_interpolation.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/select.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"
#include "limber/mesh/write_mesh.h"
#include "limber/modes/bake.h"
#include "limber/runtime.h"
#include "limber/scene/scene_world.h"
