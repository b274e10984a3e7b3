// All that playing baked bodies needs, in one include: link limber::runtime, which needs Eigen and
// Highway alone. Worlds, bodies and their handles, surfaces for drawing. docs/embedding.md has a
// whole program.
#pragma once

#include "limber/constraint/make_body.h"
#include "limber/core/error.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/skin/skin.h"
#include "limber/skin/triangle_normals.h"
#include "limber/world/world.h"
