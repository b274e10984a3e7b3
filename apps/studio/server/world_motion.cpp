// Key poses of a scene's first body, and the motion between them.
#include "limber/core/error.h"
#include "server/world_simulation.h"

namespace limber::studio {

Positions WorldSimulation::pose_from_file(const std::filesystem::path& path) const {
  throw Error("poses cannot be read in this version", path.filename().string(),
              "pull the body into shape instead");
}

Simulation::MotionJob WorldSimulation::make_motion(std::vector<Positions>, std::vector<double>,
                                                   int) const {
  return [](const Progress&) -> std::unique_ptr<PoseMotion> {
    throw Error("shape interpolation is not part of this version", "poses", "record a motion");
  };
}

}  // namespace limber::studio
