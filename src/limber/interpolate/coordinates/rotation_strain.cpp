#include "limber/interpolate/coordinates/rotation_strain.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <limits>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/coordinates/unwrap.h"

namespace limber {

namespace {

/// Rotations of the polar decomposition as rotation vectors, angles in [0, π].
struct PolarField {
  std::vector<Mat3> F;
  Positions logs;  // t×3
  int inverted = 0;
};

PolarField polar_field(const Elements& elements, const Positions& pose) {
  const int count = elements.element_count();
  PolarField field;
  field.F.resize(count);
  field.logs.resize(count, 3);
  for (int element = 0; element < count; ++element) {
    const Mat3 F = elements.deformation_gradient(pose, element);
    field.F[element] = F;
    field.logs.row(element) = rotation_log(polar_rotation(F)).transpose();
    field.inverted += F.determinant() < 0;
  }
  return field;
}

void check_size(const Elements& elements, const RotationStrain& coordinates,
                const std::string& where) {
  if (coordinates.w.rows() == elements.element_count()) return;
  throw Error(fmt::format("coordinates of {} elements where there are {}", coordinates.w.rows(),
                          elements.element_count()),
              where, "give coordinates of the same mesh");
}

int part_of(const Elements& elements, int element) {
  return elements.parts[elements.corners(element, 0)];
}

/// The element of each part that is nearest to its rest state.
std::vector<int> calmest_elements(const Elements& elements, const std::vector<Mat3>& F) {
  std::vector<int> seeds(elements.part_count, -1);
  std::vector<double> least(elements.part_count, std::numeric_limits<double>::infinity());
  for (int element = 0; element < elements.element_count(); ++element) {
    const int part = part_of(elements, element);
    const double change = (F[element] - Mat3::Identity()).squaredNorm();
    if (seeds[part] >= 0 && change >= least[part]) continue;
    least[part] = change;
    seeds[part] = element;
  }
  return seeds;
}

std::vector<int> choose_seeds(const Elements& elements, const std::vector<Mat3>& F,
                              const UnwrapOptions& options, const std::string& where) {
  std::vector<int> seeds = calmest_elements(elements, F);
  if (options.seed < 0) return seeds;
  if (options.seed >= elements.element_count()) {
    throw Error(
        fmt::format("seed {} where there are {} elements", options.seed, elements.element_count()),
        where, "give the number of an element, counted from 0");
  }
  seeds[part_of(elements, options.seed)] = options.seed;
  return seeds;
}

RotationStrain with_strains(const Elements& elements, const PolarField& field, Positions w,
                            PoseNotes* notes) {
  // Rounding of exp(−w) F and of the polar decomposition of slivers; a rotation left over is far
  // larger.
  constexpr double kSymmetric = 1e-11;
  RotationStrain coordinates;
  coordinates.w = std::move(w);
  coordinates.S.resize(elements.element_count());
  int singular = 0;
  for (int element = 0; element < elements.element_count(); ++element) {
    const Mat3& F = field.F[element];
    Mat3 stretch = rotation_exp(-coordinates.w.row(element)) * F;
    const double skewness = (stretch - stretch.transpose()).norm();
    if (skewness <= kSymmetric * F.norm()) {
      stretch = (0.5 * (stretch + stretch.transpose())).eval();
    } else {
      ++singular;
    }
    coordinates.S[element] = stretch - Mat3::Identity();
  }
  if (notes != nullptr) {
    notes->inverted = field.inverted;
    notes->singular = singular;
  }
  return coordinates;
}

}  // namespace

RotationStrain rotation_strain(const Elements& elements, const Positions& pose,
                               const UnwrapOptions& options, PoseNotes* notes,
                               const std::string& where) {
  check_pose(elements, pose, where);
  if (options.near != nullptr) check_size(elements, *options.near, where);
  const PolarField field = polar_field(elements, pose);
  const std::vector<int> seeds = choose_seeds(elements, field.F, options, where);
  Positions w(elements.element_count(), 3);
  for (const int seed : seeds) {
    const Vec3 reference =
        options.near == nullptr ? Vec3::Zero() : Vec3(options.near->w.row(seed).transpose());
    w.row(seed) = lift_near(field.logs.row(seed), reference).transpose();
  }
  unwrap(elements, seeds, field.logs, w);
  smooth_large_rotations(elements, field.logs, w);
  if (notes != nullptr) notes->seed = seeds.front();
  return with_strains(elements, field, std::move(w), notes);
}

RotationStrain rotation_strain(const TetMesh& mesh, const Positions& pose,
                               const UnwrapOptions& options, PoseNotes* notes) {
  return rotation_strain(elements_of(mesh), pose, options, notes);
}

RotationStrain rotation_strain_after(const Elements& elements, const Positions& pose,
                                     const RotationStrain& previous, PoseNotes* notes,
                                     const std::string& where) {
  check_pose(elements, pose, where);
  check_size(elements, previous, where);
  const PolarField field = polar_field(elements, pose);
  Positions w(elements.element_count(), 3);
  for (int element = 0; element < elements.element_count(); ++element) {
    w.row(element) = lift_near(field.logs.row(element), previous.w.row(element)).transpose();
  }
  smooth_large_rotations(elements, field.logs, w);
  return with_strains(elements, field, std::move(w), notes);
}

Mat3 deformation_gradient(const RotationStrain& coordinates, int element) {
  return rotation_exp(coordinates.w.row(element)) * (Mat3::Identity() + coordinates.S[element]);
}

}  // namespace limber
