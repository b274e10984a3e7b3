// Isotropic linear elasticity, one set of parameters per region, and Rayleigh damping.
#pragma once

#include <map>

namespace limber {

/// Young's modulus in Pa, Poisson's ratio, density in kg/m³.
struct Material {
  double young = 1e6;
  double poisson = 0.33;
  double density = 1000;

  /// Lamé's constants, Pa.
  [[nodiscard]] double lambda() const {
    return young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  }
  [[nodiscard]] double mu() const { return young / (2 * (1 + poisson)); }

  bool operator==(const Material&) const = default;
};

/// Throws Error unless E > 0, -1 < nu < 0.5 and density > 0, all finite. `where` names the place.
void check(const Material& material, const char* where);

/// The material of every region; regions not named have `base`.
struct Materials {
  Material base;
  std::map<int, Material> by_region;

  Materials() = default;
  Materials(const Material& material) : base(material) {}  // NOLINT: one material is the usual case

  [[nodiscard]] const Material& of(int region) const {
    const auto found = by_region.find(region);
    return found == by_region.end() ? base : found->second;
  }
};

/// Throws Error when any of them is out of range.
void check(const Materials& materials);

/// Rayleigh's damping C = mass·M + stiffness·K; mass in 1/s, stiffness in s.
struct Damping {
  double mass = 0;
  double stiffness = 0;
};

}  // namespace limber
