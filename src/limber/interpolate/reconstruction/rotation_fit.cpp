#include "limber/interpolate/reconstruction/rotation_fit.h"

#include "limber/core/rotation.h"

namespace limber {

void fit_rotations(Reconstruction& reconstruction, std::span<const Mat3> gradients,
                   std::span<const char> stiff, const ReconstructionTargets& targets, int rounds,
                   std::vector<Mat3>& turned, Positions& positions) {
  const Elements& elements = reconstruction.elements();
  turned.assign(gradients.begin(), gradients.end());
  for (int round = 0; round < rounds; ++round) {
    for (int e = 0; e < elements.element_count(); ++e) {
      if (!stiff.empty() && stiff[e]) continue;
      const Mat3 F = elements.deformation_gradient(positions, e);
      turned[e] = polar_rotation(F * gradients[e].transpose()) * gradients[e];
    }
    reconstruction.solve(turned, targets, positions);
  }
}

}  // namespace limber
