// Scenes from the gallery inside the program, and from files that people drop.
#pragma once

#include "server/session.h"

namespace limber::studio {

class SceneLibrary : public Library {
 public:
  [[nodiscard]] std::vector<Sample> samples() const override;
  [[nodiscard]] std::unique_ptr<Simulation> open_sample(const std::string& name,
                                                        const Progress& progress) override;
  /// A project (.limberproj), a scene (.json), a baked body (.limber), a tet mesh or a surface.
  [[nodiscard]] std::unique_ptr<Simulation> open_file(const std::filesystem::path& path,
                                                      const Progress& progress) override;
  [[nodiscard]] std::unique_ptr<Simulation> open_upload(const std::filesystem::path& path,
                                                        const Progress& progress) override;
  [[nodiscard]] SceneAddition add_sample(const std::string& name) override;
  [[nodiscard]] SceneAddition add_upload(const std::filesystem::path& path) override;

 private:
  [[nodiscard]] std::unique_ptr<Simulation> open_project(const std::filesystem::path& path,
                                                         const Progress& progress) const;
};

}  // namespace limber::studio
