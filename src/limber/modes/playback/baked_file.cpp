#include "limber/modes/playback/baked_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "limber/core/error.h"
#include "limber/core/finite.h"
#include "limber/modes/playback/section_file.h"

namespace limber {

namespace {

/// The single numbers of a body, in the order of the section "numbers".
enum Number { kRigidModes, kMaxResidual, kYoung, kPoisson, kDensity, kPrecision, kNumberCount };

/// Calls visit(name, array) for every array of a body and its surface: writing and reading go
/// through the same list.
template <class Baked, class Visit>
void for_each_array(Baked& baked, const Visit& visit) {
  auto& body = baked.body;
  visit("rest_positions", body.rest_positions_data);
  visit("tets", body.tets_data);
  visit("regions", body.regions);
  visit("fixed_nodes", body.fixed_nodes);
  visit("eigenvalues", body.eigenvalues_data);
  visit("Phi", body.Phi_data);
  visit("Psi", body.Psi_data);
  visit("mass.offsets", body.mass.offsets);
  visit("mass.columns", body.mass.columns);
  visit("mass.values", body.mass.values);
  visit("mass.row_sums", body.mass.row_sums);
  visit("surface.rest_positions", body.surface.rest_positions);
  visit("surface.rest_normals", body.surface.rest_normals);
  visit("surface.triangles", body.surface.triangles);
  visit("surface.nodes", body.surface.binding.nodes);
  visit("surface.weights", body.surface.binding.weights);
  visit("surface.uv", body.surface.uv);
  visit("surface.corner_uv", body.surface.corner_uv);
  visit("surface.colours", body.surface.colours);
  visit("surface.face_materials", body.surface.face_materials);
  visit("surface.material_names", body.surface.material_names);
  visit("surface.look_colours", body.surface.look_colours);
  visit("surface.look_images", body.surface.look_images);
  visit("surface.image_ends", body.surface.image_ends);
  visit("surface.image_bytes", body.surface.image_bytes);
  visit("surface.source", body.surface.source);
  visit("packed.rows", baked.surface.rows);
  visit("packed.pairs", baked.surface.pairs);
  visit("packed.amplitudes", baked.surface.amplitudes);
}

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
}

}  // namespace

void write_baked(const std::filesystem::path& path, const BakedBody& baked) {
  const ModalModel& body = baked.body;
  std::array<double, kNumberCount> numbers{};
  numbers[kRigidModes] = body.rigid_modes;
  numbers[kMaxResidual] = body.max_residual;
  numbers[kYoung] = body.material.young;
  numbers[kPoisson] = body.material.poisson;
  numbers[kDensity] = body.material.density;
  numbers[kPrecision] = static_cast<double>(baked.surface.precision);
  SectionWriter writer;
  writer.add("numbers", std::span<const double>(numbers));
  for_each_array(baked,
                 [&](const char* name, const auto& array) { writer.add(name, array.span()); });
  writer.write(path);
}

namespace {

BakedBody read_sections(const SectionReader& reader, const std::string& where) {
  const Consistency check(where);
  BakedBody baked;
  for_each_array(baked, [&](const char* name, auto& array) { check.load(reader, name, array); });
  SharedArray<double> numbers;
  check.load(reader, "numbers", numbers);
  check.expect(numbers.size() == kNumberCount, "numbers");
  ModalModel& body = baked.body;
  check_body(body, check);
  body.rigid_modes = static_cast<int>(std::clamp(numbers[kRigidModes], 0.0, 1e9));
  body.max_residual = numbers[kMaxResidual];
  body.material = {numbers[kYoung], numbers[kPoisson], numbers[kDensity]};
  limber::check(body.material, where.c_str());
  baked.surface.precision = numbers[kPrecision] == 0 ? Precision::float32 : Precision::int16;
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
