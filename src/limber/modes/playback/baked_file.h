// The .limber file: a ModalModel and its packed surface, ready to play.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "limber/modes/playback/modal_model.h"
#include "limber/modes/playback/packed_surface.h"
#include "limber/modes/playback/residual_modes.h"

namespace limber {

struct BakedBody {
  ModalModel body;
  PackedSurface surface;
  ResidualModes residual = {};  ///< for local detail; empty where none was baked
  /// How the surface stood in its file, packed (modes/surface_source.h); empty where that says no
  /// more than the body does.
  SharedArray<char> surface_source = {};
};

/// Written whole or not at all.
void write_baked(const std::filesystem::path& path, const BakedBody& baked);

/// Maps the file; the arrays look straight into it. Throws Error when it is cut short, damaged, of
/// another version, or does not fit together.
[[nodiscard]] BakedBody read_baked(const std::filesystem::path& path);

/// The same of a file's bytes, which are copied; `name` is for messages.
[[nodiscard]] BakedBody read_baked(std::span<const std::byte> bytes, const std::string& name);

}  // namespace limber
