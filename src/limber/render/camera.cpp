#include "limber/render/camera.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/core/error.h"

namespace limber {

namespace {

/// A lens of about 85 mm on 35 mm film: little distortion.
constexpr double kHalfHeight = 0.19;

Mat3 frame_from(const Vec3& backwards, const Vec3& up) {
  Vec3 right = up.cross(backwards);
  if (right.norm() < 1e-6 * backwards.norm()) right = backwards.unitOrthogonal();  // straight down
  Mat3 frame;
  frame.col(0) = right.normalized();
  frame.col(2) = backwards.normalized();
  frame.col(1) = frame.col(2).cross(frame.col(0));
  return frame;
}

/// Along one axis of the picture: a point at s (sideways) and z (backwards) is inside when
/// −before (z_eye − z) ≤ s − s_eye ≤ after (z_eye − z). The least z_eye, and the s_eye that centres
/// the points there.
struct Fit {
  double before = 1;
  double after = 1;
  double highest = -INFINITY;  // of s + after z
  double lowest = INFINITY;    // of s − before z

  void add(double s, double z) {
    highest = std::max(highest, s + after * z);
    lowest = std::min(lowest, s - before * z);
  }
  [[nodiscard]] double z_eye() const { return (highest - lowest) / (before + after); }
  [[nodiscard]] double s_eye(double z) const {
    return (highest - after * z + lowest + before * z) / 2;
  }
};

}  // namespace

Vec3 Camera::ray(double x, double y) const {
  return (frame * Vec3(x * half_height * aspect, y * half_height, -1)).normalized();
}

Vec3 Camera::project(const Vec3& point) const {
  const Vec3 p = frame.transpose() * (point - eye);
  const double depth = -p.z();
  return {p.x() / (depth * half_height * aspect), p.y() / (depth * half_height), depth};
}

Mat3 view_frame(const View& view) {
  const Vec3 up = view.up.normalized();
  // Azimuth 0 is seen from +z; where z is up, from −y, so that x still points right.
  const Vec3 front = std::abs(up.z()) > 0.9 ? Vec3(0, -1, 0) : Vec3(0, 0, 1);
  const Vec3 level = (front - front.dot(up) * up).normalized();
  const Vec3 side = up.cross(level);
  const Vec3 outwards = std::cos(view.azimuth) * level + std::sin(view.azimuth) * side;
  return frame_from(std::cos(view.elevation) * outwards + std::sin(view.elevation) * up, up);
}

Camera look_at(const Vec3& eye, const Vec3& target, const Vec3& up, double aspect) {
  if ((eye - target).norm() <= 1e-12 * (1 + eye.norm())) {
    throw Error("the camera stands at the point it looks at", "--camera", "move one of the two");
  }
  Camera camera;
  camera.eye = eye;
  camera.frame = frame_from(eye - target, up);
  camera.half_height = kHalfHeight;
  camera.aspect = aspect;
  return camera;
}

Camera frame_points(const Positions& points, const View& view, double aspect,
                    const Margins& margins) {
  Camera camera;
  camera.frame = view_frame(view);
  camera.half_height = kHalfHeight;
  camera.aspect = aspect;
  const double k = kHalfHeight * view.zoom;
  Fit across{.before = (1 - margins.left) * k * aspect, .after = (1 - margins.right) * k * aspect};
  Fit upright{.before = (1 - margins.bottom) * k, .after = (1 - margins.top) * k};
  double nearest = -INFINITY;
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    const Vec3 p = camera.frame.transpose() * points.row(i).transpose();
    across.add(p.x(), p.z());
    upright.add(p.y(), p.z());
    nearest = std::max(nearest, p.z());
  }
  double z = std::max(across.z_eye(), upright.z_eye());
  // A single point, or a zoom into the midst of the points.
  if (z <= nearest) z = nearest + 1;
  camera.eye = camera.frame * Vec3(across.s_eye(z), upright.s_eye(z), z);
  return camera;
}

}  // namespace limber
