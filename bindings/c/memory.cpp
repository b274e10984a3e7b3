#include "memory.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arguments.h"
#include "results.h"

extern "C" {
void* __real_malloc(std::size_t size);
void __real_free(void* memory);
char* __real_realpath(const char* path, char* resolved);
char* __real_getcwd(char* buffer, std::size_t size);
}

namespace {

/// Before every block: how to give it back, and its size for realloc().
struct BlockHeader {
  void* base;
  void (*release)(void* memory, void* user);
  void* user;
  std::size_t size;
};
constexpr std::size_t kAlignment = 16;
static_assert(sizeof(BlockHeader) % kAlignment == 0);

void* system_allocate(std::size_t size, void* /*user*/) { return __real_malloc(size); }
void system_release(void* memory, void* /*user*/) { __real_free(memory); }

std::atomic<void* (*)(std::size_t, void*)> hook_allocate{system_allocate};
std::atomic<void (*)(void*, void*)> hook_release{system_release};
std::atomic<void*> hook_user{nullptr};

thread_local int never_refused = 0;

void* take(std::size_t size, std::size_t alignment) {
  BlockHeader header{nullptr, hook_release, hook_user, size};
  const std::size_t more = sizeof(BlockHeader) + (alignment > kAlignment ? alignment : 0);
  if (size <= PTRDIFF_MAX - more) {
    header.base = hook_allocate.load()(size + more, header.user);
    if (header.base == nullptr && never_refused > 0) {
      header.release = system_release;
      header.base = __real_malloc(size + more);
    }
  }
  if (header.base == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  auto place = reinterpret_cast<std::uintptr_t>(header.base) + sizeof(BlockHeader);
  place = (place + alignment - 1) / alignment * alignment;
  std::memcpy(reinterpret_cast<void*>(place - sizeof(BlockHeader)), &header, sizeof header);
  return reinterpret_cast<void*>(place);
}

BlockHeader header_of(const void* memory) {
  BlockHeader header;
  std::memcpy(&header, static_cast<const std::byte*>(memory) - sizeof header, sizeof header);
  return header;
}

}  // namespace

namespace limber::c {

NeverRefused::NeverRefused() { ++never_refused; }
NeverRefused::~NeverRefused() { --never_refused; }

}  // namespace limber::c

extern "C" {

void* __wrap_malloc(std::size_t size) { return take(size, kAlignment); }

void __wrap_free(void* memory) {
  if (memory == nullptr) return;
  const BlockHeader header = header_of(memory);
  header.release(header.base, header.user);
}

void* __wrap_calloc(std::size_t count, std::size_t size) {
  if (size != 0 && count > PTRDIFF_MAX / size) return nullptr;
  void* memory = take(count * size, kAlignment);
  if (memory != nullptr) std::memset(memory, 0, count * size);
  return memory;
}

void* __wrap_realloc(void* memory, std::size_t size) {
  void* larger = take(size, kAlignment);
  if (memory == nullptr || larger == nullptr) return larger;
  const std::size_t before = header_of(memory).size;
  std::memcpy(larger, memory, before < size ? before : size);
  __wrap_free(memory);
  return larger;
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  return take(size, alignment < kAlignment ? kAlignment : alignment);
}

int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = __wrap_aligned_alloc(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

char* __wrap_strdup(const char* text) {
  const std::size_t size = std::strlen(text) + 1;
  void* copy = take(size, kAlignment);
  return copy == nullptr ? nullptr : static_cast<char*>(std::memcpy(copy, text, size));
}

char* __wrap_realpath(const char* path, char* resolved) {
  if (resolved != nullptr) return __real_realpath(path, resolved);
  std::array<char, PATH_MAX> found;
  return __real_realpath(path, found.data()) == nullptr ? nullptr : __wrap_strdup(found.data());
}

char* __wrap_getcwd(char* buffer, std::size_t size) {
  if (buffer != nullptr) return __real_getcwd(buffer, size);
  std::array<char, PATH_MAX> found;
  return __real_getcwd(found.data(), found.size()) == nullptr ? nullptr
                                                              : __wrap_strdup(found.data());
}

limber_result limber_set_allocator(const limber_allocator* allocator) {
  return limber::c::guarded([&] {
    limber_allocator hooks{sizeof hooks, system_allocate, system_release, nullptr};
    if (allocator != nullptr) hooks = limber::c::versioned(allocator, "allocator");
    limber::c::require(hooks.allocate, "allocate");
    limber::c::require(hooks.release, "release");
    hook_user = hooks.user;
    hook_release = hooks.release;
    hook_allocate = hooks.allocate;
  });
}

}  // extern "C"
