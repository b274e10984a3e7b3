#include "limber/interpolate/motion/keyed_fields.h"

#include "limber/interpolate/trajectories/calm_curve.h"

namespace limber {

namespace {

/// The calm slope between the secants `before` and `behind`, of any fixed-size matrix.
template <typename Matrix>
Matrix calm_slope(const Matrix& before, const Matrix& behind, double share) {
  const Matrix mean = (1 - share) * before + share * behind;
  return calm_slope_factor(before.cwiseProduct(behind).sum(), before.norm(), behind.norm(),
                           mean.norm()) *
         mean;
}

}  // namespace

std::vector<RotationStrain> calm_slopes(const std::vector<double>& times,
                                        const std::vector<RotationStrain>& coordinates) {
  const std::size_t count = times.size();
  std::vector<RotationStrain> slopes(count);
  const auto rotation_secant = [&](std::size_t k, int element) {
    const Vec3 change = coordinates[k + 1].w.row(element) - coordinates[k].w.row(element);
    return Vec3(change / (times[k + 1] - times[k]));
  };
  const auto strain_secant = [&](std::size_t k, int element) {
    const Mat3 change = coordinates[k + 1].S[element] - coordinates[k].S[element];
    return Mat3(change / (times[k + 1] - times[k]));
  };
  for (std::size_t k = 0; k < count; ++k) {
    const int elements = coordinates[k].element_count();
    slopes[k].w.resize(elements, 3);
    slopes[k].S.resize(elements);
    const std::size_t before = k == 0 ? 0 : k - 1;
    const std::size_t behind = k + 1 == count ? count - 2 : k;
    const double share =
        k == 0 || k + 1 == count ? 0 : (times[k] - times[k - 1]) / (times[k + 1] - times[k - 1]);
    for (int element = 0; element < elements; ++element) {
      slopes[k].w.row(element) =
          calm_slope(rotation_secant(before, element), rotation_secant(behind, element), share)
              .transpose();
      slopes[k].S[element] =
          calm_slope(strain_secant(before, element), strain_secant(behind, element), share);
    }
  }
  return slopes;
}

KeyedFields::KeyedFields(std::vector<double> times, const std::vector<RotationStrain>& coordinates,
                         const FrameKernel& kernel)
    : times_(std::move(times)) {
  for (const RotationStrain& pose : coordinates) values_.push_back(kernel.field(pose));
  if (times_.size() == 2) return;
  for (const RotationStrain& slope : calm_slopes(times_, coordinates)) {
    slopes_.push_back(kernel.field(slope));
  }
}

void KeyedFields::add_terms(double t, double factor, std::vector<FieldTerm>& terms) const {
  const HermiteWeights weights = hermite_weights(times_, t);
  for (int k = 0; k < 2; ++k) {
    double value = weights.value[k];
    if (slopes_.empty()) {
      // Both slopes are the secant: (x₁ − x₀)/T times the sum of what the slopes count.
      const double along = (weights.slope[0] + weights.slope[1]) / (times_[1] - times_[0]);
      value += k == 0 ? -along : along;
    } else if (weights.slope[k] != 0) {
      terms.push_back({&slopes_[weights.key + k], factor * weights.slope[k]});
    }
    if (value != 0) terms.push_back({&values_[weights.key + k], factor * value});
  }
}

}  // namespace limber
