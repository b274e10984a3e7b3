// limber mesh: a tetrahedral mesh around or inside any surface.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/commands.h"
#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/output_unit.h"
#include "limber/mesh/netgen/netgen.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/select.h"
#include "limber/mesh/tetrahedralize/tetrahedralize.h"
#include "limber/mesh/write_mesh.h"
#include "limber/scene/json_writer.h"
#include "messages.h"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;

struct MeshArguments {
  std::filesystem::path surface;
  std::filesystem::path out;
  std::filesystem::path report;
  std::vector<std::string> refine;
  int levels = 1;
  bool uniform = false;
  bool fuse = false;
  bool netgen = false;
  double time_limit = NetgenOptions{}.seconds;
  TetrahedralizeOptions fill;
};

Json as_json(const TetrahedralizeReport& r, bool netgen) {
  return {{"backend", netgen ? "netgen" : "limber"},
          {"surface",
           {{"vertices", r.vertices},
            {"triangles", r.triangles},
            {"parts", r.parts},
            {"bodies", r.bodies},
            {"fused", r.fused},
            {"holes", r.holes},
            {"boundary_edges", r.boundary_edges},
            {"non_manifold_edges", r.non_manifold_edges},
            {"self_intersections", r.self_intersections},
            {"degenerate_triangles", r.degenerate_triangles},
            {"duplicate_triangles", r.duplicate_triangles},
            {"turned_triangles", r.turned_triangles},
            {"sheet_parts", r.sheet_parts},
            {"volume", r.surface_volume}}},
          {"mode", name(r.mode)},
          {"inside_test", name(r.inside_test)},
          {"cell", r.cell},
          {"cells", r.cells},
          {"tets", r.tets},
          {"nodes", r.nodes},
          {"pieces", r.pieces},
          {"copied_tets", r.copied_tets},
          {"islands_removed", r.islands_removed},
          {"volume", r.volume},
          {"volume_ratio", r.surface_volume > 0 ? Json(r.volume / r.surface_volume) : Json()},
          {"min_dihedral_degrees", r.min_dihedral_degrees},
          {"max_dihedral_degrees", r.max_dihedral_degrees},
          {"surface_distance", r.surface_distance},
          {"unresolved_share", r.unresolved_share},
          {"bound_vertices", r.vertices},
          {"vertices_outside", r.vertices_outside},
          {"worst_extrapolation", r.worst_extrapolation},
          {"seconds", r.seconds},
          {"warnings", r.warnings}};
}

void print_summary(const TetrahedralizeReport& r) {
  fmt::print("{}: {} tets, {} nodes, {:.4g} cells of {:.4g} m along the longest side, {:.2f} s\n",
             name(r.mode), r.tets, r.nodes, r.cells, r.cell, r.seconds);
  fmt::print("dihedral angles {:.1f}° to {:.1f}°, volume {:.6g} m³", r.min_dihedral_degrees,
             r.max_dihedral_degrees, r.volume);
  // Beyond a factor of ten a percentage tells nothing: the surface is sheets, not a solid.
  const double ratio = r.surface_volume > 0 ? r.volume / r.surface_volume : 0;
  if (ratio > 0.1 && ratio < 10) {
    fmt::print(", {:.1f} % of the surface's", 100 * ratio);
  } else {
    fmt::print("; the surface encloses {:.3g} m³", r.surface_volume);
  }
  fmt::print("\nsurface: {} parts, {} holes, {} self-intersections, {} non-manifold edges\n",
             r.parts, r.holes, r.self_intersections, r.non_manifold_edges);
}

void add_size_options(CLI::App& command, MeshArguments& options) {
  CLI::Option* cells =
      command
          .add_option("--cells", options.fill.cells,
                      fmt::format("Lattice cells along the longest side, {} by default",
                                  TetrahedralizeOptions::kDefaultCells))
          ->check(CLI::Range(1, TetrahedralizeOptions::kMostCells));
  command.add_option("--tets", options.fill.target_tets, "About this many tets, within 20 %")
      ->check(CLI::Range(1, 100'000'000))
      ->excludes(cells);
  command.add_option(
      "--refine", options.refine,
      "Halve the cells where SELECT holds: x<=0.1, box:…, sphere:…; may be repeated");
  command.add_option("--levels", options.levels, "How often --refine halves, 1 by default")
      ->check(CLI::Range(1, TetrahedralizeOptions::kMostLevels));
  command
      .add_option("--thin-levels", options.fill.thin_levels,
                  "How often cells may be halved where the body is thin, 1 by default")
      ->check(CLI::Range(0, TetrahedralizeOptions::kMostLevels));
  command.add_flag("--uniform", options.uniform, "Cells of one size, not coarser inside");
}

/// Whatever only Limber's own mesher knows excludes `--backend netgen`, where it is set.
void add_backend_options(CLI::App& command, MeshArguments& options) {
  static const std::map<std::string, bool> backends = {{"limber", false}, {"netgen", true}};
  command
      .add_option("--backend", options.netgen,
                  "netgen: the program Netgen fills the surface, which must be closed and free of "
                  "self-intersections; --cells bounds its edges (packages netgen and libnglib-dev)")
      ->transform(CLI::CheckedTransformer(backends))
      ->option_text("limber|netgen");
  command.add_option("--time-limit", options.time_limit, "For Netgen, s, 120 by default")
      ->check(CLI::Range(0.1, 1e6));
}

void check_backend(const CLI::App& command, const MeshArguments& options) {
  if (!options.netgen) return;
  for (const char* name : {"--tets", "--refine", "--levels", "--thin-levels", "--uniform", "--open",
                           "--thickness", "--fuse"}) {
    if (command.count(name) == 0) continue;
    throw Error(fmt::format("{} does not go with --backend netgen", name), "mesh",
                "give --cells, or leave --backend out");
  }
  if (options.fill.mode == FillMode::cage) {
    throw Error("Netgen makes no cages", "mesh", "leave --backend out");
  }
}

void add_options(CLI::App& command, MeshArguments& options) {
  command.add_option("SURFACE", options.surface, "Any surface: .obj .ply .stl .off .glb")
      ->required();
  command.add_option("-o,--output", options.out, "Tet mesh to write: .msh .mesh .vtu")->required();
  static const std::map<std::string, FillMode> modes = {{"auto", FillMode::automatic},
                                                        {"cage", FillMode::cage},
                                                        {"conforming", FillMode::conforming}};
  command
      .add_option("--mode", options.fill.mode,
                  "conforming: tets end at the surface; cage: whole cells around it; auto: "
                  "conforming where the surface allows")
      ->transform(CLI::CheckedTransformer(modes))
      ->option_text("auto|cage|conforming");
  add_size_options(command, options);
  static const std::map<std::string, OpenSurfaces> open = {{"auto", OpenSurfaces::automatic},
                                                           {"fill", OpenSurfaces::fill},
                                                           {"thicken", OpenSurfaces::thicken}};
  command
      .add_option("--open", options.fill.open,
                  "Open surfaces: fill the holes or give the sheets a thickness")
      ->transform(CLI::CheckedTransformer(open))
      ->option_text("auto|fill|thicken");
  command.add_option("--thickness", options.fill.sheet_thickness,
                     "Of open sheets, m; by default what the cells need");
  command.add_flag("--fuse", options.fuse, "Let near parts grow together: all parts are one body");
  add_backend_options(command, options);
  command.add_option("--report", options.report, "What was found and done, as JSON");
}

void check_output(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".msh" || ending == ".mesh" || ending == ".vtu") return;
  throw Error(fmt::format("'{}' is not a tet format Limber writes", ending), path.string(),
              "use one of .msh .mesh .vtu");
}

Tetrahedralized fill_surface(const TriMesh& surface, const MeshArguments& options,
                             const TetrahedralizeOptions& fill) {
  if (!options.netgen) return tetrahedralize(surface, fill);
  NetgenOptions netgen;
  netgen.cells = fill.cells;
  netgen.seconds = options.time_limit;
  netgen.progress = fill.progress;
  return netgen_mesh(surface, netgen);
}

void run(const CLI::App& command, const MeshArguments& options, const Session& session) {
  check_output(options.out);
  check_backend(command, options);
  TetrahedralizeOptions fill = options.fill;
  fill.grade = !options.uniform;
  fill.keep_apart = !options.fuse;
  fill.progress = session.progress();
  for (const std::string& text : options.refine) {
    fill.refine.push_back({select_points(text), options.levels, text});
  }
  std::vector<std::filesystem::path> outputs{options.out};
  if (!options.report.empty()) outputs.push_back(options.report);
  OutputUnit unit(outputs, {options.surface});
  ReadNotes notes;
  const TriMesh surface = read_surface(options.surface, &notes);
  const Tetrahedralized made = fill_surface(surface, options, fill);
  fill.progress = {};  // wipes the bar
  write_tet_mesh(options.out, made.mesh);
  if (!options.report.empty()) {
    write_file(options.report,
               json_text(as_json(made.report, options.netgen), options.report.string()) + "\n");
  }
  unit.commit();
  for (const std::string& remark : notes.remarks) tell("{}", remark);
  for (const std::string& warning : made.report.warnings) {
    warn("{}", warning);
  }
  print_summary(made.report);
}

}  // namespace

void add_mesh(CLI::App& app, const Session& session) {
  CLI::App& command = add_command(
      app, "mesh", "A tetrahedral mesh around or inside any surface, soups included",
      "limber mesh bunny.obj -o bunny.msh --tets 10000\n"
      "  limber mesh plane.off -o plane.msh --mode cage --cells 48 --report plane.json\n"
      "  limber mesh hand.ply -o hand.vtu --refine 'sphere:0,0.1,0,0.02' --levels 2\n"
      "  limber mesh bunny.obj -o bunny.msh --backend netgen --cells 32");
  auto options = std::make_shared<MeshArguments>();
  add_options(command, *options);
  command.callback([options, &command, &session] { run(command, *options, session); });
}

}  // namespace limber
