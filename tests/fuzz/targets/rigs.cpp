// Rigged glTF files with clips and whole materials, and BVH files.
#include <stdexcept>

#include "fuzz/target.h"
#include "limber/mesh/gltf/rigged_surface.h"
#include "limber/rig/bvh.h"
#include "mesh/rigged_files.h"
#include "rig/arm_file.h"

namespace limber::fuzz {
namespace {

void expect_finite(const Positions& positions, Eigen::Index rows) {
  if (!positions.allFinite() || positions.rows() != rows) throw std::logic_error("a pose");
}

/// The rod with a morph target and a material of a picture, a sampler and extensions.
std::string painted_rod() {
  GlbParts rod = bent_rod();
  const int lift = rod.floats(std::vector<float>(18, 2), "VEC3", 3);
  const int uv = rod.floats(std::vector<float>(12, 0.5F), "VEC2", 2);
  nlohmann::json& primitive = rod.json["meshes"][0]["primitives"][0];
  primitive["targets"] = {{{"POSITION", lift}}};
  primitive["attributes"]["TEXCOORD_0"] = uv;
  primitive["material"] = 0;
  rod.json["meshes"][0]["weights"] = {0.5};
  rod.json["materials"] = nlohmann::json::parse(R"([{"name": "m", "alphaMode": "MASK",
      "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0.5},
      "normalTexture": {"index": 0, "texCoord": 0, "scale": 0.5},
      "extensions": {"KHR_materials_transmission": {"transmissionTexture": {"index": 0}}}}])");
  rod.json["textures"] = {{{"source", 0}, {"sampler", 0}}};
  rod.json["samplers"] = {{{"wrapS", 33071}}};
  rod.json["images"] = {{{"uri", "data:image/png;base64,iVBORw0KGgo="}}};
  return rod.file();
}

const Register kRig({"rig",
                     [](std::string_view bytes) {
                       ReadNotes notes;
                       const RiggedSurface rig(bytes, "rig", notes);
                       const Eigen::Index rows = rig.surface().V.rows();
                       expect_finite(rig.surface().V, rows);
                       for (const GltfClip& clip : rig.clips()) {
                         expect_finite(rig.sample(clip, 0.3), rows);
                       }
                     },
                     [] {
                       return std::vector{bent_rod().file(), painted_rod()};
                     }});

const Register kBvh({"bvh",
                     [](std::string_view bytes) {
                       const auto skeleton = read_bvh(bytes, "bvh");
                       for (const Eigen::Affine3d& frame : skeleton->frames(0, 0.3)) {
                         if (!frame.matrix().allFinite()) throw std::logic_error("a bone");
                       }
                     },
                     [] { return std::vector{kArm}; }});

}  // namespace
}  // namespace limber::fuzz
