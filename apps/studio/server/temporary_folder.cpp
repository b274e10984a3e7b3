#include "server/temporary_folder.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include "limber/core/error.h"

namespace limber::studio {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "limber-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error("no temporary folder can be made", pattern, "free some space or set TMPDIR",
                Error::Kind::work_failed);
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace limber::studio
