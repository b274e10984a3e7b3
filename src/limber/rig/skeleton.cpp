#include "limber/rig/skeleton.h"

#include "limber/core/error.h"
#include "limber/core/names.h"
#include "limber/mesh/formats/scanner.h"
#include "limber/rig/bvh.h"
#include "limber/rig/gltf_skeleton.h"

namespace limber {

namespace {
template <class Items>
int number_of(const Items& items, const std::string& kind, const std::string& name,
              const std::string& file_name) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  const int found = find_by_name(names, name);
  if (found >= 0) return found;
  throw Error("no " + kind + " \"" + name + "\"", file_name,
              names.empty() ? "the file has none" : "it has " + listed(names));
}
}  // namespace

Skeleton::Skeleton(std::string file_name, std::vector<Bone> bones, std::vector<SkeletonClip> clips)
    : file_name_(std::move(file_name)), bones_(std::move(bones)), clips_(std::move(clips)) {}
Skeleton::~Skeleton() = default;

int Skeleton::bone(const std::string& name) const {
  return number_of(bones_, "bone", name, file_name_);
}

int Skeleton::clip(const std::string& name) const {
  return number_of(clips_, "clip", name, file_name_);
}

std::unique_ptr<const Skeleton> read_skeleton(const std::filesystem::path& path, double scale) {
  if (!(scale > 0 && scale < 1e12)) {
    throw Error("a skeleton's scale must be positive", path.string(), "give 0.01 for centimetres");
  }
  const std::string ending = lower_case(path.extension().string());
  if (ending == ".bvh") return read_bvh(path, scale);
  if (ending == ".glb" || ending == ".gltf") return gltf_skeleton(path, scale);
  throw Error("not a file with a skeleton: " + in_quotes(ending), path.string(),
              "use .glb, .gltf or .bvh");
}

}  // namespace limber
