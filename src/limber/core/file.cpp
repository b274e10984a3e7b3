#include "limber/core/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "limber/core/error.h"
#include "limber/core/output_unit.h"
#include "limber/core/write_all.h"

namespace limber {

namespace {

constexpr std::size_t kWriteBuffer = 1 << 20;

/// Closed when this goes.
struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

std::string system_message() { return std::strerror(errno); }

/// Fills the buffer, or says how much there was.
ssize_t read_all(int descriptor, char* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t bytes = ::read(descriptor, to + done, size - done);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return bytes;
    if (bytes == 0) break;
    done += static_cast<std::size_t>(bytes);
  }
  return static_cast<ssize_t>(done);
}

}  // namespace

FileBytes::FileBytes(const std::filesystem::path& path) {
  const std::string name = path.string();
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number < 0) throw Error("cannot open file: " + system_message(), name, "check the path");
  struct stat status {};
  const bool known = ::fstat(file.number, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    throw Error(known && S_ISDIR(status.st_mode) ? "this is a directory" : "not a regular file",
                name, "give a file");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return;
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const ssize_t read = read_all(file.number, static_cast<char*>(memory), size);
  if (read != status.st_size) {
    const std::string what = read < 0 ? "cannot read file: " + system_message()
                                      : "the file was shortened while it was read";
    ::munmap(memory, size);
    throw Error(what, name, "try again when nothing writes to it", Error::Kind::work_failed);
  }
  data_ = static_cast<const std::byte*>(memory);
  size_ = size;
}

FileBytes::~FileBytes() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

AtomicFile::AtomicFile(const std::filesystem::path& target) : target_(file_target(target)) {
  if (!target_.streamed) {
    temporary_.emplace(target_.real, Temporary::Kind::file);
    descriptor_ = temporary_->descriptor();
    return;
  }
  descriptor_ = open_nameless(std::filesystem::temp_directory_path());
  if (descriptor_ < 0) fail("no temporary file can be made: " + system_message(), "check TMPDIR");
}

AtomicFile::~AtomicFile() {
  if (!temporary_ && descriptor_ >= 0) ::close(descriptor_);
}

void AtomicFile::fail(const std::string& what, const char* remedy) const {
  throw Error(what, target_.named.string(), remedy, Error::Kind::work_failed);
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
  if (!write_all(descriptor_, buffer_)) {
    fail("cannot write: " + system_message(), "free some disk space");
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (temporary_) {
    descriptor_ = -1;
    put_in_place(StagedOutput{target_, std::move(*temporary_)});
    temporary_.reset();
  } else {
    put_in_place(StagedStream(target_, std::exchange(descriptor_, -1)));
  }
}

void write_file(const std::filesystem::path& target, std::string_view contents) {
  AtomicFile file(target);
  file.write(contents);
  file.commit();
}

void write_within(const Temporary& folder, const std::string& name, std::string_view contents) {
  const std::filesystem::path path = folder.path() / name;
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.number < 0 || !write_all(file.number, contents)) {
    throw Error("cannot write: " + system_message(), path.string(), "free some disk space",
                Error::Kind::work_failed);
  }
}

}  // namespace limber
