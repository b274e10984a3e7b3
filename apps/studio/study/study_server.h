// `limber study`: from a plan to a running server.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "limber/core/progress.h"

namespace limber::studio {

struct StudyOptions {
  std::filesystem::path plan;
  std::filesystem::path out;
  std::string host = "127.0.0.1";
  unsigned short port = 8080;  ///< 0 takes any free one
};

/// Reads the plan, makes its films, listens, calls `ready` with the address and serves until it is
/// told to end. Throws Error.
void run_study(const StudyOptions& options, const Progress& progress,
               const std::function<void(const std::string&)>& ready);

}  // namespace limber::studio
