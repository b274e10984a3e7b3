#include "limber/contact/triangle_distance.h"

#include <Eigen/Geometry>
#include <cmath>

namespace limber {

Mat3 frame_of(const TriangleSpan& triangle) {
  const Vec3 x = triangle.ab.normalized();
  const Vec3 z = triangle.ab.cross(triangle.ac).normalized();
  Mat3 frame;
  frame << x, z.cross(x), z;
  return frame;
}

/// By Voronoi regions (Ericson 2005, section 5.1.5).
TrianglePoint nearest_on_triangle(const Vec3& x, const TriangleSpan& t) {
  const Vec3 ax = x - t.a;
  const double d1 = t.ab.dot(ax), d2 = t.ac.dot(ax);
  double v = 0, w = 0;
  TriangleFeature feature = TriangleFeature::corner0;
  // Of b and c: ab·(x−b), ac·(x−b), ab·(x−c), ac·(x−c).
  const double d3 = d1 - t.bb, d4 = d2 - t.bc, d5 = d1 - t.bc, d6 = d2 - t.cc;
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (d1 <= 0 && d2 <= 0) {
  } else if (d3 >= 0 && d4 <= d3) {
    v = 1;
    feature = TriangleFeature::corner1;
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    v = d1 / (d1 - d3);
    feature = TriangleFeature::edge0;
  } else if (d6 >= 0 && d5 <= d6) {
    w = 1;
    feature = TriangleFeature::corner2;
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    w = d2 / (d2 - d6);
    feature = TriangleFeature::edge2;
  } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    v = 1 - w;
    feature = TriangleFeature::edge1;
  } else {
    const double scale = 1 / (va + vb + vc);
    v = vb * scale;
    w = vc * scale;
    feature = TriangleFeature::face;
  }
  TrianglePoint result;
  result.weights = Vec3(1 - v - w, v, w);
  result.point = t.a + v * t.ab + w * t.ac;
  result.squared = (x - result.point).squaredNorm();
  result.feature = feature;
  return result;
}

TrianglePoint nearest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  return nearest_on_triangle(x, TriangleSpan(a, b, c));
}

RayHit ray_triangle(const Vec3& o, const Vec3& d, const Vec3& a, const Vec3& b, const Vec3& c) {
  // Möller & Trumbore 1997.
  const Vec3 ab = b - a, ac = c - a;
  const Vec3 across = d.cross(ac);
  const double det = ab.dot(across);
  if (det == 0) return {};
  const Vec3 ao = o - a;
  const double u = ao.dot(across) / det;
  const Vec3 up = ao.cross(ab);
  const double v = d.dot(up) / det;
  const double t = ac.dot(up) / det;
  if (!(u >= 0 && v >= 0 && u + v <= 1 && t >= 0)) return {};
  return {true, t, {1 - u - v, u, v}};
}

}  // namespace limber
