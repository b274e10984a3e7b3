// All memory of liblimber comes through the allocator hook: the linker gives the library's malloc
// and free (also those under `new` and in Eigen) other names, which memory.cpp defines.
#pragma once

namespace limber::c {

/// While one lives, this thread gets from the system what the hook refuses: a step cannot stop
/// half-way.
class NeverRefused {
 public:
  NeverRefused();
  ~NeverRefused();
  NeverRefused(const NeverRefused&) = delete;
  NeverRefused& operator=(const NeverRefused&) = delete;
};

}  // namespace limber::c
