#include "limber/material/material.h"

#include <cmath>
#include <string>

#include "limber/core/error.h"

namespace limber {

void check(const Material& material, const char* where) {
  const auto refuse = [&](const std::string& what, const char* remedy) {
    throw Error(what, where, remedy);
  };
  if (!(material.young > 0) || !std::isfinite(material.young)) {
    refuse("Young's modulus must be positive and finite, not " + std::to_string(material.young),
           "give Pa, for example 1e6 for soft rubber");
  }
  if (!(material.poisson > -1 && material.poisson < 0.5)) {
    refuse("Poisson's ratio must lie between -1 and 0.5, not " + std::to_string(material.poisson),
           "use 0.45 to 0.49 for nearly incompressible bodies");
  }
  if (!(material.density > 0) || !std::isfinite(material.density)) {
    refuse("density must be positive and finite, not " + std::to_string(material.density),
           "give kg/m3, for example 1000 for water");
  }
}

void check(const Materials& materials) {
  check(materials.base, "material");
  for (const auto& [region, material] : materials.by_region) {
    check(material, ("region " + std::to_string(region)).c_str());
  }
}

}  // namespace limber
