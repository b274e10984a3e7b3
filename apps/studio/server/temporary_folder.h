// A folder of our own that goes away with everything in it.
#pragma once

#include <filesystem>

namespace limber::studio {

class TemporaryFolder {
 public:
  /// Readable by this user alone. Throws Error when there is no room for one.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace limber::studio
