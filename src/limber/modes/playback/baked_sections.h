// What a baked file holds, as sections: for those who write one whole, in slabs, or read it.
#pragma once

#include <vector>

#include "limber/modes/playback/baked_file.h"
#include "limber/modes/playback/section_file.h"

namespace limber {

/// Where the single numbers of a body stand in the section "numbers".
struct BakedNumber {
  enum Index { kRigidModes, kMaxResidual, kYoung, kPoisson, kDensity, kPrecision, kCount };
};

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
  visit("packed.rows", baked.surface.rows);
  visit("packed.pairs", baked.surface.pairs);
  visit("packed.amplitudes", baked.surface.amplitudes);
}

/// How the surface stood in its file (modes/surface_source.h): always written, for ranks that write
/// one file together must agree on its sections; older files have none.
constexpr const char* kSourceSection = "surface.source";

/// Vertices for contact by rank: of files that are written whole; older ones and those that ranks
/// write together have none.
constexpr const char* kContactSection = "surface.contact_points";

/// The arrays of the reduced space, which bodies need not have.
template <class Model, class Visit>
void for_each_reduced_array(Model& reduced, const Visit& visit) {
  visit("reduced.eigenvalues", reduced.eigenvalues_data);
  visit("reduced.Phi", reduced.Phi_data);
  visit("reduced.Psi", reduced.Psi_data);
  visit("reduced.tets", reduced.tets);
  visit("reduced.lame", reduced.lame);
}

/// The same for the arrays of residual modes, which bodies need not have.
template <class Modes, class Visit>
void for_each_residual_array(Modes& modes, const Visit& visit) {
  visit("residual.contact_nodes", modes.contact_nodes);
  visit("residual.offsets", modes.offsets);
  visit("residual.columns", modes.columns);
  visit("residual.K", modes.K_blocks);
  visit("residual.M", modes.M_blocks);
  visit("residual.sources", modes.sources);
  visit("residual.weights", modes.weights);
}
/// Of the taper of their pairs; files of before have neither.
inline constexpr const char* kReachSection = "residual.reach";

/// The single numbers of a body, as the file holds them.
[[nodiscard]] std::vector<double> single_numbers(const BakedBody& baked);
/// Everything the file holds, in its order. All three arguments must outlive the writer.
void add_sections(SectionWriter& writer, const BakedBody& baked,
                  const std::vector<double>& single_numbers);

}  // namespace limber
