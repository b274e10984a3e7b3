// Options that all commands with pictures share: size, samples, methods.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "limber/render/renderer.h"
#include "limber/scene/scene_file.h"

namespace limber {

struct PictureOptions {
  std::string size = "1280x720";
  RenderOptions render;

  void add_to(CLI::App& command);
  /// With the size read; throws Error when it is not WIDTHxHEIGHT.
  [[nodiscard]] RenderOptions checked() const;
};

/// Names between commas, each a method of scenes and none twice; throws Error otherwise.
[[nodiscard]] std::vector<std::string> parse_methods(const std::string& text,
                                                     const std::string& where);

/// Numbers between commas; throws Error when one is none or not finite.
[[nodiscard]] std::vector<double> parse_numbers(const std::string& text, const std::string& where);

}  // namespace limber
