// From where a picture is taken, and the camera that holds given points just inside it.
#pragma once

#include "limber/core/types.h"

namespace limber {

/// A pinhole camera. In its own frame x points right, y up and z towards the viewer.
struct Camera {
  Vec3 eye = Vec3(0, 0, 1);
  Mat3 frame = Mat3::Identity();  // columns: right, up, backwards
  double half_height = 0.25;      // tangent of half the vertical angle of view
  double aspect = 16.0 / 9;       // width over height

  /// Direction through a place of the picture: x, y from −1 (left, bottom) to 1. Unit length.
  [[nodiscard]] Vec3 ray(double x, double y) const;
  /// Where a point appears, as `ray` counts; (x, y, depth), depth > 0 in front.
  [[nodiscard]] Vec3 project(const Vec3& point) const;
};

/// Where to look from, when the rest is up to framing.
struct View {
  double azimuth = 0;    // rad, about `up`; 0 looks along −z (−y where z is up)
  double elevation = 0;  // rad, above the horizon
  double zoom = 1;       // above 1: nearer
  Vec3 up = Vec3::UnitY();
};

/// Right, up, backwards of a camera in this view.
[[nodiscard]] Mat3 view_frame(const View& view);

/// Looks from `eye` to `target`. Throws Error when these are one point.
[[nodiscard]] Camera look_at(const Vec3& eye, const Vec3& target, const Vec3& up, double aspect);

/// What a picture leaves free around its points: shares of half its width and height.
struct Margins {
  double left = 0.12;
  double right = 0.12;
  double bottom = 0.12;
  double top = 0.12;
};

/// The nearest camera in this view that sees all points (n×3) within the margins, the points in the
/// middle between them. A single point is seen from 1 m.
[[nodiscard]] Camera frame_points(const Positions& points, const View& view, double aspect,
                                  const Margins& margins = {});

}  // namespace limber
