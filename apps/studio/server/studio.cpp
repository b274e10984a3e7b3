#include "server/studio.h"

#include <cstdlib>

#include "server/samples.h"
#include "server/scene_library.h"

namespace limber::studio {

namespace {

/// Where programs keep what shall outlive them (XDG base directories); empty without a home.
std::filesystem::path place_to_keep() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (state != nullptr && *state == '/') {
    folder = state;
  } else if (home != nullptr && *home == '/') {
    folder = std::filesystem::path(home) / ".local" / "state";
  } else {
    return {};
  }
  return folder / "limber" / "studio.limberproj";
}

}  // namespace

void run_studio(const std::filesystem::path& what, const ServerOptions& options,
                const Progress& progress, const std::function<void(const std::string&)>& ready) {
  SceneLibrary library;
  ServerOptions complete = options;
  complete.keep = place_to_keep();
  std::unique_ptr<Simulation> first =
      what.empty() ? library.open_sample(sample_scenes().front().name, progress)
                   : library.open_file(what, progress);
  Server server(complete, library, embedded_page(), std::move(first));
  ready(server.address());
  server.run(true);
}

}  // namespace limber::studio
