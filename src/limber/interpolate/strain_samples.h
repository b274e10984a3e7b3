// The mass centre of a rotation-strain shape by few of its tets: what uniform fields do to it by
// work, in a microsecond or two whatever the mesh.
//
// The mass centre shifts by Σ_e (F_e − I) d_e / m, F = exp(w)(I + S) and d constant. The first two
// orders in q are summed once over all tets; what is behind them,
//   κ = F d − d − S d − w×d − w×S d − ½ w×(w×d),
// comes from some tets c with arms d̃_c of their own. Forces are derivatives of that, so that fields
// keep a potential. The samples' sums are in float: 1e-6.
#pragma once

#include <functional>
#include <vector>

#include "limber/dynamics/modal/warp.h"
#include "limber/interpolate/strain_samples_kernel.h"
#include "limber/modes/playback/modal_model.h"

namespace limber {

/// How one tet turns and stretches with the amplitudes, and its part of the mass centre.
struct StrainElement {
  Eigen::Matrix<double, 3, Eigen::Dynamic> turn;     // w = turn q
  Eigen::Matrix<double, 9, Eigen::Dynamic> stretch;  // S = stretch q, column by column
  Vec3 arm;                                          // d, kg m
};

/// Keeps scratch memory: no call allocates, and one object serves one thread.
class StrainSamples {
 public:
  static constexpr int kSamples = 64;
  static constexpr double kLargestRotation = 1.5;  ///< rad; states are trained up to it

  /// `element` gives one of `elements` tets. Always the same samples for the same body.
  StrainSamples(const ModalModel& model, int elements,
                const std::function<StrainElement(int)>& element);

  /// The mass centre's shift times the mass, kg m.
  [[nodiscard]] Vec3 shift(const Vector& q);
  /// f += its derivative's transpose times a.
  void add_uniform(const Vec3& a, const Vector& q, Vector& f);

 private:
  [[nodiscard]] kernels::StrainTables tables() const;
  void load_state(const Vector& q);

  int modes_ = 0;
  int lanes_ = 0;
  ThreeRows shift_;                   // first order
  ModeMatrix bend_;                   // second order: three symmetric matrices, one below the other
  std::vector<float> shapes_, arms_;  // see StrainTables
  std::vector<float> q_, f_, scratch_;
  Vector bent_;
};

}  // namespace limber
