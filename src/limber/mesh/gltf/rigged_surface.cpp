#include "limber/mesh/gltf/rigged_surface.h"

#include <cmath>
#include <map>
#include <set>

#include "limber/core/error.h"
#include "limber/core/names.h"
#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/gltf/gltf_cast.h"
#include "limber/mesh/gltf/gltf_looks.h"

namespace limber {

namespace {
/// The materials that the triangles name, in the order of their first use.
class UsedMaterials {
 public:
  UsedMaterials(const GltfDocument& document, RawSurface& raw)
      : document_(document), looks_(document), raw_(raw) {}

  int number(std::size_t material) {
    const auto known = known_.find(material);
    if (known != known_.end()) return known->second;
    std::string name = "default";
    SurfaceLook look;
    if (material != GltfDocument::kNone) {
      const nlohmann::json& described = document_.item("materials", material);
      name = GltfDocument::name(described, "material " + std::to_string(material));
      look = looks_.look(described);
    }
    raw_.material_names.push_back(std::move(name));
    raw_.looks.push_back(std::move(look));
    return known_[material] = static_cast<int>(raw_.material_names.size()) - 1;
  }
  [[nodiscard]] std::size_t pictures_left_out() const { return looks_.left_out(); }

 private:
  const GltfDocument& document_;
  GltfLooks looks_;
  RawSurface& raw_;
  std::map<std::size_t, int> known_;
};

void add_corners(const Showing& showing, bool mirrored, UsedMaterials& materials, RawSurface& raw) {
  const CastMesh& cast = *showing.shown;
  const auto first_pair = static_cast<std::int64_t>(raw.uv.size() / 2);
  for (const float number : cast.mesh.uv) raw.uv.push_back(std::isnan(number) ? 0 : number);
  for (std::size_t f = 0; f < cast.mesh.materials.size(); ++f) {
    for (const std::size_t c : {0, mirrored ? 2 : 1, mirrored ? 1 : 2}) {
      const std::int64_t vertex = cast.mesh.corners[3 * f + c];
      const bool has_uv = !std::isnan(cast.mesh.uv[2 * static_cast<std::size_t>(vertex)]);
      raw.corners.push_back(showing.first_vertex + cast.companion[vertex]);
      raw.uv_corners.push_back(has_uv ? first_pair + vertex : RawSurface::kNoUv);
    }
    raw.materials.push_back(materials.number(cast.mesh.materials[f]));
  }
}

/// The vertices as the file has them. Normals count only where every mesh has them.
void add_file_vertices(const Showing& showing, bool mirrored, RawSurface& raw) {
  const CastMesh& cast = *showing.shown;
  const auto first = static_cast<std::int32_t>(raw.file_vertices.size());
  for (const int kept : cast.companion) raw.file_vertices.push_back(showing.first_vertex + kept);
  raw.file_normals.insert(raw.file_normals.end(), cast.mesh.normals.begin(),
                          cast.mesh.normals.end());
  raw.file_second_uv.resize(2 * static_cast<std::size_t>(first), 0.0F);
  raw.file_second_uv.insert(raw.file_second_uv.end(), cast.mesh.second_uv.begin(),
                            cast.mesh.second_uv.end());
  raw.file_colours.resize(4 * static_cast<std::size_t>(first), 1.0F);
  raw.file_colours.insert(raw.file_colours.end(), cast.mesh.colours.begin(),
                          cast.mesh.colours.end());
  for (std::size_t f = 0; f < cast.mesh.materials.size(); ++f) {
    for (const std::size_t c : {0, mirrored ? 2 : 1, mirrored ? 1 : 2}) {
      raw.file_corners.push_back(first + static_cast<std::int32_t>(cast.mesh.corners[3 * f + c]));
    }
  }
}

void add_colours(const Showing& showing, RawSurface& raw) {
  const CastMesh& cast = *showing.shown;
  for (const int vertex : cast.kept) {
    for (int c = 0; c < 3; ++c) {
      raw.colours.push_back(cast.mesh.colours.empty() ? 1.0F : cast.mesh.colours[4 * vertex + c]);
    }
  }
}

RawSurface surface_at_rest(const GltfDocument& document, const GltfNodes& nodes,
                           const GltfCast& cast) {
  RawSurface raw;
  const Positions rest = cast.posed(nodes.rest());
  raw.coordinates.assign(rest.data(), rest.data() + rest.size());
  const std::vector<Eigen::Affine3d> world = nodes.world(nodes.rest());
  UsedMaterials materials(document, raw);
  bool coloured = false;
  bool second_uv = false;
  std::set<const CastMesh*> seen;
  for (const Showing& showing : cast.showings()) {
    const bool mirrored = cast.is_mirrored(showing, world);
    add_corners(showing, mirrored, materials, raw);
    add_file_vertices(showing, mirrored, raw);
    second_uv = second_uv || !showing.shown->mesh.second_uv.empty();
    add_colours(showing, raw);
    coloured = coloured || !showing.shown->mesh.colours.empty();
    if (seen.insert(showing.shown).second && showing.shown->mesh.groups_left_out > 0) {
      raw.skipped["groups of points or lines"] +=
          static_cast<std::int64_t>(showing.shown->mesh.groups_left_out);
    }
  }
  if (materials.pictures_left_out() > 0) {
    raw.skipped["maps of materials whose pictures could not be read"] =
        static_cast<std::int64_t>(materials.pictures_left_out());
  }
  if (!coloured) raw.colours.clear();
  if (raw.file_normals.size() != 3 * raw.file_vertices.size()) raw.file_normals.clear();
  raw.file_colours.resize(coloured ? 4 * raw.file_vertices.size() : 0, 1.0F);
  raw.file_second_uv.resize(second_uv ? 2 * raw.file_vertices.size() : 0, 0.0F);
  if (document.item_count("materials") == 0) {
    raw.material_names.clear();
    raw.looks.clear();
  }
  return raw;
}

std::vector<int> joints_of(const GltfCast& cast) {
  std::set<int> joints;
  for (const GltfSkin& skin : cast.skins()) joints.insert(skin.joints.begin(), skin.joints.end());
  return {joints.begin(), joints.end()};
}
}  // namespace

RiggedSurface::RiggedSurface(std::string_view bytes, const std::string& file_name, ReadNotes& notes)
    : file_name_(file_name) {
  try {
    const GltfDocument document(bytes, file_name);
    nodes_ = std::make_unique<const GltfNodes>(document);
    cast_ = std::make_unique<const GltfCast>(document, *nodes_);
    std::size_t channels_left_out = 0;
    clips_ = read_clips(document, *nodes_, channels_left_out);
    joints_ = joints_of(*cast_);
    surface_ = finish(surface_at_rest(document, *nodes_, *cast_), file_name, notes);
    if (document.json().value("/extensions/KHR_materials_variants"_json_pointer,
                              nlohmann::json()) != nullptr) {
      notes.remarks.emplace_back("left out variants of materials");
    }
    if (channels_left_out > 0) {
      notes.remarks.push_back("left out " + std::to_string(channels_left_out) +
                              " channels of clips that move neither nodes nor morph targets");
    }
  } catch (const nlohmann::json::exception&) {
    throw Error("damaged JSON", file_name, "the file is damaged, export it again");
  }
}

RiggedSurface::RiggedSurface(RiggedSurface&&) noexcept = default;
RiggedSurface& RiggedSurface::operator=(RiggedSurface&&) noexcept = default;
RiggedSurface::~RiggedSurface() = default;

RiggedSurface RiggedSurface::read(const std::filesystem::path& path, ReadNotes* notes) {
  if (path.extension() != ".glb" && path.extension() != ".gltf") {
    throw Error("only .glb and .gltf files have clips", path.string(),
                "export the rigged surface as .glb");
  }
  ReadNotes unwanted;
  const FileBytes file(path);
  return RiggedSurface(file.text(), path.string(), notes != nullptr ? *notes : unwanted);
}

const GltfClip& RiggedSurface::clip(const std::string& name) const {
  std::vector<std::string> names;
  for (const GltfClip& clip : clips_) names.push_back(clip.name);
  const int found = find_by_name(names, name);
  if (found >= 0) return clips_[found];
  throw Error("no clip \"" + name + "\"", file_name_,
              names.empty() ? "the file has none: export it with its animations"
                            : "it has " + listed(names));
}

Positions RiggedSurface::sample(const GltfClip& clip, double time) const {
  GltfPose pose = nodes_->rest();
  clip.apply(time, pose);
  Positions positions = cast_->posed(pose);
  if (!positions.allFinite()) {
    throw Error("clip \"" + clip.name + "\" moves vertices beyond all bounds", file_name_,
                "the file is damaged, export it again");
  }
  return positions;
}

std::vector<Eigen::Affine3d> RiggedSurface::frames() const { return nodes_->world(nodes_->rest()); }

std::vector<Eigen::Affine3d> RiggedSurface::frames(const GltfClip& clip, double time) const {
  GltfPose pose = nodes_->rest();
  clip.apply(time, pose);
  return nodes_->world(pose);
}

}  // namespace limber
