// limber pose: bend, twist and drag a mesh into a pose.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands/commands.h"
#include "limber/core/error.h"
#include "limber/core/output_unit.h"
#include "limber/interpolate/poses/elastic_pose.h"
#include "limber/interpolate/poses/pose_tools.h"
#include "limber/mesh/gltf/rigged_surface.h"
#include "limber/mesh/read_mesh.h"
#include "limber/mesh/select.h"
#include "limber/mesh/tet_geometry.h"
#include "limber/mesh/write_mesh.h"
#include "messages.h"
#include "motion_options.h"

namespace limber {

namespace {

struct PoseArguments {
  std::filesystem::path mesh;
  std::filesystem::path rest;
  std::filesystem::path output;
  std::string bend;
  std::string twist;
  std::string axis;
  std::string towards;
  std::string origin;
  std::string range;
  std::string clip;
  double time = 0;
  std::vector<std::string> drag;
  std::vector<std::string> fix;
};

/// A mesh of either kind, its positions apart.
struct MeshShape {
  std::optional<TetMesh> tets;
  TriMesh surface;

  explicit MeshShape(const std::filesystem::path& path) {
    if (is_tet_format(path)) {
      tets = read_tet_mesh(path);
    } else {
      surface = read_surface(path);
    }
  }
  /// A rigged surface at a time of a clip.
  MeshShape(const std::filesystem::path& path, const std::string& clip, double time) {
    const RiggedSurface rig = RiggedSurface::read(path);
    surface = rig.surface();
    surface.V = rig.sample(rig.clip(clip), time);
  }
  Positions& positions() { return tets ? tets->V : surface.V; }
  [[nodiscard]] std::shared_ptr<const Elements> elements() const {
    return std::make_shared<const Elements>(tets ? elements_of(*tets) : elements_of(surface));
  }
  /// Selections pick by place, number or region.
  [[nodiscard]] TetMesh for_selection() const {
    if (tets) return *tets;
    TetMesh vertices;
    vertices.V = surface.V;
    return vertices;
  }
  void write(const std::filesystem::path& path) const {
    if (tets) {
      write_tet_mesh(path, *tets);
    } else {
      write_surface(path, surface);
    }
  }
};

Vec3 parse_direction(const std::string& text, const std::string& where) {
  if (text == "x") return Vec3::UnitX();
  if (text == "y") return Vec3::UnitY();
  if (text == "z") return Vec3::UnitZ();
  const std::vector<double> three = parse_numbers(text, 3, where);
  const Vec3 direction{three[0], three[1], three[2]};
  if (!(direction.norm() > 0)) {
    throw Error("a vector of no length has no direction", where, "give x, y, z or another vector");
  }
  return direction;
}

/// Axis, origin and range: from the options, else the longest side of the bounding box, its middle
/// and its whole length.
struct Placement {
  Vec3 axis = Vec3::UnitX();
  Vec3 towards = Vec3::UnitY();
  Vec3 origin = Vec3::Zero();
  double from = 0;
  double to = 1;

  Placement(const PoseArguments& options, const Positions& positions) {
    const Vec3 low = positions.colwise().minCoeff();
    const Vec3 high = positions.colwise().maxCoeff();
    int longest = 0;
    (high - low).maxCoeff(&longest);
    axis =
        options.axis.empty() ? Vec3(Vec3::Unit(longest)) : parse_direction(options.axis, "--axis");
    int main = 0;  // the coordinate that the axis goes along most
    axis.cwiseAbs().maxCoeff(&main);
    towards = options.towards.empty() ? Vec3(Vec3::Unit((main + 1) % 3))
                                      : parse_direction(options.towards, "--towards");
    if (options.origin.empty()) {
      origin = (low + high) / 2;
    } else {
      const std::vector<double> three = parse_numbers(options.origin, 3, "--origin");
      origin = {three[0], three[1], three[2]};
    }
    if (!options.range.empty()) {
      const std::vector<double> two = parse_numbers(options.range, 2, "--range");
      from = two[0];
      to = two[1];
      return;
    }
    const Vector along = (positions.rowwise() - origin.transpose()) * axis.normalized();
    from = along.minCoeff();
    to = along.maxCoeff();
  }
};

void twist_and_bend(const PoseArguments& options, Positions& positions) {
  if (!options.twist.empty()) {
    const Placement place(options, positions);
    positions = twist(positions, {place.origin, place.axis, place.from, place.to,
                                  parse_angle(options.twist, "--twist")});
  }
  if (!options.bend.empty()) {
    const Placement place(options, positions);
    positions = bend(positions, {place.origin, place.axis, place.towards, place.from, place.to,
                                 parse_angle(options.bend, "--bend")});
  }
}

/// "12=0.5,1,0": a node and where it goes; with "12+=0,0.1,0" by how much.
DragHandle parse_handle(const std::string& text, const Positions& pose) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0) {
    throw Error(fmt::format("\"{}\" is not NODE=x,y,z", text), "--drag",
                "for example 12=0.5,1,0, or 12+=0,0.1,0 to move it by that");
  }
  const bool relative = text[sign - 1] == '+';
  const double node =
      parse_numbers(text.substr(0, relative ? sign - 1 : sign), 1, "--drag").front();
  if (!(node >= 0) || node >= static_cast<double>(pose.rows()) ||
      node != static_cast<double>(static_cast<int>(node))) {
    throw Error(fmt::format("node {:g} does not exist", node), "--drag",
                fmt::format("the mesh has nodes 0 to {}", pose.rows() - 1));
  }
  const std::vector<double> three = parse_numbers(text.substr(sign + 1), 3, "--drag");
  DragHandle handle{static_cast<int>(node), {three[0], three[1], three[2]}};
  if (relative) handle.target += pose.row(handle.node).transpose();
  return handle;
}

void drag_handles(const PoseArguments& options, const MeshShape& rest, Positions& positions) {
  if (options.drag.empty()) return;
  std::vector<DragHandle> handles;
  for (const std::string& text : options.drag) handles.push_back(parse_handle(text, positions));
  std::vector<int> fixed;
  const TetMesh mesh = rest.for_selection();
  for (const std::string& selection : options.fix) {
    for (const int node : select_nodes(mesh, selection)) {
      const auto dragged = [&](const DragHandle& handle) { return handle.node == node; };
      const bool known = std::find(fixed.begin(), fixed.end(), node) != fixed.end() ||
                         std::any_of(handles.begin(), handles.end(), dragged);
      if (!known) fixed.push_back(node);
    }
  }
  const ElasticPoseResult result = drag(rest.elements(), positions, handles, fixed);
  if (!result.converged) {
    warn("dragging stopped after {} steps, still moving by {:g} m", result.iterations,
         result.last_step);
  }
  positions = result.positions;
}

/// Mesh files hold no tets of negative volume: readers would turn them round unasked.
void refuse_inverted(const MeshShape& shape, const std::filesystem::path& path) {
  if (!shape.tets) return;
  int inverted = 0;
  const Positions& V = shape.tets->V;
  for (const auto& tet : shape.tets->T.rowwise()) {
    const bool upright =
        six_volumes(V.row(tet[0]), V.row(tet[1]), V.row(tet[2]), V.row(tet[3])) > 0;
    if (!upright) ++inverted;
  }
  if (inverted == 0) return;
  throw Error(fmt::format("{} of {} tets turn inside out", inverted, shape.tets->tet_count()),
              path.string(), "bend, twist or drag less, or give a finer mesh");
}

void pose(const PoseArguments& options) {
  std::vector<std::filesystem::path> inputs{options.mesh};
  if (!options.rest.empty()) inputs.push_back(options.rest);
  OutputUnit unit({options.output}, inputs);
  MeshShape shape = options.clip.empty() ? MeshShape(options.mesh)
                                         : MeshShape(options.mesh, options.clip, options.time);
  const MeshShape rest(options.rest.empty() ? options.mesh : options.rest);
  twist_and_bend(options, shape.positions());
  drag_handles(options, rest, shape.positions());
  refuse_inverted(shape, options.output);
  shape.write(options.output);
  unit.commit();
  fmt::print("wrote {}\n", options.output.string());
}

}  // namespace

void add_pose(CLI::App& app, const Session&) {
  CLI::App& command = add_command(
      app, "pose", "A clip's pose of a rigged surface; twist, bend and drag a mesh, in this order",
      "limber pose bar.msh --twist 90deg --bend 180deg --drag 12+=0,0.1,0 -o bent.msh\n"
      "  limber pose fox.glb --clip run --time 0.3 -o running.obj");
  auto options = std::make_shared<PoseArguments>();
  command.add_option("MESH", options->mesh, "Tets or surface to pose")->required();
  command.add_option("-o,--output", options->output, "The pose, in the mesh's kind of format")
      ->required();
  command.add_option("--twist", options->twist, "About the axis, rad, or 90deg")
      ->type_name("ANGLE");
  command.add_option("--bend", options->bend, "Of the axis into an arc, rad, or 90deg")
      ->type_name("ANGLE");
  command.add_option("--axis", options->axis, "x, y, z or a vector [longest side]");
  command.add_option("--towards", options->towards, "Where the arc's centre lies [next side]");
  command.add_option("--origin", options->origin, "A point of the axis [middle]")
      ->type_name("X,Y,Z");
  command.add_option("--range", options->range, "Along the axis from the origin, m [whole]")
      ->type_name("FROM,TO");
  command
      .add_option("--drag", options->drag,
                  "Move a node to a place (=) or by a vector (+=); may be repeated")
      ->type_name("NODE=X,Y,Z")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--fix", options->fix, "Nodes that stay while others are dragged")
      ->type_name("SELECT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  CLI::Option* clip = command.add_option(
      "--clip", options->clip,
      "The pose of a clip of MESH, a .glb, before all others: its name or number");
  command.add_option("--time", options->time, "Where in the clip, s [0]")
      ->check(CLI::Number)
      ->needs(clip);
  command.add_option("--rest", options->rest, "Rest shape, when MESH is a pose already");
  command.callback([options] { pose(*options); });
}

}  // namespace limber
