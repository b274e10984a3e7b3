// Keeping BLAS on one thread where more would only wait for each other.
#pragma once

namespace limber {

/// While this lives, OpenBLAS works on the caller's thread alone. Its threads spin while they wait,
/// so that on a busy machine short products take ten times as long with two of them as with one.
/// Does nothing where another BLAS is linked.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int threads_ = 0;
};

}  // namespace limber
