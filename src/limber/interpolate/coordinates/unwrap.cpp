#include "limber/interpolate/coordinates/unwrap.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>

#include "limber/core/rotation.h"

namespace limber {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kAxisOnlyAngle = 1.3 * kExactAngle;

/// 1 up to kExactAngle, 0 from kAxisOnlyAngle, smooth between.
double exactness(double angle) {
  const double s = std::clamp((angle - kExactAngle) / (kAxisOnlyAngle - kExactAngle), 0.0, 1.0);
  return 1 - s * s * (3 - 2 * s);
}

Vec3 nearest_logarithm(const Vec3& log, const Vec3& reference) {
  // Below this an angle is noise, and so is its axis: the reference's serves as well.
  constexpr double kNoAngle = 1e-12;
  const double angle = log.norm();
  const Vec3 axis = angle > kNoAngle ? Vec3(log / angle) : reference.normalized();
  return (angle + kTurn * std::round((reference.dot(axis) - angle) / kTurn)) * axis;
}

/// log(exp(−w) R): what w lacks, in the element's own frame.
Vec3 difference(const Vec3& w, const Vec3& log) {
  return rotation_log(rotation_exp(-w) * rotation_exp(log));
}

/// An element about to be reached from one of its neighbours.
struct Candidate {
  double step;  ///< angle between the two rotations
  int element;
  int from;

  bool operator>(const Candidate& other) const {
    if (step != other.step) return step > other.step;
    return element != other.element ? element > other.element : from > other.from;
  }
};

/// Region growing over the mesh, smallest rotation differences first, so that doubtful steps are
/// taken last and mislead nobody.
class Growth {
 public:
  Growth(const Elements& elements, const Positions& logs, Positions& w)
      : elements_(elements), logs_(logs), w_(w), reached_(elements.element_count(), 0) {}

  void reach(int element) {
    reached_[element] = 1;
    for (const int other : elements_.neighbours(element)) {
      if (reached_[other]) continue;
      front_.push({difference(w_.row(element), logs_.row(other)).norm(), other, element});
    }
  }

  void grow() {
    while (!front_.empty()) {
      const Candidate next = front_.top();
      front_.pop();
      if (reached_[next.element]) continue;
      w_.row(next.element) =
          lift_near(logs_.row(next.element), mean_of_reached(next.element)).transpose();
      reach(next.element);
    }
  }

 private:
  [[nodiscard]] Vec3 mean_of_reached(int element) const {
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (const int other : elements_.neighbours(element)) {
      if (!reached_[other]) continue;
      sum += w_.row(other).transpose();
      ++count;
    }
    return sum / count;
  }

  const Elements& elements_;  // the references live as long as one call of unwrap()
  const Positions& logs_;
  Positions& w_;
  std::vector<char> reached_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> front_;
};

}  // namespace

Vec3 lift_near(const Vec3& log, const Vec3& reference) {
  const double length = reference.norm();
  const Vec3 axis = length > 0 ? Vec3(reference / length) : Vec3::UnitX();
  const Vec3 turned = reference + difference(reference, log).dot(axis) * axis;
  const double share = exactness(turned.norm());
  if (share == 0) return turned;
  const Vec3 exact = nearest_logarithm(log, reference);
  return share == 1 ? exact : Vec3(turned + share * (exact - turned));
}

void unwrap(const Elements& elements, const std::vector<int>& seeds, const Positions& logs,
            Positions& w) {
  Growth growth(elements, logs, w);
  for (const int seed : seeds) growth.reach(seed);
  growth.grow();
}

}  // namespace limber
