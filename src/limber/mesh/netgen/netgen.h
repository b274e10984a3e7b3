// Netgen as a second way from a closed surface to tets, for those who want the meshes that papers
// use. Netgen (LGPL) is run as a program of its own where it is installed; Limber does not link it.
#pragma once

#include <string>

#include "limber/mesh/tetrahedralize/tetrahedralize.h"

namespace limber {

struct NetgenOptions {
  int cells = 0;         ///< no edge longer than the longest side over this; 0: kDefaultCells
  double seconds = 120;  ///< Netgen is stopped then
  std::string program = "netgen";
  Progress progress;
};

/// Pieces that lie apart get a region each, as from tetrahedralize(). Throws Error when the surface
/// has holes, crosses itself or is not manifold, and (work_failed) when Netgen is not installed,
/// takes too long, gives up, or leaves more than a tenth of the solid out.
Tetrahedralized netgen_mesh(const TriMesh& surface, const NetgenOptions& options = {});

}  // namespace limber
