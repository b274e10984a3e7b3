#include "body_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "limber/core/error.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/select.h"

namespace limber {

void BodyOptions::add_to(CLI::App& command) {
  command_ = &command;
  command.add_option("MESH", mesh_path, "Tetrahedral mesh")->required();
  command.add_option("--young", material.young, "Young's modulus, Pa, unless the file says")
      ->capture_default_str();
  command.add_option("--poisson", material.poisson, "Poisson's ratio")->capture_default_str();
  command.add_option("--density", material.density, "Density, kg/m3")->capture_default_str();
  command
      .add_option("--fix", fix,
                  "Nodes to hold: x<=0.001, nodes:0,4,17, region:2, box:x0,y0,z0,x1,y1,z1, "
                  "sphere:cx,cy,cz,r; joined by &&; may be repeated")
      ->type_name("SELECT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--modes", modes, "How many, or auto: those that can be seen")
      ->type_name("N|auto")
      ->capture_default_str();
  command.add_option("--mass", mass, "Mass matrix")
      ->check(CLI::IsMember({"consistent", "lumped", "one-point"}))
      ->capture_default_str();
  command.add_option("--display-rate", display_rate_hz, "For auto: pictures a second")
      ->capture_default_str();
  command.add_option("--max-force", max_force, "For auto: the largest force, N [body's weight]");
  command.add_option("--min-displacement", min_displacement,
                     "For auto: the least that shows, m [size/1000]");
}

TetMesh BodyOptions::read_mesh() {
  ReadNotes notes;
  TetMesh mesh = read_tet_mesh(mesh_path, &notes);
  for (const std::string& remark : notes.remarks) fmt::print(stderr, "limber: {}\n", remark);
  materials_ = material;
  if (notes.materials.empty()) return mesh;
  for (const char* const name : {"--young", "--poisson", "--density"}) {
    if (command_->count(name) == 0) continue;
    fmt::print(stderr, "limber: {} takes the place of the file's materials\n", name);
    return mesh;
  }
  for (const auto& [region, given] : notes.materials) {
    fmt::print(stderr, "limber: region {} is of Young {:g} Pa, Poisson {:g}, {:g} kg/m3, as the file says\n",
               region, given.young, given.poisson, given.density);
    materials_.by_region[region] = {given.young, given.poisson, given.density};
  }
  materials_.base = materials_.by_region.begin()->second;
  return mesh;
}

std::vector<int> BodyOptions::fixed_nodes(const TetMesh& mesh) const {
  std::vector<int> nodes;
  for (const std::string& selection : fix) {
    const std::vector<int> picked = select_nodes(mesh, selection);
    nodes.insert(nodes.end(), picked.begin(), picked.end());
  }
  return nodes;
}

ModalOptions BodyOptions::modal_options() const {
  ModalOptions options;
  options.count = parse_mode_count(modes, "--modes");
  options.visible.display_rate_hz = display_rate_hz;
  options.visible.max_force = max_force;
  options.visible.min_displacement = min_displacement;
  options.mass = mass == "lumped"      ? MassKind::lumped
                 : mass == "one-point" ? MassKind::one_point
                                       : MassKind::consistent;
  return options;
}

int parse_mode_count(const std::string& text, const std::string& where) {
  if (text == "auto") return ModalOptions::kAutomatic;
  int count = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (status != std::errc() || end != text.data() + text.size() || count < 1) {
    throw Error("\"" + text + "\" is not a number of modes", where,
                "give a positive number or auto");
  }
  return count;
}

}  // namespace limber
