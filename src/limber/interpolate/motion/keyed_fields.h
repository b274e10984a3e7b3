// Coordinates of poses at their times, and the calm way from one to the next (calm_curve.h): each
// element's rotation and strain keep between those of the keys, whatever the others do.
#pragma once

#include <vector>

#include "limber/interpolate/reconstruction/frame_kernel.h"

namespace limber {

class KeyedFields {
 public:
  /// At most so many terms are added for a time.
  static constexpr int kMostTerms = 4;

  KeyedFields() = default;
  /// One coordinates a time, times ascending. `kernel` lays the fields out.
  KeyedFields(std::vector<double> times, const std::vector<RotationStrain>& coordinates,
              const FrameKernel& kernel);

  [[nodiscard]] bool empty() const { return values_.empty(); }
  /// Adds `factor` times the field at time t.
  void add_terms(double t, double factor, std::vector<FieldTerm>& terms) const;

 private:
  std::vector<double> times_;
  std::vector<CoordinateField> values_;
  std::vector<CoordinateField> slopes_;  // 1/s; none where two keys are joined by a line
};

/// Slopes of each element's coordinates at the keys, rotation and strain apart.
[[nodiscard]] std::vector<RotationStrain> calm_slopes(
    const std::vector<double>& times, const std::vector<RotationStrain>& coordinates);

}  // namespace limber
