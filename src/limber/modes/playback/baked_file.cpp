#include "limber/modes/playback/baked_file.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "limber/core/error.h"
#include "limber/core/finite.h"
#include "limber/modes/playback/baked_sections.h"
#include "limber/modes/playback/contact_points.h"

namespace limber {

namespace {

/// Refuses bodies whose arrays do not fit together, so that playing never has to look.
class Consistency {
 public:
  explicit Consistency(std::string where) : where_(std::move(where)) {}

  void expect(bool fits, const char* what) const {
    if (!fits)
      throw Error(std::string("the baked body does not fit together: ") + what, where_,
                  "bake it again");
  }
  /// An array as it is in the file; real numbers must be finite.
  template <class T>
  void load(const SectionReader& reader, const char* name, SharedArray<T>& array) const {
    array = reader.get<T>(name);
    if constexpr (std::is_floating_point_v<T>) expect(all_finite(array.span()), name);
  }
  void indices(const SharedArray<std::int32_t>& values, std::size_t limit, const char* what) const {
    expect(
        std::all_of(values.begin(), values.end(),
                    [&](std::int32_t v) { return v >= 0 && static_cast<std::size_t>(v) < limit; }),
        what);
  }

 private:
  std::string where_;
};

void check_mass(const NodalMass& mass, std::size_t nodes, const Consistency& check) {
  check.expect(mass.offsets.size() == nodes + 1 && mass.row_sums.size() == nodes, "mass");
  check.expect(mass.columns.size() == mass.values.size(), "mass");
  check.expect(std::is_sorted(mass.offsets.begin(), mass.offsets.end()) && mass.offsets[0] == 0 &&
                   static_cast<std::size_t>(mass.offsets[nodes]) == mass.columns.size(),
               "mass");
  check.indices(mass.columns, nodes, "mass");
}

void check_surface(const BodySurface& surface, std::size_t nodes, const Consistency& check) {
  const std::size_t vertices = surface.rest_positions.size() / 3;
  check.expect(surface.rest_positions.size() == 3 * vertices &&
                   surface.rest_normals.size() == 3 * vertices &&
                   surface.binding.nodes.size() == 4 * vertices &&
                   surface.binding.weights.size() == 4 * vertices,
               "surface");
  check.expect(surface.triangles.size() % 3 == 0, "triangles");
  check.indices(surface.triangles, vertices, "triangles");
  check.indices(surface.binding.nodes, nodes, "surface");
  const auto fits = [](std::size_t size, std::size_t wanted) {
    return size == 0 || size == wanted;
  };
  check.expect(fits(surface.uv.size(), 2 * vertices) &&
                   fits(surface.colours.size(), 3 * vertices) &&
                   fits(surface.corner_uv.size(), 2 * surface.triangles.size()) &&
                   fits(surface.face_materials.size(), surface.triangles.size() / 3),
               "surface");
  const auto image_count = static_cast<std::int32_t>(surface.image_ends.size());
  check.expect(
      surface.look_colours.size() == 3 * surface.look_images.size() &&
          std::all_of(surface.look_images.begin(), surface.look_images.end(),
                      [&](std::int32_t image) { return image >= -1 && image < image_count; }),
      "materials");
  check.indices(surface.image_ends, surface.image_bytes.size() + 1, "images");
  check.expect(std::is_sorted(surface.image_ends.begin(), surface.image_ends.end()), "images");
}

void check_residual(const ResidualModes& modes, std::size_t nodes, const Consistency& check) {
  const std::size_t count = modes.contact_nodes.size();
  const std::size_t pairs = modes.columns.size();
  check.expect(modes.offsets.size() == count + 1 && modes.K_blocks.size() == 9 * pairs &&
                   modes.M_blocks.size() == 9 * pairs &&
                   modes.sources.size() == ResidualModes::kSources * nodes &&
                   modes.weights.size() == modes.sources.size(),
               "residual modes");
  check.indices(modes.contact_nodes, nodes, "residual modes");
  check.indices(modes.columns, count, "residual modes");
  check.expect(std::is_sorted(modes.offsets.begin(), modes.offsets.end()) &&
                   modes.offsets[0] == 0 && static_cast<std::size_t>(modes.offsets[count]) == pairs,
               "residual modes");
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = modes.columns.begin() + modes.offsets[i];
    const auto last = modes.columns.begin() + modes.offsets[i + 1];
    check.expect(
        first != last && *first == static_cast<std::int32_t>(i) && std::is_sorted(first, last),
        "residual modes");
  }
  check.expect(std::all_of(modes.sources.begin(), modes.sources.end(),
                           [&](std::int32_t source) {
                             return source >= -1 && source < static_cast<std::int32_t>(count);
                           }),
               "residual modes");
}

void check_reduced(const ReducedModel& reduced, std::size_t nodes, std::size_t tets,
                   const Consistency& check) {
  const std::size_t modes = reduced.eigenvalues_data.size();
  check.expect(reduced.Phi_data.size() == 3 * nodes * modes &&
                   reduced.Psi_data.size() == 3 * nodes * modes &&
                   reduced.lame.size() == 2 * kElasticLaws * reduced.tets.size(),
               "reduced space");
  check.indices(reduced.tets, tets, "reduced tets");
}

void check_body(const ModalModel& body, const Consistency& check) {
  const std::size_t nodes = body.rest_positions_data.size() / 3;
  const std::size_t modes = body.eigenvalues_data.size();
  check.expect(nodes > 0 && body.rest_positions_data.size() == 3 * nodes, "nodes");
  check.expect(body.tets_data.size() % 4 == 0, "tets");
  check.indices(body.tets_data, nodes, "tets");
  check.indices(body.fixed_nodes, nodes, "fixed nodes");
  check.expect(body.regions.empty() || body.regions.size() == body.tets_data.size() / 4, "regions");
  check.expect(
      body.Phi_data.size() == 3 * nodes * modes && body.Psi_data.size() == 3 * nodes * modes,
      "modes");
  check.expect(std::all_of(body.eigenvalues_data.begin(), body.eigenvalues_data.end(),
                           [](double value) { return value >= 0 && std::isfinite(value); }),
               "eigenvalues");
  check_mass(body.mass, nodes, check);
  check_surface(body.surface, nodes, check);
  check_reduced(body.reduced, nodes, body.tets_data.size() / 4, check);
}

std::vector<std::int32_t> contact_points_of(const BodySurface& surface) {
  if (!surface.contact_points.empty())
    return {surface.contact_points.begin(), surface.contact_points.end()};
  const Eigen::Map<const Positions> vertices(surface.rest_positions.data(), surface.vertex_count(),
                                             3);
  const Eigen::Map<const Triangles> triangles(
      surface.triangles.data(), static_cast<Eigen::Index>(surface.triangles.size() / 3), 3);
  return choose_contact_points(vertices, triangles);
}

void check_contact_points(const BodySurface& surface, const Consistency& check) {
  const auto vertices = static_cast<std::size_t>(surface.vertex_count());
  check.indices(surface.contact_points, vertices, "contact points");
  std::vector<char> seen(vertices, 0);
  for (const std::int32_t vertex : surface.contact_points) {
    check.expect(seen[static_cast<std::size_t>(vertex)] == 0, "contact points");
    seen[static_cast<std::size_t>(vertex)] = 1;
  }
}

}  // namespace

void write_baked(const std::filesystem::path& path, const BakedBody& baked) {
  const std::vector<double> numbers = single_numbers(baked);
  SectionWriter writer;
  add_sections(writer, baked, numbers);
  const std::vector<std::int32_t> points = contact_points_of(baked.body.surface);
  writer.add(kContactSection, std::span<const std::int32_t>(points));
  writer.write(path);
}

namespace {

BakedBody read_sections(const SectionReader& reader, const std::string& where) {
  const Consistency check(where);
  BakedBody baked;
  for_each_array(baked, [&](const char* name, auto& array) { check.load(reader, name, array); });
  if (reader.contains(kSourceSection)) {
    check.load(reader, kSourceSection, baked.surface_source);
  }
  if (reader.contains(kContactSection))
    check.load(reader, kContactSection, baked.body.surface.contact_points);
  if (reader.contains("residual.contact_nodes")) {
    for_each_residual_array(
        baked.residual, [&](const char* name, auto& array) { check.load(reader, name, array); });
    if (reader.contains(kReachSection)) check.load(reader, kReachSection, baked.residual.reach);
  }
  if (reader.contains("reduced.Phi")) {
    for_each_reduced_array(baked.body.reduced,
                           [&](const char* name, auto& array) { check.load(reader, name, array); });
  }
  SharedArray<double> numbers;
  check.load(reader, "numbers", numbers);
  check.expect(numbers.size() == BakedNumber::kCount, "numbers");
  ModalModel& body = baked.body;
  check_body(body, check);
  check_contact_points(body.surface, check);
  if (!baked.residual.empty()) {
    check_residual(baked.residual, static_cast<std::size_t>(body.node_count()), check);
    check.expect(baked.residual.reach.size() <= 1, "residual modes");
    if (baked.residual.reach.empty()) taper_pairs(baked.residual, body.rest_positions());
  }
  body.rigid_modes = static_cast<int>(std::clamp(numbers[BakedNumber::kRigidModes], 0.0, 1e9));
  body.max_residual = numbers[BakedNumber::kMaxResidual];
  body.material = {numbers[BakedNumber::kYoung], numbers[BakedNumber::kPoisson],
                   numbers[BakedNumber::kDensity]};
  limber::check(body.material, where.c_str());
  baked.surface.precision =
      numbers[BakedNumber::kPrecision] == 0 ? Precision::float32 : Precision::int16;
  baked.surface.vertex_count = body.surface.vertex_count();
  baked.surface.mode_count = body.mode_count();
  baked.surface.check();
  return baked;
}

}  // namespace

BakedBody read_baked(const std::filesystem::path& path) {
  return read_sections(SectionReader(path), path.string());
}

BakedBody read_baked(std::span<const std::byte> bytes, const std::string& name) {
  struct alignas(PackedSurface::kAlignment) Line {
    std::array<std::byte, PackedSurface::kAlignment> bytes;
  };
  const auto copy =
      std::make_shared<std::vector<Line>>((bytes.size() + sizeof(Line) - 1) / sizeof(Line));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(copy->data()));
  return read_sections(
      SectionReader(name, copy, std::as_bytes(std::span(*copy)).first(bytes.size())), name);
}

}  // namespace limber
