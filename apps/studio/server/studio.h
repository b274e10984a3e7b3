// `limber studio`: from what was opened to a running server.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "limber/core/progress.h"
#include "server/server.h"

namespace limber::studio {

/// Opens `what` (a scene, mesh or baked body; empty: the first sample), listens, calls `ready` with
/// the address and serves until it is told to end. Throws Error.
void run_studio(const std::filesystem::path& what, const ServerOptions& options,
                const Progress& progress, const std::function<void(const std::string&)>& ready);

}  // namespace limber::studio
