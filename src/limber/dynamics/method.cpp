#include "limber/dynamics/method.h"

namespace limber {

namespace {

// Colours of Okabe and Ito, and of Tol, which everyone can tell apart: linear methods red, warped
// ones blue, nonlinear FEM green. Methods of similar colour differ in their dashes, so that print
// without colour can be read.
constexpr std::array<double, 4> kSolid{};
constexpr std::array<double, 4> kLong{7, 3, 0, 0};
constexpr std::array<double, 4> kDots{2, 2.5, 0, 0};
constexpr std::array<double, 4> kDashDot{7, 3, 2, 3};

constexpr std::array kMethods{
    MethodTraits{Method::linear_modal, "linear-modal", "Linear modes",
                 "Fast; swells when it turns far.", 0xD55E00, kSolid, true, false, true},
    MethodTraits{Method::modal_warping, "modal-warping", "Modal warping",
                 "Modes that follow large rotations.", 0x0072B2, kSolid, true, true, true},
    MethodTraits{Method::rotation_strain, "rotation-strain", "Rotation-strain",
                 "Modes of rotation and strain, rebuilt into a shape.", 0xCC79A7, kSolid, true,
                 true, true},
    MethodTraits{Method::reduced, "reduced", "Reduced nonlinear",
                 "Modes and their derivatives, with the forces of nonlinear elements.", 0x117733,
                 kDots, true, true, true},
    MethodTraits{Method::global_local, "global-local", "Global and local",
                 "Modes, and full detail where it is touched.", 0x332288, kDots, true, true, true},
    MethodTraits{Method::linear, "linear", "Linear FEM", "Every node, small rotations only.",
                 0x882255, kLong, false, false, true},
    MethodTraits{Method::stiffness_warping, "stiffness-warping", "Stiffness warping",
                 "Every node, its stiffness turned with it.", 0x56B4E9, kLong, false, true, true},
    MethodTraits{Method::corotational, "corotational", "Corotational FEM",
                 "Every element turned with its own rotation.", 0xE69F00, kDashDot, false, true,
                 true},
    MethodTraits{Method::stvk, "stvk", "Nonlinear FEM (StVK)", "Green strain, every node.",
                 0x009E73, kSolid, false, true, true},
    MethodTraits{Method::neo_hookean, "neo-hookean", "Nonlinear FEM (neo-Hookean)",
                 "Stable under any compression, every node.", 0x44AA99, kDashDot, false, true,
                 true},
    MethodTraits{Method::rigid, "rigid", "Rigid body", "Moves and turns, and never deforms.",
                 0x666666, kSolid, false, true, false},
};

}  // namespace

std::span<const MethodTraits> all_methods() {
  return std::span(kMethods).first(static_cast<std::size_t>(Method::rigid));
}

const MethodTraits& traits(Method method) { return kMethods[static_cast<std::size_t>(method)]; }

std::optional<Method> find_method(std::string_view name) {
  for (const MethodTraits& one : all_methods()) {
    if (one.name == name) return one.method;
  }
  return std::nullopt;
}

}  // namespace limber
