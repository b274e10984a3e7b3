#include "scene_files.h"

namespace limber {

std::vector<std::filesystem::path> files_of(const SceneDescription& scene,
                                            const std::filesystem::path& scene_file) {
  std::vector<std::filesystem::path> files{scene_file};
  for (const BodyDescription& body : scene.bodies) {
    for (const auto& path : {body.mesh, body.baked, body.surface}) {
      if (!path.empty()) files.push_back(path);
    }
  }
  return files;
}

}  // namespace limber
