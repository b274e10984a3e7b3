// The sums over a rotation-strain shape's samples, in float, for every instruction set.
#pragma once

namespace limber::kernels {

/// Sampled tets side by side, filled up with zeros to a multiple of the widest vector.
struct StrainTables {
  int modes;
  int lanes;
  const float* shapes;  ///< for each mode s = S d (x, y, z) and w (x, y, z) of all lanes
  const float* arms;    ///< d: x, y, z
};

/// Σ κ(q), κ = exp(w)(I + S) d − d − s − w×d − w×s − ½ w×(w×d).
void sum_strain_shift(const StrainTables& tables, const float* q, float* shift);

/// f[modes] = the derivative by q of a·Σ κ. `scratch` has room for 6 × lanes numbers.
void sum_strain_forces(const StrainTables& tables, const float* a, const float* q, float* scratch,
                       float* f);

}  // namespace limber::kernels
