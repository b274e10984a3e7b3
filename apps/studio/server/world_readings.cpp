// Readings of a played scene that cost more than a step: volumes, errors, energies and momenta,
// taken now and then; stresses while they are shown.
#include <cmath>
#include <limits>

#include "limber/fem/stress.h"
#include "limber/mesh/checks.h"
#include "server/world_simulation.h"

namespace limber::studio {

namespace {

constexpr int kFramesBetweenReadings = 3;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// The law of the elements that a method plays, or stands for.
StressLaw law_of(Method method) {
  switch (method) {
    case Method::linear:
    case Method::linear_modal:
      return StressLaw::linear;
    case Method::stvk:
      return StressLaw::stvk;
    case Method::neo_hookean:
      return StressLaw::neo_hookean;
    default:
      return StressLaw::corotational;
  }
}

Vec3 mass_centre(const StudioBody& body, const Positions& nodes) {
  Vec3 sum = Vec3::Zero();
  for (Eigen::Index node = 0; node < nodes.rows(); ++node) {
    const auto number = static_cast<std::size_t>(node);
    sum += body.source->modes.mass.row_sums[number] * nodes.row(node).transpose();
  }
  return sum / body.mass;
}

}  // namespace

/// Readings of a body that stands still say nothing: they are NaN, and so are errors against it.
void WorldSimulation::measure() const {
  if (frames_until_reading_-- > 0) return;
  frames_until_reading_ = kFramesBetweenReadings;
  const std::size_t count = parts_.bodies.size();
  for (std::size_t body = 0; body < count; ++body) {
    const StudioBody& of = parts_.bodies[body];
    const LaneBody& measure_of = *lanes_[static_cast<std::size_t>(truth_)].bodies[body];
    const Positions truth = measure_of.nodes();
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      const LaneBody& moved = *lanes_[lane].bodies[body];
      Reading& reading = readings_[lane * count + body];
      reading = {kNothing, kNothing, {}};
      reading.motion.fill(static_cast<float>(kNothing));
      if (moved.fault()) continue;
      const Positions nodes = moved.nodes();
      reading.volume_ratio = volume(nodes, of.source->mesh.T) / of.rest_volume;
      reading.motion = motion_of(moved, mass_centre(of, nodes));
      if (measure_of.fault()) continue;
      const double mean_square = (nodes - truth).squaredNorm() / static_cast<double>(nodes.rows());
      reading.error = std::sqrt(mean_square) / of.size;
    }
  }
}

/// Kinetic, elastic and potential energy, J; momentum, kg m/s; angular momentum about the mass
/// centre, kg m²/s.
WorldSimulation::MotionReading WorldSimulation::motion_of(const LaneBody& body,
                                                          const Vec3& centre) const {
  const DynamicBody& dynamics = body.dynamics();
  const Momentum momentum = dynamics.momentum();
  const Vec3 spin = momentum.angular - centre.cross(momentum.linear);
  MotionReading reading;
  reading[0] = static_cast<float>(dynamics.kinetic_energy());
  reading[1] = static_cast<float>(dynamics.elastic_energy());
  reading[2] = static_cast<float>(-body.body().mass * gravity_.dot(centre));
  for (std::size_t c = 0; c < 3; ++c) {
    const auto row = static_cast<Eigen::Index>(c);
    reading[3 + c] = static_cast<float>(momentum.linear[row]);
    reading[6 + c] = static_cast<float>(spin[row]);
  }
  return reading;
}

void WorldSimulation::write_motion(FrameWriter& frame) const {
  const std::size_t count = parts_.bodies.size();
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    std::vector<float> numbers;
    for (std::size_t body = 0; body < count; ++body) {
      const MotionReading& reading = readings_[lane * count + body].motion;
      numbers.insert(numbers.end(), reading.begin(), reading.end());
    }
    frame.add_motion(numbers);
  }
}

/// Von Mises' stress at the surface's vertices, Pa: at a node the mean over its tets by their
/// volumes at rest. One by itself stands still: its stress stays.
void WorldSimulation::write_stress(FrameWriter& frame) const {
  for (const Lane& lane : lanes_) {
    for (const std::unique_ptr<LaneBody>& one : lane.bodies) {
      const LaneBody& body = *one;
      const StudioBody& of = body.body();
      const TetMesh& mesh = of.source->mesh;
      const RestPlace place = body.dynamics().rest_place();
      Positions seen = body.nodes();  // from where the rest shape stands: linear laws know no turn
      seen.rowwise() -= place.position.transpose();
      seen *= place.rotation;
      const Materials materials =
          of.source->baked ? Materials(of.source->modes.material) : of.description.materials;
      const Vector stress =
          von_mises_stress(mesh, materials, law_of(body.dynamics().method()), seen);
      Vector sum = Vector::Zero(mesh.node_count()), weight = sum;
      for (int tet = 0; tet < mesh.tet_count(); ++tet) {
        const Vec3 origin = mesh.V.row(mesh.T(tet, 0));
        const Vec3 a = mesh.V.row(mesh.T(tet, 1)).transpose() - origin;
        const Vec3 b = mesh.V.row(mesh.T(tet, 2)).transpose() - origin;
        const Vec3 c = mesh.V.row(mesh.T(tet, 3)).transpose() - origin;
        const double rest = std::abs(a.cross(b).dot(c));
        for (int k = 0; k < 4; ++k) {
          sum[mesh.T(tet, k)] += rest * stress[tet];
          weight[mesh.T(tet, k)] += rest;
        }
      }
      const SurfaceBinding& binding = of.surface().binding;
      std::vector<float> values;
      for (int vertex = 0; vertex < binding.vertex_count(); ++vertex) {
        double value = 0;
        for (int k = 0; k < 4; ++k) {
          const int node = binding.nodes[4 * vertex + k];
          if (weight[node] > 0) value += binding.weights[4 * vertex + k] * sum[node] / weight[node];
        }
        // Outside of its tet a vertex may lie beyond what its nodes have.
        values.push_back(static_cast<float>(std::max(0.0, value)));
      }
      frame.add_field(values);
    }
  }
}

}  // namespace limber::studio
