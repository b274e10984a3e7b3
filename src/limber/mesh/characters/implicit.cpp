#include "limber/mesh/characters/implicit.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace limber {

namespace {

Vec3 mirrored(const Vec3& p) { return {-p.x(), p.y(), p.z()}; }

Distance mirror(const Distance& distance) {
  return [distance](const Vec3& p) { return distance(mirrored(p)); };
}

/// How far p is from a part or from what it carves; `limit` or more where that is all that counts.
double distance_from(const Part& part, const Vec3& p, double limit) {
  const double at_least = (p - part.around.centre).norm() - part.around.radius;
  if (at_least >= limit) return at_least;
  const double d = part.distance(p);
  return part.carved ? std::abs(d) : d;
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

/// Some stretches in a row and a ball around them.
class Run {
 public:
  static constexpr int kStretches = 7;

  explicit Run(const std::array<Joint, kStretches + 1>& points) {
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

  [[nodiscard]] double at_least(const Vec3& p) const { return (p - middle_).norm() - reach_; }
  [[nodiscard]] double distance(const Vec3& p) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Stretch& stretch : stretches_) nearest = std::min(nearest, stretch.distance(p));
    return nearest;
  }

 private:
  std::array<Stretch, kStretches> stretches_;
  Vec3 middle_;
  double reach_ = 0;
};

template <class T>
T catmull_rom(const T& a, const T& b, const T& c, const T& d, double t) {
  return T(b +
           0.5 * t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * b - 3 * c + d - a))));
}

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
  constexpr int kRunsBetweenJoints = 2;  // 14 stretches: no ring shows where they meet
  constexpr std::size_t kMostRuns = 32;
  const int last = static_cast<int>(joints.size()) - 1;
  const auto joint = [&](int i) -> const Joint& { return joints[std::clamp(i, 0, last)]; };
  std::vector<Run> runs;
  for (int k = 0; k < kRunsBetweenJoints * last; ++k) {
    const int i = k / kRunsBetweenJoints;
    std::array<Joint, Run::kStretches + 1> points;
    for (int j = 0; j <= Run::kStretches; ++j) {
      const double t = static_cast<double>(k % kRunsBetweenJoints * Run::kStretches + j) /
                       (kRunsBetweenJoints * Run::kStretches);
      const Joint &a = joint(i - 1), &b = joint(i), &c = joint(i + 1), &d = joint(i + 2);
      points[j] = {catmull_rom(a.at, b.at, c.at, d.at, t),
                   catmull_rom(a.radius, b.radius, c.radius, d.radius, t)};
    }
    runs.emplace_back(points);
  }
  assert(runs.size() <= kMostRuns);
  return [runs](const Vec3& p) {
    // The run that may come nearest first: most others are then too far to matter.
    std::array<double, kMostRuns> at_least;
    std::size_t first = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      at_least[i] = runs[i].at_least(p);
      if (at_least[i] < at_least[first]) first = i;
    }
    double nearest = runs[first].distance(p);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i != first && at_least[i] < nearest) nearest = std::min(nearest, runs[i].distance(p));
    }
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

int Implicit::paint_at(const Vec3& p) const {
  for (auto patch = patches_.rbegin(); patch != patches_.rend(); ++patch) {
    if (patch->distance(p) < 0) return patch->paint;
  }
  double nearest = std::numeric_limits<double>::infinity();
  int paint = 0;
  for (const Part& part : parts_) {
    const double d = distance_from(part, p, nearest);
    if (d >= nearest) continue;
    nearest = d;
    paint = part.paint;
  }
  return paint;
}

Eigen::Vector3f Implicit::colour_at(const Vec3& p, double width) const {
  const double reach = 0.3 * width;
  const double too_far = 20 * reach;  // e⁻²⁰ of a colour is none in single precision
  std::vector<double> distances(parts_.size());
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    distances[i] = distance_from(parts_[i], p, nearest + too_far);
    nearest = std::min(nearest, distances[i]);
  }
  Eigen::Vector3f colour = Eigen::Vector3f::Zero();
  float total = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const float weight = static_cast<float>(std::exp((nearest - distances[i]) / reach));
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
