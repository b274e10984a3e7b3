// Scenes from the gallery inside the program, and from files that people drop.
#pragma once

#include "server/session.h"

namespace limber::studio {

class SceneLibrary : public Library {
 public:
  [[nodiscard]] std::vector<Sample> samples() const override;
  [[nodiscard]] std::unique_ptr<Simulation> open_sample(const std::string& name,
                                                        const Progress& progress) override;
  /// A scene (.json), a baked body (.limber), a tet mesh or a surface.
  [[nodiscard]] std::unique_ptr<Simulation> open_file(const std::filesystem::path& path,
                                                      const Progress& progress) override;
};

}  // namespace limber::studio
