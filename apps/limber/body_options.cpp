#include "body_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "limber/core/error.h"
#include "limber/mesh/formats/scanner.h"
#include "limber/mesh/select.h"
#include "messages.h"

namespace limber {

namespace {

constexpr const char* kRegionGrammar = "write 2:young=1e9,poisson=0.3,density=1900";

template <typename Number>
Number parse_number(std::string_view text, const std::string& where) {
  Number value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) {
    throw Error("cannot read the number " + in_quotes(text), where, kRegionGrammar);
  }
  return value;
}

double& property(Material& material, std::string_view name, const std::string& where) {
  if (name == "young") return material.young;
  if (name == "poisson") return material.poisson;
  if (name == "density") return material.density;
  throw Error("a material has no " + in_quotes(name), where, kRegionGrammar);
}

/// 2:young=1e9,density=1900
void read_region(std::string_view text, Materials& materials) {
  const std::string where = "--region " + in_quotes(text);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) throw Error("has no colon", where, kRegionGrammar);
  Material& material =
      materials.by_region.emplace(parse_number<int>(text.substr(0, colon), where), materials.base)
          .first->second;
  std::string_view rest = text.substr(colon + 1);
  while (!rest.empty()) {
    const std::string_view piece = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), piece.size() + 1));
    const std::size_t equals = piece.find('=');
    if (equals == std::string_view::npos) throw Error("has no value", where, kRegionGrammar);
    property(material, trimmed(piece.substr(0, equals)), where) =
        parse_number<double>(trimmed(piece.substr(equals + 1)), where);
  }
}

}  // namespace

CLI::Option* BodyOptions::add_to(CLI::App& command) {
  CLI::Option* const mesh = command.add_option("MESH", mesh_path, "Tetrahedral mesh")->required();
  command_ = &command;
  command
      .add_option("--young", material.young, "Young's modulus, Pa, unless the file gives materials")
      ->capture_default_str();
  command.add_option("--poisson", material.poisson, "Poisson's ratio")->capture_default_str();
  command.add_option("--density", material.density, "Density, kg/m3")->capture_default_str();
  command
      .add_option("--region", regions,
                  "Another material for a region, by what differs: 2:young=1e9,poisson=0.3,"
                  "density=1900; may be repeated")
      ->type_name("N:NAME=VALUE,…")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
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
  return mesh;
}

MeshOfMaterials BodyOptions::read() const {
  ReadNotes notes;
  MeshOfMaterials result;
  const Materials given = materials();
  result.mesh = read_tet_mesh(mesh_path, &notes);
  for (const std::string& remark : notes.remarks) tell("{}", remark);
  result.file_gives_materials = !notes.materials.empty();
  result.materials = notes.materials.empty() ? given : with_regions(file_materials(notes));
  check_regions(result.materials, regions_of(result.mesh));
  return result;
}

Materials BodyOptions::file_materials(const ReadNotes& notes) const {
  for (const char* const name : {"--young", "--poisson", "--density"}) {
    if (command_ == nullptr || command_->count(name) == 0) continue;
    tell("{} takes the place of the file's materials", name);
    return material;
  }
  Materials result;
  for (const auto& [region, given] : notes.materials) {
    result.by_region[region] = {given.young, given.poisson, given.density};
    tell(
        "region {} has Young's modulus {:g} Pa, Poisson's ratio {:g}, {:g} kg/m3, as the file says",
        region, given.young, given.poisson, given.density);
  }
  result.base = result.by_region.begin()->second;
  return result;
}

Materials BodyOptions::with_regions(Materials base) const {
  for (const std::string& region : regions) read_region(region, base);
  return base;
}

std::vector<std::string> BodyOptions::arguments(const std::filesystem::path& path,
                                                const Materials& materials) const {
  std::vector<std::string> result{path.string()};
  const auto add = [&](const char* name, const std::string& value) {
    result.insert(result.end(), {name, value});
  };
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  add("--young", number(materials.base.young));
  add("--poisson", number(materials.base.poisson));
  add("--density", number(materials.base.density));
  for (const auto& [region, other] : materials.by_region) {
    add("--region", fmt::format("{}:young={:.17g},poisson={:.17g},density={:.17g}", region,
                                other.young, other.poisson, other.density));
  }
  for (const std::string& selection : fix) add("--fix", selection);
  add("--modes", modes);
  add("--mass", mass);
  add("--display-rate", number(display_rate_hz));
  if (max_force > 0) add("--max-force", number(max_force));
  if (min_displacement > 0) add("--min-displacement", number(min_displacement));
  return result;
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

void check_regions(const Materials& materials, const std::set<int>& present) {
  for (const auto& [region, material] : materials.by_region) {
    if (present.count(region) == 0) {
      throw Error("there is no region " + std::to_string(region), "--region",
                  "`limber info` lists the mesh's regions");
    }
  }
}

std::set<int> regions_of(const TetMesh& mesh) {
  if (mesh.regions.empty()) return {0};
  return {mesh.regions.begin(), mesh.regions.end()};
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
