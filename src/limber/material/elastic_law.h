// The nonlinear laws of elasticity that bodies can follow.
#pragma once

#include <array>
#include <string_view>

namespace limber {

enum class ElasticLaw {
  corotational,  ///< fem/corotational.h
  stvk,          ///< fem/stvk.h
  neo_hookean    ///< fem/neo_hookean.h, with its origin barrier
};
inline constexpr int kElasticLaws = 3;
/// In scenes and on the command line.
inline constexpr std::array<std::string_view, kElasticLaws> kElasticLawNames{"corotational", "stvk",
                                                                             "neo-hookean"};

}  // namespace limber
