#include "limber/core/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "limber/core/error.h"

namespace limber {

namespace {
constexpr std::size_t kWriteBuffer = 1 << 20;

std::string system_message() { return std::strerror(errno); }
}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path, Loading loading) {
  const std::string name = path.string();
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw Error("cannot open file: " + system_message(), name, "check the path");
  struct stat status {};
  const bool known = ::fstat(descriptor, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw Error(known && S_ISDIR(status.st_mode) ? "this is a directory" : "not a regular file",
                name, "give a file");
  }
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ > 0) {
    const int flags = MAP_PRIVATE | (loading == Loading::at_once ? MAP_POPULATE : 0);
    void* mapped = ::mmap(nullptr, size_, PROT_READ, flags, descriptor, 0);
    if (mapped == MAP_FAILED) {
      const std::string message = system_message();
      ::close(descriptor);
      throw Error("cannot map file: " + message, name, "check that it is an ordinary file");
    }
    data_ = static_cast<const std::byte*>(mapped);
  }
  ::close(descriptor);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(target) {
  const std::string name = target.string();
  if (std::filesystem::is_directory(target)) {
    throw Error("cannot write: this is a directory", name, "give a file name");
  }
  std::string pattern = name + ".XXXXXX";
  descriptor_ = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    throw Error("cannot write here: " + system_message(), name,
                "check that the folder exists and is writable", Error::Kind::work_failed);
  }
  temporary_ = pattern;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::write(std::string_view text) {
  size_ += text.size();
  buffer_.append(text);
  if (buffer_.size() >= kWriteBuffer) flush();
}

void AtomicFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      throw Error("cannot write: " + system_message(), target_.string(), "free some disk space",
                  Error::Kind::work_failed);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  // mkostemp makes files private; give them what the user's umask allows.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor_, 0666 & ~mask);
  const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (!closed || ::rename(temporary_.c_str(), target_.c_str()) != 0) {
    throw Error("cannot finish file: " + system_message(), target_.string(),
                "check the disk and the folder's permissions", Error::Kind::work_failed);
  }
  temporary_.clear();
}

void write_file(const std::filesystem::path& target, std::string_view contents) {
  AtomicFile file(target);
  file.write(contents);
  file.commit();
}

}  // namespace limber
