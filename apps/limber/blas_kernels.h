// OpenBLAS chooses its kernels when it is loaded, and does not know processors newer than itself:
// it then falls back to kernels of 2004, two to four times slower.
#pragma once

namespace limber {

/// Starts the program again with OPENBLAS_CORETYPE set when the library chose far below what the
/// processor can do. Does nothing when the choice is fine, the user set the variable, or OpenBLAS
/// is not linked.
void restart_with_fast_blas(char** argv);

}  // namespace limber
