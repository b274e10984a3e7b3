// What `limber --version` says.
#pragma once

#include <string>

namespace limber {

/// "limber 0.2.0 (AVX3 lanes, CHOLMOD, GCC 12.2.0)": the version, the instructions that the kernels
/// use on this processor, the sparse factorisation, and the compiler.
[[nodiscard]] std::string version_text();

}  // namespace limber
