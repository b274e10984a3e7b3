// The inner loops of Cubature, for every instruction set.
#pragma once

namespace limber::kernels {

/// Looks into a Cubature's tables; see there.
struct CubatureTables {
  int modes;
  int nodes;         // a multiple of 16
  int lanes;         // a multiple of 16, at least nodes + modes + 1
  const float* Psi;  // both end with a row of zeros when the modes are odd
  const float* outputs;
  float* scratch;  // 4·lanes
};

/// f (modes) += the modal force of the acceleration a (3) at q (modes).
void add_cubature(const CubatureTables& tables, const double* a, const double* q, double* f);

}  // namespace limber::kernels
