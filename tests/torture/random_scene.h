// A scene by its number: bodies of any method, materials from 1e-3 to 1e15 Pa, sizes from 1e-6 to
// 1e6 m, steps from 1e-9 to 10 s, handles whose targets jump, contacts and joints. Made to be
// allowed by the scene's format, not to be sensible.
#pragma once

#include <cstdint>
#include <string>

namespace limber::torture {

/// The text of a scene file.
[[nodiscard]] std::string random_scene(std::uint64_t seed);

}  // namespace limber::torture
