#include "limber/mesh/tetrahedralize/roles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "limber/mesh/spatial/winding_number.h"

namespace limber {

namespace {
/// |mean w| on a patch's own middle surface from which on its facing is plain: 0.5 for a closed
/// one, 0.3 for half a sphere, 0 for a flat sheet.
constexpr double kPlainFacing = 0.25;
/// Mean distance of w from whole numbers behind an open part beyond which it is a sheet: half a
/// sphere has 0.2, a cube without its lid 0.1, a flat sheet 0.5.
constexpr double kOpenPart = 0.15;
/// w counts as whole within this, and winding numbers as usable when this share of area has it.
constexpr double kNearWhole = 0.25;
constexpr double kUsableShare = 0.8;

/// Means are taken over at most about this many triangles of a set: a spread of 0.5 then leaves an
/// error of 0.02, well below the differences the limits above tell apart.
constexpr int kSamples = 600;

double from_whole(double w) { return std::abs(w - std::round(w)); }

struct Sample {
  Vec3 behind;  ///< a little behind the triangle's middle
  Vec3 middle;
  double area;
};

/// Far enough from the triangle for rounding, near enough not to pass through others.
std::vector<Sample> samples_of(const Soup& body) {
  std::vector<Sample> samples(body.F.rows());
  for (int f = 0; f < body.F.rows(); ++f) {
    const Triangle t = triangle(body.V, body.F, f);
    const Vec3 n = area_vector(t);
    const double twice_area = n.norm();
    const Vec3 middle = (t[0] + t[1] + t[2]) / 3;
    const double step = std::max(1e-4 * std::sqrt(twice_area), 1e-9 * body.size);
    samples[f] = {middle, middle, 0.5 * twice_area};
    if (twice_area > 0) samples[f].behind -= step / twice_area * n;
  }
  return samples;
}

std::vector<std::vector<int>> members(const std::vector<int>& set_of, int sets) {
  std::vector<std::vector<int>> lists(sets);
  for (int f = 0; f < static_cast<int>(set_of.size()); ++f) lists[set_of[f]].push_back(f);
  return lists;
}

double signed_volume(const Soup& body, const std::vector<int>& triangles) {
  const Vec3 origin = body.box.centre();
  double sum = 0;
  for (const int f : triangles) {
    const Triangle t = triangle(body.V, body.F, f);
    sum += (t[0] - origin).dot((t[1] - origin).cross(t[2] - origin)) / 6;
  }
  return sum;
}

void turn(Soup& body, const std::vector<int>& triangles) {
  for (const int f : triangles) std::swap(body.F(f, 1), body.F(f, 2));
}

/// The mean over the area of some triangles, taken at points spread evenly over the area in the
/// order of the list.
template <class Value>
double mean_over(const std::vector<int>& triangles, const std::vector<Sample>& samples,
                 const Value& value) {
  double area = 0;
  for (const int f : triangles) area += samples[f].area;
  if (area <= 0) return 0;
  const double step = area / kSamples;
  double sum = 0;
  double weight = 0;
  double passed = 0;
  double counted = -0.5 * step;
  for (const int f : triangles) {
    passed += samples[f].area;
    if (passed < counted + step) continue;
    const double steps = std::floor((passed - counted) / step);
    counted += steps * step;
    sum += steps * value(f);
    weight += steps;
  }
  return weight > 0 ? sum / weight : 0;
}

/// Closed patches face outward, unless they are the wall of a hole inside another one: then they
/// already faced the other way and stay so.
int turn_closed_patches(Soup& body, const SoupTopology& topology,
                        const std::vector<std::vector<int>>& patches) {
  double whole = 0;
  for (int p = 0; p < topology.patches; ++p) {
    if (topology.closed[p]) whole += signed_volume(body, patches[p]);
  }
  const double facing = whole < 0 ? -1 : 1;
  std::vector<int> opposed;
  int turned = 0;
  for (int p = 0; p < topology.patches; ++p) {
    if (!topology.closed[p]) continue;
    const double v = signed_volume(body, patches[p]);
    if (facing * v < 0) opposed.push_back(p);
    if (v < 0) turn(body, patches[p]);
    turned += v < 0 ? 1 : 0;
  }
  if (opposed.empty()) return turned;
  const WindingNumber winding(body.V, body.F);
  const std::vector<Sample> samples = samples_of(body);
  for (const int p : opposed) {
    // Just outside the patch, which itself adds nothing there.
    const int f = *std::max_element(patches[p].begin(), patches[p].end(), [&](int a, int b) {
      return samples[a].area < samples[b].area;
    });
    const Vec3 outside = 2 * samples[f].middle - samples[f].behind;
    if (winding(outside) > 0.5) turn(body, patches[p]);
  }
  return turned;
}

int turn_open_patches(Soup& body, const SoupTopology& topology,
                      const std::vector<std::vector<int>>& patches,
                      const std::vector<Sample>& samples, std::vector<double>& facing) {
  int turned = 0;
  facing.assign(topology.patches, 0.5);
  for (int p = 0; p < topology.patches; ++p) {
    if (topology.closed[p]) continue;
    const WindingNumber own(body.V, body.F(patches[p], Eigen::all));
    facing[p] = mean_over(patches[p], samples, [&](int f) { return own(samples[f].behind) - 0.5; });
    if (facing[p] > -kPlainFacing) continue;
    turn(body, patches[p]);
    facing[p] = -facing[p];
    ++turned;
  }
  return turned;
}

/// Flat patches that the rest of the body encloses, such as walls between rooms, say nothing.
void mark_inner(const Soup& body, const SoupTopology& topology,
                const std::vector<std::vector<int>>& patches, const std::vector<Sample>& samples,
                const std::vector<double>& facing, std::vector<Role>& roles) {
  if (topology.patches == 1) return;
  const WindingNumber all(body.V, body.F);
  for (int p = 0; p < topology.patches; ++p) {
    if (topology.closed[p] || facing[p] >= kPlainFacing) continue;
    const WindingNumber own(body.V, body.F(patches[p], Eigen::all));
    const double others = mean_over(patches[p], samples, [&](int f) {
      return all(samples[f].behind) - own(samples[f].behind);
    });
    if (others < 1 - kNearWhole) continue;
    for (const int f : patches[p]) roles[f] = Role::inner;
  }
}

std::vector<int> with_role(const std::vector<Role>& roles, Role role) {
  std::vector<int> found;
  for (int f = 0; f < static_cast<int>(roles.size()); ++f) {
    if (roles[f] == role) found.push_back(f);
  }
  return found;
}

/// Open parts behind which the surface as a whole has no clear inside become sheets.
void mark_sheets(const Soup& body, const SoupTopology& topology, const std::vector<Sample>& samples,
                 OpenSurfaces open, Roles& roles) {
  const WindingNumber walls(body.V, body.F(with_role(roles.of, Role::wall), Eigen::all));
  const auto parts = members(topology.part_of, topology.parts);
  for (int p = 0; p < topology.parts; ++p) {
    if (!topology.part_open[p]) continue;
    const double strays =
        mean_over(parts[p], samples, [&](int f) { return from_whole(walls(samples[f].behind)); });
    if (open == OpenSurfaces::automatic && strays <= kOpenPart) continue;
    ++roles.sheet_parts;
    for (const int f : parts[p]) {
      if (roles.of[f] == Role::wall) roles.of[f] = Role::sheet;
    }
  }
}
}  // namespace

Roles find_roles(Soup& body, OpenSurfaces open) {
  Roles roles;
  roles.of.assign(body.F.rows(), Role::wall);
  const SoupTopology topology = find_topology(body);
  const auto patches = members(topology.patch_of, topology.patches);
  roles.turned_patches = turn_closed_patches(body, topology, patches);
  const auto is_closed = [](bool closed) { return closed; };
  if (topology.one_sided_patches == 0 &&
      std::all_of(topology.closed.begin(), topology.closed.end(), is_closed)) {
    roles.sealed = true;
    return roles;
  }
  std::vector<double> facing;
  roles.turned_patches += turn_open_patches(body, topology, patches, samples_of(body), facing);
  const std::vector<Sample> samples = samples_of(body);
  mark_inner(body, topology, patches, samples, facing, roles.of);
  if (open != OpenSurfaces::fill) mark_sheets(body, topology, samples, open, roles);

  const std::vector<int> walls = with_role(roles.of, Role::wall);
  const WindingNumber winding(body.V, body.F(walls, Eigen::all));
  roles.whole_share = mean_over(walls, samples, [&](int f) {
    const double w = winding(samples[f].behind);
    return w > 0.5 && from_whole(w) < kNearWhole ? 1.0 : 0.0;
  });
  if (walls.empty() || (open != OpenSurfaces::fill && roles.whole_share < kUsableShare))
    roles.test = InsideTest::flood_fill;
  return roles;
}

}  // namespace limber
