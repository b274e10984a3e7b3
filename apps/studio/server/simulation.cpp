#include "server/simulation.h"

#include "limber/core/error.h"

namespace limber::studio {

SavedScene Simulation::saved_scene() const {
  throw Error("this scene cannot be saved as a project", title(), "save a recording instead");
}

}  // namespace limber::studio
