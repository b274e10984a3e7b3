// How much memory a process may still take.
#pragma once

namespace limber {

/// Bytes that can be had without others having to give way: what the system calls available, and
/// no more than a container's or cgroup's limit leaves. Infinite where nobody says.
[[nodiscard]] double available_memory();

}  // namespace limber
