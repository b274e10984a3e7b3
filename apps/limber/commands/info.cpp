// limber info: what a file holds.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "limber/core/printable.h"
#include "limber/export/point_cache.h"
#include "limber/mesh/describe.h"
#include "limber/mesh/gltf/rigged_surface.h"
#include "limber/mesh/read_mesh.h"
#include "limber/modes/modal_analysis.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/rig/skeleton.h"
#include "limber/scene/json_writer.h"
#include "limber/scene/scene_file.h"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;

struct InfoArguments {
  std::filesystem::path file;
  bool json = false;
};

Json as_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json as_json(const MeshBounds& bounds) {
  return {{"min", as_json(bounds.low)}, {"max", as_json(bounds.high)}};
}

Json as_json(const SurfaceTopology& topology) {
  return {{"closed", topology.closed},
          {"manifold", topology.manifold},
          {"oriented", topology.oriented},
          {"boundary_edges", topology.boundary_edges},
          {"non_manifold_edges", topology.non_manifold_edges},
          {"non_manifold_vertices", topology.non_manifold_vertices},
          {"components", topology.components},
          {"euler_characteristic", topology.euler_characteristic},
          {"area", topology.area},
          {"volume", topology.volume}};
}

Json describe_file(const TetMesh& mesh, const ReadNotes& notes) {
  const TetMeshDescription d = describe(mesh);
  Json regions = Json::array();
  for (const RegionDescription& region : d.regions) {
    regions.push_back(
        {{"region", region.number}, {"tets", region.tets}, {"volume", region.volume}});
  }
  Json materials = Json::object();
  for (const auto& [region, material] : notes.materials) {
    materials[std::to_string(region)] = {
        {"young", material.young}, {"poisson", material.poisson}, {"density", material.density}};
  }
  Json remarks = notes.remarks;
  if (d.crowded_faces > 0) {
    remarks.push_back(fmt::format(
        "{} faces belong to more than two tets: cells that a cage holds twice, to keep near parts "
        "apart, meet in them",
        d.crowded_faces));
  }
  return {{"kind", "tet mesh"},
          {"nodes", d.nodes},
          {"tets", d.tets},
          {"turned_tets", notes.turned_tets},
          {"unused_nodes", d.unused_nodes},
          {"duplicate_nodes", d.duplicate_nodes},
          {"parts", d.parts},
          {"faces_of_copied_cells", d.crowded_faces},
          {"bounds", as_json(d.bounds)},
          {"volume", d.quality.volume},
          {"quality",
           {{"min_volume", d.quality.min_volume},
            {"min_dihedral_degrees", d.quality.min_dihedral_degrees},
            {"max_dihedral_degrees", d.quality.max_dihedral_degrees},
            {"worst_radius_ratio", d.quality.worst_radius_ratio},
            {"worst_tet", d.quality.worst_tet}}},
          {"regions", regions},
          {"materials", materials},
          {"surface_vertices", d.surface_vertices},
          {"surface_triangles", d.surface_triangles},
          {"closed", d.surface.closed},
          {"manifold", d.surface.manifold},
          {"surface", as_json(d.surface)},
          {"remarks", remarks}};
}

Json describe_file(const TriMesh& mesh, const ReadNotes& notes) {
  const SurfaceDescription d = describe(mesh);
  return {{"kind", "surface"},
          {"vertices", d.vertices},
          {"triangles", d.triangles},
          {"unused_vertices", d.unused_vertices},
          {"duplicate_vertices", d.duplicate_vertices},
          {"bounds", as_json(d.bounds)},
          {"area", d.topology.area},
          {"volume", d.topology.volume},
          {"closed", d.topology.closed},
          {"manifold", d.topology.manifold},
          {"surface", as_json(d.topology)},
          {"uv", d.has_uv || d.has_uv_seams},
          {"colours", d.has_colours},
          {"materials", d.materials},
          {"remarks", notes.remarks}};
}

/// Clips and bones, where the surface is a rigged one.
Json describe_rigged(const std::filesystem::path& path) {
  ReadNotes notes;
  const RiggedSurface rig = RiggedSurface::read(path, &notes);
  Json clips = Json::array();
  for (const GltfClip& clip : rig.clips()) {
    clips.push_back({{"name", clip.name},
                     {"from", clip.first},
                     {"to", clip.last},
                     {"frame_rate", clip.frame_rate}});
  }
  Json bones = Json::array();
  for (const int joint : rig.joints()) bones.push_back(rig.nodes().nodes()[joint].name);
  Json description = describe_file(rig.surface(), notes);
  description["file_vertices"] = rig.surface().file.vertex.size();
  description["clips"] = clips;
  description["bones"] = bones;
  return description;
}

Json describe_skeleton(const std::filesystem::path& path) {
  const std::unique_ptr<const Skeleton> skeleton = read_skeleton(path);
  Json bones = Json::array();
  for (const Bone& bone : skeleton->bones()) bones.push_back(bone.name);
  const SkeletonClip& clip = skeleton->clips().front();
  return {{"kind", "skeleton"},
          {"bones", bones},
          {"clips",
           {{{"name", clip.name},
             {"from", clip.first},
             {"to", clip.last},
             {"frame_rate", clip.frame_rate}}}}};
}

Json describe_baked(const std::filesystem::path& path) {
  const BakedBody baked = read_baked(path);
  const ModalModel& body = baked.body;
  Json modes = Json::array();
  for (const double eigenvalue : body.eigenvalues()) {
    modes.push_back({{"eigenvalue", eigenvalue}, {"frequency_hz", frequency_hz(eigenvalue)}});
  }
  return {{"kind", "baked body"},
          {"nodes", body.node_count()},
          {"tets", body.tet_count()},
          {"fixed_nodes", body.fixed_nodes.size()},
          {"rigid_modes", body.rigid_modes},
          {"max_residual", body.max_residual},
          {"surface_vertices", body.surface.vertex_count()},
          {"surface_triangles", body.surface.triangles.size() / 3},
          {"storage", baked.surface.precision == Precision::int16 ? "int16" : "float32"},
          {"material",
           {{"young", body.material.young},
            {"poisson", body.material.poisson},
            {"density", body.material.density}}},
          {"bounds", as_json(mesh_bounds(body.rest_positions()))},
          {"modes", modes}};
}

Json describe_scene(const std::filesystem::path& path) {
  const SceneDescription scene = read_scene(path);
  Json bodies = Json::array();
  for (const BodyDescription& body : scene.bodies) {
    const std::string source = !body.mesh.empty()    ? body.mesh.string()
                               : !body.baked.empty() ? body.baked.string()
                               : body.shape          ? body.shape->shape
                                                     : body.surface.string();
    bodies.push_back({{"name", body.name},
                      {"source", source},
                      {"method", name_of(body.method)},
                      {"constraints", body.constraints.size()},
                      {"forces", body.forces.size()},
                      {"support_keys", body.support.size()}});
  }
  return {{"kind", "scene"},
          {"time_step", scene.time_step},
          {"duration", scene.duration},
          {"bodies", bodies}};
}

Json describe_cache(const std::filesystem::path& path) {
  const PointCacheInfo info = read_point_cache_info(path);
  const bool any = !info.times.empty();
  return {{"kind", "point cache"},
          {"format", info.format},
          {"points", info.points},
          {"frames", info.times.size()},
          {"first_time", any ? info.times.front() : 0.0},
          {"last_time", any ? info.times.back() : 0.0},
          {"bounds", {{"min", as_json(info.low)}, {"max", as_json(info.high)}}}};
}

Json describe_any(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".limber") return describe_baked(path);
  if (ending == ".json") return describe_scene(path);
  if (is_point_cache(path)) return describe_cache(path);
  if (ending == ".glb" || ending == ".gltf") return describe_rigged(path);
  if (ending == ".bvh") return describe_skeleton(path);
  ReadNotes notes;
  return std::visit([&](const auto& mesh) { return describe_file(mesh, notes); },
                    read_mesh(path, &notes));
}

/// Names come from files: a terminal must not obey them.
std::string text_of(const Json& value) {
  return printable(value.is_string() ? value.get<std::string>() : json_text(value, "info", -1));
}

/// "key: value" lines, nested objects indented, lists of objects as one line each.
void print_readable(const Json& json, int indent) {
  for (const auto& [key, value] : json.items()) {
    const std::string margin(indent, ' ');
    const std::string label = key;
    if (value.is_object()) {
      fmt::print("{}{}:\n", margin, label);
      print_readable(value, indent + 2);
    } else if (value.is_array() && !value.empty() && value.front().is_object()) {
      fmt::print("{}{}:\n", margin, label);
      for (const Json& item : value) fmt::print("{}  {}\n", margin, text_of(item));
    } else {
      fmt::print("{}{}: {}\n", margin, label, text_of(value));
    }
  }
}

}  // namespace

void add_info(CLI::App& app, const Session&) {
  CLI::App& command =
      add_command(app, "info", "What a mesh, rig, baked body, scene or point cache holds",
                  "limber info bunny.vtu\n  limber info fox.glb");
  auto options = std::make_shared<InfoArguments>();
  command.add_option("FILE", options->file, "Mesh, .bvh, .limber, .json scene, .mdd or .pc2")
      ->required();
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([options] {
    const Json description = describe_any(options->file);
    if (options->json) {
      fmt::print("{}\n", json_text(description, options->file.string()));
    } else {
      print_readable(description, 0);
    }
  });
}

}  // namespace limber
