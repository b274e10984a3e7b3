#include "limber/contact/triangle_distance.h"

#include <Eigen/Geometry>
#include <cmath>

namespace limber {

TrianglePoint nearest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ax = x - a;
  const auto found = [&](const Vec3& weights, TriangleFeature feature) {
    TrianglePoint result;
    result.weights = weights;
    result.point = a + weights[1] * ab + weights[2] * ac;
    result.squared = (x - result.point).squaredNorm();
    result.feature = feature;
    return result;
  };
  const double d1 = ab.dot(ax), d2 = ac.dot(ax);
  if (d1 <= 0 && d2 <= 0) return found({1, 0, 0}, TriangleFeature::corner0);
  const Vec3 bx = x - b;
  const double d3 = ab.dot(bx), d4 = ac.dot(bx);
  if (d3 >= 0 && d4 <= d3) return found({0, 1, 0}, TriangleFeature::corner1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double v = d1 / (d1 - d3);
    return found({1 - v, v, 0}, TriangleFeature::edge0);
  }
  const Vec3 cx = x - c;
  const double d5 = ab.dot(cx), d6 = ac.dot(cx);
  if (d6 >= 0 && d5 <= d6) return found({0, 0, 1}, TriangleFeature::corner2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double w = d2 / (d2 - d6);
    return found({1 - w, 0, w}, TriangleFeature::edge2);
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return found({0, 1 - w, w}, TriangleFeature::edge1);
  }
  const double scale = 1 / (va + vb + vc);
  const double v = vb * scale, w = vc * scale;
  return found({1 - v - w, v, w}, TriangleFeature::face);
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
