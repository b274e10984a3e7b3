// The mass of a warped body by few of its nodes: where its centre is, its inertia, and what fields
// of acceleration do to it by work, in a microsecond or two whatever the mesh.
//
// With u = Φq, w = Ψq, d = R~(w)u, arms Y from the mass centre at rest and samples' masses μ and ν:
//   s = S q + qᵀQq + Σ_c μ_c κ_c / m,  κ = d − u − ½ w×u  (mass centre; two orders exact),
//   P = P₀ + A(q) + A(q)ᵀ + Σ_c ν_c ((Y+d)(Y+d)ᵀ − YYᵀ) − m s sᵀ  (second moments about it),
// A being what the samples miss of Σ u Yᵀ, so that first orders are exact. Forces are derivatives
// of these, so that uniform fields keep a potential. The samples' sums are in float: 1e-6.
#pragma once

#include <vector>

#include "limber/dynamics/frame/acceleration_field.h"
#include "limber/dynamics/frame/mass_motion.h"
#include "limber/dynamics/modal/mass_samples_kernel.h"
#include "limber/dynamics/modal/warp.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

/// Nodes with masses that stand for all the others.
struct MassRule {
  std::vector<int> nodes;
  Vector centre_masses;  ///< for the mass centre, kg
  Vector moment_masses;  ///< for second moments, kg
};

struct MassRuleOptions {
  int nodes = 96;
  double largest_rotation = 1.5;  ///< rad; states are trained up to it
};

/// Always the same rule for the same body. Takes some 0.5 s for 1000 nodes × 20 modes.
[[nodiscard]] MassRule train_mass_rule(const ModalModel& model,
                                       const MassRuleOptions& options = {});

/// Keeps scratch memory: no call allocates, and one object serves one thread.
class MassSamples {
 public:
  /// Keeps nothing of the model itself.
  explicit MassSamples(const ModalModel& model, const MassRule& rule);

  [[nodiscard]] MassMotion motion(const Vector& q, const Vector& v);
  /// Of the mass centre since rest.
  [[nodiscard]] Vec3 shift(const Vector& q);
  /// Its derivative by q.
  void shift_rows(const Vector& q, ThreeRows& rows);
  /// f += (∂x/∂q)ᵀ M a(x(q), u̇(q, v)).
  void add_field(const AccelerationField& field, const Vector& q, const Vector& v, Vector& f);

 private:
  void load_state(const Vector& q);
  [[nodiscard]] kernels::SampleTables tables() const;
  [[nodiscard]] Mat3 missed_moments(const Vector& x) const;
  /// f += m (∂s/∂q)ᵀ a where the samples do not matter.
  void add_exact_part(const Vec3& a, Vector& f);
  void add_samples(const kernels::SampleField& field, Vector& f);

  double mass_ = 0;
  Vec3 rest_centre_ = Vec3::Zero();
  Mat3 rest_moments_ = Mat3::Zero();  // P₀, kg m²
  ThreeRows shift_;                   // S
  ModeMatrix bend_;                   // the three Q, symmetric, one below the other: 3m×m
  ModeMatrix missed_;                 // rows 3k+l: Σ Φ_k Y_l without that of the samples, 9×m

  int modes_ = 0;
  int lanes_ = 0;
  std::vector<float> shapes_, arms_, centre_masses_, moment_masses_;  // see SampleTables
  std::vector<float> q_, v_, f_, scratch_;
  Vector bent_;  // the three Q q
  Vector row_;
};

}  // namespace limber
