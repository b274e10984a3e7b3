// The methods that a body can move by: one table of what they are called, how they are drawn and
// what they can do, for program, page, scenes and bindings.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace limber {

enum class Method {
  linear_modal,
  modal_warping,
  rotation_strain,
  reduced,
  global_local,
  linear,
  stiffness_warping,
  corotational,
  stvk,
  neo_hookean,
  rigid  ///< of obstacles with a mass; no method of a mesh
};

struct MethodTraits {
  Method method;
  std::string_view name;         ///< in scenes and on the command line
  std::string_view title;        ///< for people
  std::string_view description;  ///< one sentence
  unsigned colour;               ///< 0xRRGGBB
  std::array<double, 4> dashes;  ///< of its line in a chart, in points; all zero: solid
  bool modal;                    ///< needs a baked model
  bool follows_rotation;         ///< large turns leave the shape whole
  bool built;                    ///< false: the name is reserved, and refused
};

/// Those that a mesh can move by: all but rigid.
[[nodiscard]] std::span<const MethodTraits> all_methods();
[[nodiscard]] const MethodTraits& traits(Method method);
[[nodiscard]] std::optional<Method> find_method(std::string_view name);
[[nodiscard]] inline std::string_view name_of(Method method) { return traits(method).name; }

}  // namespace limber
