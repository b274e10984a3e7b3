#include "server/simulation.h"

#include "limber/core/error.h"

namespace limber::studio {

SavedScene Simulation::saved_scene() const {
  throw Error("this scene cannot be saved as a project", title(), "save a recording instead");
}

Simulation::CageJob Simulation::cage(int /*body*/, int /*cells*/) const {
  throw Error("this scene has no tetrahedra to show", title(), "open a mesh");
}

}  // namespace limber::studio
