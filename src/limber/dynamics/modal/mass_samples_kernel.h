// The sums over a body's mass samples, in float, for every instruction set.
#pragma once

namespace limber::kernels {

/// Sampled nodes side by side, filled up with zeros to a multiple of the widest vector.
struct SampleTables {
  int modes;
  int lanes;
  const float* shapes;  ///< for each mode Φx, Φy, Φz, Ψx, Ψy, Ψz of all lanes
  const float* arms;    ///< Yx, Yy, Yz
  const float* centre_masses;
  const float* moment_masses;
};

/// Σ μκ, Σ μκ̇, Σ ν((Y+d)(Y+d)ᵀ − YYᵀ) as xx, yy, zz, xy, xz, yz, and Σ ν (Y+d)×ḋ.
struct SampleSums {
  float centre[3];
  float centre_rate[3];
  float moments[6];
  float spin[3];
};

/// `q` and `v` have `modes` numbers.
void sum_samples(const SampleTables& tables, const float* q, const float* v, SampleSums& sums);
/// The mass centre's alone.
void sum_centre(const SampleTables& tables, const float* q, float* centre);

/// Accelerations of the samples: μ a acts through κ, −ν (gradient (Y+d) + 2 spin × ḋ) through d.
struct SampleField {
  float a[3];
  float gradient[9];  ///< row by row
  float spin[3];
  bool turning;  ///< whether gradient and spin count
};

/// f[modes] = what the forces do to the modes. `scratch` has room for 6 × lanes numbers.
void sum_forces(const SampleTables& tables, const SampleField& field, const float* q,
                const float* v, float* scratch, float* f);

}  // namespace limber::kernels
