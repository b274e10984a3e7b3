// How many threads OpenBLAS works with. Does nothing where another BLAS is linked.
#pragma once

namespace limber {

/// While this lives, OpenBLAS works on the caller's thread alone. Its threads spin while they wait,
/// so that on a busy machine short products take ten times as long with two of them as with one.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int threads_ = 0;
};

/// For programs that started OpenBLAS with one thread: from now on ManyThreadedBlas makes more.
void use_blas_threads_when_needed();

/// While this lives, OpenBLAS may work on all cores, where use_blas_threads_when_needed() was
/// called and the system gives the threads: OpenBLAS itself would wait for ever for one that it did
/// not get. Otherwise it works with as many as before.
class ManyThreadedBlas {
 public:
  ManyThreadedBlas();
  ~ManyThreadedBlas();
  ManyThreadedBlas(const ManyThreadedBlas&) = delete;
  ManyThreadedBlas& operator=(const ManyThreadedBlas&) = delete;

 private:
  int before_ = 0;
};

/// OpenBLAS keeps asking for its first buffer until it gets it. Throws std::bad_alloc where the
/// process may not have that much; to be called before the first product.
void check_blas_memory();

}  // namespace limber
