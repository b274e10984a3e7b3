#include "limber/mesh/characters/implicit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace limber {

namespace {

Vec3 mirrored(const Vec3& p) { return {-p.x(), p.y(), p.z()}; }

Distance mirror(const Distance& distance) {
  return [distance](const Vec3& p) { return distance(mirrored(p)); };
}

/// One stretch of a limb: its radius changes evenly from a to b.
struct Stretch {
  Vec3 a, along;
  double radius_a, radius_gain, inverse_length2;

  [[nodiscard]] double distance(const Vec3& p) const {
    const Vec3 from_a = p - a;
    const double t = std::clamp(from_a.dot(along) * inverse_length2, 0.0, 1.0);
    return (from_a - t * along).norm() - (radius_a + t * radius_gain);
  }
};

/// From one joint to the next.
class Span {
 public:
  /// Catmull–Rom through b and c.
  Span(const Joint& a, const Joint& b, const Joint& c, const Joint& d) {
    std::array<Joint, kStretches + 1> points;
    for (int i = 0; i <= kStretches; ++i) {
      const double t = static_cast<double>(i) / kStretches;
      points[i] = {spline(a.at, b.at, c.at, d.at, t),
                   spline(a.radius, b.radius, c.radius, d.radius, t)};
    }
    middle_ = points[kStretches / 2].at;
    for (int i = 0; i < kStretches; ++i) {
      const Vec3 along = points[i + 1].at - points[i].at;
      stretches_[i] = {points[i].at, along, points[i].radius,
                       points[i + 1].radius - points[i].radius, 1 / along.squaredNorm()};
    }
    for (const Joint& point : points) {
      reach_ = std::max(reach_, (point.at - middle_).norm() + point.radius);
    }
  }

  /// Anything not below `limit` may come back when the distance is not.
  [[nodiscard]] double distance(const Vec3& p, double limit) const {
    if ((p - middle_).norm() - reach_ >= limit) return limit;
    double nearest = limit;
    for (const Stretch& stretch : stretches_) nearest = std::min(nearest, stretch.distance(p));
    return nearest;
  }

 private:
  static constexpr int kStretches = 14;  // no ring shows where they meet

  template <class T>
  static T spline(const T& a, const T& b, const T& c, const T& d, double t) {
    return T(b +
             0.5 * t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * b - 3 * c + d - a))));
  }

  std::array<Stretch, kStretches> stretches_;
  Vec3 middle_;
  double reach_ = 0;
};

}  // namespace

double smooth_min(double a, double b, double k) {
  if (k <= 0) return std::min(a, b);
  const double overlap = std::max(k - std::abs(a - b), 0.0);
  return std::min(a, b) - overlap * overlap / (4 * k);
}

Distance ellipsoid(const Vec3& centre, const Vec3& radii, const Mat3& turn) {
  const Vec3 inverse = radii.cwiseInverse();
  const double smallest = radii.minCoeff();
  const Mat3 back = turn.transpose();
  return [=](const Vec3& p) {
    const Vec3 q = (back * (p - centre)).cwiseProduct(inverse);
    const double k0 = q.norm();
    const double k1 = q.cwiseProduct(inverse).norm();
    // To first order in the distance; at the centre the quotient has no limit.
    return k1 > 1e-12 ? k0 * (k0 - 1) / k1 : -smallest;
  };
}

Distance rounded_box(const Vec3& centre, const Vec3& half, double rounding) {
  const Vec3 core = half.array() - rounding;
  return [=](const Vec3& p) {
    const Vec3 q = (p - centre).cwiseAbs() - core;
    return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0) - rounding;
  };
}

Distance limb(const std::vector<Joint>& joints) {
  const int last = static_cast<int>(joints.size()) - 1;
  const auto joint = [&](int i) -> const Joint& { return joints[std::clamp(i, 0, last)]; };
  std::vector<Span> spans;
  for (int i = 0; i < last; ++i) {
    spans.emplace_back(joint(i - 1), joint(i), joint(i + 1), joint(i + 2));
  }
  return [spans](const Vec3& p) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Span& span : spans) nearest = std::min(nearest, span.distance(p, nearest));
    return nearest;
  };
}

Distance disc(const Vec3& centre, double radius, double thickness, double cup, const Mat3& turn) {
  const Mat3 back = turn.transpose();
  return [=](const Vec3& p) {
    const Vec3 q = back * (p - centre);
    const double r = std::hypot(q.x(), q.y());
    return std::hypot(std::max(r - radius, 0.0), q.z() - cup * r * r) - thickness;
  };
}

int Implicit::add_paint(const std::string& name, const Eigen::Vector3f& colour) {
  paints_.push_back({name, colour});
  return static_cast<int>(paints_.size()) - 1;
}

Implicit& Implicit::add(Part part) {
  parts_.push_back(std::move(part));
  return *this;
}

Implicit& Implicit::add_both(const Part& part) {
  Part other = part;
  other.distance = mirror(part.distance);
  other.around.centre = mirrored(part.around.centre);
  return add(part).add(std::move(other));
}

Implicit& Implicit::patch(Patch patch) {
  patches_.push_back(std::move(patch));
  return *this;
}

Implicit& Implicit::patch_both(const Patch& one) {
  return patch(one).patch({mirror(one.distance), one.paint});
}

double Implicit::distance(const Vec3& p) const {
  double f = std::numeric_limits<double>::infinity();
  for (const Part& part : parts_) {
    const double at_least = (p - part.around.centre).norm() - part.around.radius;
    if (at_least > (part.carved ? -f : f) + part.blend) continue;  // too far to matter
    const double d = part.distance(p);
    f = part.carved ? -smooth_min(-f, d, part.blend) : smooth_min(f, d, part.blend);
  }
  return f;
}

Vec3 Implicit::gradient(const Vec3& p, double step) const {
  // Four corners of a tetrahedron: exact for linear functions.
  static const Vec3 kCorners[] = {{1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {1, 1, 1}};
  Vec3 sum = Vec3::Zero();
  for (const Vec3& corner : kCorners) sum += corner * distance(p + step * corner);
  return sum / (4 * step);
}

int Implicit::paint_at(const Vec3& p) const {
  for (auto patch = patches_.rbegin(); patch != patches_.rend(); ++patch) {
    if (patch->distance(p) < 0) return patch->paint;
  }
  double nearest = std::numeric_limits<double>::infinity();
  int paint = 0;
  for (const Part& part : parts_) {
    const double d = part.carved ? std::abs(part.distance(p)) : part.distance(p);
    if (d >= nearest) continue;
    nearest = d;
    paint = part.paint;
  }
  return paint;
}

Eigen::Vector3f Implicit::colour_at(const Vec3& p, double width) const {
  std::vector<double> distances(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const double d = parts_[i].distance(p);
    distances[i] = parts_[i].carved ? std::abs(d) : d;
  }
  const double nearest = *std::min_element(distances.begin(), distances.end());
  Eigen::Vector3f colour = Eigen::Vector3f::Zero();
  float total = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const float weight = static_cast<float>(std::exp((nearest - distances[i]) / (0.3 * width)));
    colour += weight * paints_[parts_[i].paint].colour;
    total += weight;
  }
  colour /= total;
  for (const Patch& patch : patches_) {
    const double inside = 0.5 - patch.distance(p) / width;
    const auto share = static_cast<float>(std::clamp(inside, 0.0, 1.0));
    colour += share * (paints_[patch.paint].colour - colour);
  }
  return colour;
}

}  // namespace limber
