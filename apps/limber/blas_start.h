// How OpenBLAS starts. It reads its environment and starts its threads while it is loaded, before
// main(): it ends the program there when the system gives it no thread, waits for ever for workers
// that get no memory, and does not know processors newer than itself, for which it falls back to
// kernels of 2004, two to four times slower. So the program starts itself again with
//
//   OPENBLAS_NUM_THREADS=1      threads are made when a factorisation is large enough to need them
//   OPENBLAS_CORETYPE=Haswell   or SkylakeX: the best kernels for the processor; results differ in
//                               the last digits between the two
//
// before the constructors of any library run. What the user has set stays.
#pragma once

namespace limber {

/// Lets large factorisations use all cores, unless the user has chosen OPENBLAS_NUM_THREADS.
void start_blas_threads_when_needed();

}  // namespace limber
