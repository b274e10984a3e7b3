#include "limber/scene/read_full_space.h"

#include <array>

namespace limber {

void read_full_space(const JsonReader& json, FullBodyOptions& options) {
  json.only({"rotation_field", "warping", "network", "exact_tangent", "keep_momentum",
             "linearisations", "explicit", "tolerance"});
  json.optional("rotation_field", [&](const JsonReader& value) {
    constexpr std::array kFields{RotationField::edges_polar, RotationField::edge_frames,
                                 RotationField::whole_body};
    options.rotation_field = kFields[value.choice({"polar", "frames", "body"})];
  });
  json.optional("warping", [&](const JsonReader& value) {
    options.warping = value.choice({"rows", "symmetric"}) == 0 ? Warping::rows : Warping::symmetric;
  });
  json.optional("network", [&](const JsonReader& value) {
    options.network =
        value.choice({"elements", "springs"}) == 0 ? Network::finite_elements : Network::springs;
  });
  json.optional("exact_tangent",
                [&](const JsonReader& value) { options.exact_tangent = value.boolean(); });
  json.optional("explicit", [&](const JsonReader& value) {
    options.integrator =
        value.boolean() ? TimeIntegrator::symplectic_euler : TimeIntegrator::implicit_euler;
  });
  json.optional("keep_momentum",
                [&](const JsonReader& value) { options.keep_momentum = value.boolean(); });
  json.optional("linearisations", [&](const JsonReader& value) {
    options.newton_iterations = value.integer(1, 100);
  });
  json.optional("tolerance",
                [&](const JsonReader& value) { options.tolerance = value.positive(); });
}

AdaptiveOptions read_adaptive(const JsonReader& json) {
  json.only({"refine", "coarsen", "calm"});
  AdaptiveOptions options;
  json.optional("refine", [&](const JsonReader& value) {
    options.refine = value.positive();
    options.coarsen = options.refine / 4;
  });
  json.optional("coarsen", [&](const JsonReader& value) { options.coarsen = value.positive(); });
  json.optional("calm", [&](const JsonReader& value) { options.calm = value.not_negative(); });
  check(options, json.place().c_str());
  return options;
}

}  // namespace limber
