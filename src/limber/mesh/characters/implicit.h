// Solids as signed distances that melt into each other, with colours.
//
// f < 0 inside. Distances are exact or a little short, so that |f| / steepness never reaches beyond
// the surface. Parts are joined by the polynomial smooth minimum: with blend width k,
//   smin(a, b) = min(a, b) − max(k − |a − b|, 0)² / 4k,
// which equals min(a, b) where the two differ by more than k.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "limber/core/types.h"

namespace limber {

using Distance = std::function<double(const Vec3&)>;

[[nodiscard]] Distance ellipsoid(const Vec3& centre, const Vec3& radii,
                                 const Mat3& turn = Mat3::Identity());
[[nodiscard]] Distance rounded_box(const Vec3& centre, const Vec3& half, double rounding);

/// A point of a limb and its thickness there.
struct Joint {
  Vec3 at;
  double radius;
};
/// A thick smooth curve (Catmull–Rom) through the joints.
[[nodiscard]] Distance limb(const std::vector<Joint>& joints);

/// A round plate across z with a rounded rim, of twice that thickness; `cup` bends it into a
/// paraboloid z = cup·r².
[[nodiscard]] Distance disc(const Vec3& centre, double radius, double thickness, double cup,
                            const Mat3& turn);

/// See above; k = 0 is the plain minimum.
[[nodiscard]] double smooth_min(double a, double b, double k);

struct Ball {
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};

/// Something added to a solid, or carved out of it.
struct Part {
  Distance distance;
  Ball around;  ///< holds the part
  double blend = 0;
  int paint = 0;  ///< number of its colour and name
  bool carved = false;
};

/// Colour over everything within `distance` < 0.
struct Patch {
  Distance distance;
  int paint = 0;
};

struct Paint {
  std::string name;
  Eigen::Vector3f colour;  ///< linear red, green, blue
};

class Implicit {
 public:
  /// Returns the paint's number.
  int add_paint(const std::string& name, const Eigen::Vector3f& colour);
  Implicit& add(Part part);
  /// The part and its mirror image at x = 0.
  Implicit& add_both(const Part& part);
  Implicit& patch(Patch patch);
  Implicit& patch_both(const Patch& patch);

  [[nodiscard]] double distance(const Vec3& p) const;
  /// Number of the paint that shows at p: of the last patch there, or of the nearest part.
  [[nodiscard]] int paint_at(const Vec3& p) const;
  /// Colour at p: where parts meet, theirs run into each other over `width`.
  [[nodiscard]] Eigen::Vector3f colour_at(const Vec3& p, double width) const;

  [[nodiscard]] const std::vector<Paint>& paints() const { return paints_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

  double steepness = 1.2;  ///< no larger slope of f anywhere
  Distance inside_clip;    ///< the surface ends where this becomes positive, when there is one

 private:
  std::vector<Part> parts_;
  std::vector<Patch> patches_;
  std::vector<Paint> paints_;
};

}  // namespace limber
