// Rotation-strain coordinates of a pose (Huang et al. 2011, sections 2.1 and 4.1).
//
// Every element's deformation gradient is F = exp(w) (I + S): w its rotation vector, S its Biot
// strain. Rest gives zeros, a rigid motion constant w and no strain. Unlike positions they can be
// added, scaled and blended far beyond small rotations.
//
// exp takes w and w ± 2π of the same axis to the same rotation, so w is chosen to run smoothly
// over the mesh, from a seed element outward: twists of several turns stay twists.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/interpolate/coordinates/elements.h"

namespace limber {

struct RotationStrain {
  Positions w;          // t×3, rad, unwrapped
  std::vector<Mat3> S;  // t, symmetric but for the elements counted in PoseNotes::singular

  [[nodiscard]] int element_count() const { return static_cast<int>(S.size()); }
};

struct UnwrapOptions {
  /// Where unwrapping starts; -1 chooses the element that is nearest to its rest state. Parts other
  /// than the seed's choose theirs.
  int seed = -1;
  /// Seeds are taken at most half a turn from the same element's rotation here; null: from rest.
  const RotationStrain* near = nullptr;
};

/// What a pose looked like on the way in.
struct PoseNotes {
  int inverted = 0;  ///< elements of negative volume; their least stretch is negative
  /// Elements whose rotation has no logarithm near their neighbours' (turned by about 2πk about one
  /// axis and a little about another): they take the neighbours' axis, and S holds the rest.
  int singular = 0;
  int seed = -1;  ///< the seed used, of the first part
};

/// Throws Error when the pose does not belong to the mesh or is not finite.
[[nodiscard]] RotationStrain rotation_strain(const Elements& elements, const Positions& pose,
                                             const UnwrapOptions& options = {},
                                             PoseNotes* notes = nullptr,
                                             const std::string& where = "pose");
[[nodiscard]] RotationStrain rotation_strain(const TetMesh& mesh, const Positions& pose,
                                             const UnwrapOptions& options = {},
                                             PoseNotes* notes = nullptr);

/// The next pose of a dense sequence: every rotation is taken nearest to the same element's in
/// `previous`.
[[nodiscard]] RotationStrain rotation_strain_after(const Elements& elements, const Positions& pose,
                                                   const RotationStrain& previous,
                                                   PoseNotes* notes = nullptr,
                                                   const std::string& where = "pose");

/// exp(w) (I + S) of one element.
[[nodiscard]] Mat3 deformation_gradient(const RotationStrain& coordinates, int element);

}  // namespace limber
