// Whether the library that a test runs with is under the sanitizers: some ten times slower.
#pragma once

extern "C" __attribute__((weak)) void __asan_init();

namespace limber {

inline bool under_sanitizers() { return &__asan_init != nullptr; }

}  // namespace limber
