// Watches every heap allocation of the test program, Eigen's included. Include in one file only.
#pragma once

#include <atomic>
#include <cstddef>

namespace limber::test {
inline std::atomic<long> allocations = 0;
inline std::atomic<std::size_t> largest_allocation = 0;

inline void note_allocation(std::size_t size) {
  ++allocations;
  if (size > largest_allocation) largest_allocation = size;
}
}  // namespace limber::test

#if defined(LIMBER_SANITIZE)
// GCC links this function but does not ship the header that declares it.
extern "C" int __sanitizer_install_malloc_and_free_hooks(  // NOLINT: the sanitizer's name
    void (*malloc_hook)(const volatile void*, std::size_t),
    void (*free_hook)(const volatile void*));

namespace limber::test {
inline const int hooks_installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t size) { note_allocation(size); },
    [](const volatile void*) {});
}
#else
// glibc lets a program replace malloc; operator new and Eigen's aligned memory both end here.
extern "C" {
void* __libc_malloc(std::size_t size);  // NOLINT: glibc's name
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  limber::test::note_allocation(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  limber::test::note_allocation(count * size);
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  limber::test::note_allocation(size);
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  limber::test::note_allocation(size);
  return __libc_memalign(alignment, size);
}
}
#endif
