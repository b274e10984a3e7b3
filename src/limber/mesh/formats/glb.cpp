#include "limber/mesh/formats/glb.h"

#include "limber/mesh/gltf/rigged_surface.h"

namespace limber {

TriMesh read_glb(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  return RiggedSurface(bytes, file_name, notes).surface();
}

}  // namespace limber
