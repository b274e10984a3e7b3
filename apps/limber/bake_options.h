// The options of `bake` beyond those of `modes`: where the body goes and what people see of it.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "limber/modes/playback/packed_surface.h"

namespace limber {

struct BakeOptions {
  std::filesystem::path output;
  std::filesystem::path surface;
  std::string storage = "float32";

  /// Returns the option of the output.
  CLI::Option* add_to(CLI::App& command);
  [[nodiscard]] Precision precision() const {
    return storage == "int16" ? Precision::int16 : Precision::float32;
  }
  /// The same options for another program.
  [[nodiscard]] std::vector<std::string> arguments() const;
};

}  // namespace limber
