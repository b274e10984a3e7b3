#include "server/studio.h"

#include "server/samples.h"
#include "server/scene_library.h"

namespace limber::studio {

void run_studio(const std::filesystem::path& what, const ServerOptions& options,
                const Progress& progress, const std::function<void(const std::string&)>& ready) {
  SceneLibrary library;
  std::unique_ptr<Simulation> first =
      what.empty() ? library.open_sample(sample_scenes().front().name, progress)
                   : library.open_file(what, progress);
  Server server(options, library, embedded_page(), std::move(first));
  ready(server.address());
  server.run(true);
}

}  // namespace limber::studio
