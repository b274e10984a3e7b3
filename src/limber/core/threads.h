// A few threads that wait for work, so that a step can use them without starting any.
#pragma once

#include <memory>
#include <type_traits>

namespace limber {

/// Calls work(context, part) for every part from 0 to parts−1, each on a thread of its own, the
/// first on the caller's, and so those for which the system gives no thread; returns when all are
/// done. Threads are started when first needed and kept; after that nothing is allocated. Calls
/// from several threads take turns.
void run_parts(int parts, void (*work)(void* context, int part), void* context);

/// The same for anything callable with a part's number; it must not throw.
template <class Work>
void run_parts(int parts, Work&& work) {
  using Plain = std::remove_reference_t<Work>;
  run_parts(
      parts, [](void* context, int part) { (*static_cast<Plain*>(context))(part); },
      const_cast<void*>(static_cast<const void*>(std::addressof(work))));
}

}  // namespace limber
