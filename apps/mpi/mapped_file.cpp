#include "mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "limber/core/error.h"

namespace limber {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& what, const char* remedy) {
    throw Error(what, path.string(), remedy);
  };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    refuse(std::string("cannot open file: ") + std::strerror(errno), "check the path");
  }
  struct stat status {};
  const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  size_ = regular ? static_cast<std::size_t>(status.st_size) : 0;
  void* const mapped =
      size_ == 0 ? nullptr : ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  ::close(descriptor);
  if (!regular) {
    refuse(S_ISDIR(status.st_mode) ? "this is a directory" : "not a regular file", "give a file");
  }
  if (mapped == MAP_FAILED) refuse("cannot be mapped into memory", "use a local disk");
  data_ = static_cast<const char*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace limber
