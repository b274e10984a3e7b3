#include "limber/scene/methods.h"

#include <fmt/format.h>

#include <array>

#include "limber/core/error.h"
#include "limber/dynamics/modal_body.h"

namespace limber {

namespace {

Loads loads_of(const BodyDescription& description, const SceneDescription& scene,
               const TetMesh& mesh) {
  Loads loads;
  loads.gravity = scene.gravity;
  for (std::size_t k = 0; k < description.forces.size(); ++k) {
    const ForceDescription& force = description.forces[k];
    const std::string where = fmt::format("{}, forces[{}]", description.name, k);
    loads.forces.push_back(
        {find_nodes(mesh, force.nodes, where), force.force, force.from, force.to});
  }
  return loads;
}

SupportMotion support_of(const BodyDescription& description) {
  if (description.support.empty()) return {};
  return SupportMotion(description.support, description.support_interpolation,
                       fmt::format("{}, support", description.name));
}

std::unique_ptr<DynamicBody> make_modal(const BodyDescription& description, Loads loads,
                                        const BodySource& source) {
  ModalBodyOptions options;
  options.method =
      description.method == "linear-modal" ? ModalMethod::linear : ModalMethod::warping;
  options.integrator = description.integrator;
  options.damping = description.damping;
  options.coriolis = description.coriolis;
  return std::make_unique<ModalBody>(source.modes, options, std::move(loads),
                                     support_of(description));
}

}  // namespace

bool needs_modes(const std::string& method) {
  constexpr std::array kModal{"linear-modal", "modal-warping"};
  return std::find(kModal.begin(), kModal.end(), method) != kModal.end();
}

std::unique_ptr<DynamicBody> make_dynamics(const BodyDescription& description,
                                           const SceneDescription& scene,
                                           const BodySource& source) {
  if (needs_modes(description.method)) {
    return make_modal(description, loads_of(description, scene, source.mesh), source);
  }
  throw Error(fmt::format("method \"{}\" is not part of this version", description.method),
              description.name, "use modal-warping or linear-modal");
}

}  // namespace limber
