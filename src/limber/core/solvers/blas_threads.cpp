#include "limber/core/solvers/blas_threads.h"

extern "C" __attribute__((weak)) int openblas_get_num_threads();
extern "C" __attribute__((weak)) void openblas_set_num_threads(int threads);

namespace limber {

SingleThreadedBlas::SingleThreadedBlas() {
  if (openblas_get_num_threads == nullptr || openblas_set_num_threads == nullptr) return;
  threads_ = openblas_get_num_threads();
  if (threads_ > 1) openblas_set_num_threads(1);
}

SingleThreadedBlas::~SingleThreadedBlas() {
  if (threads_ > 1) openblas_set_num_threads(threads_);
}

}  // namespace limber
