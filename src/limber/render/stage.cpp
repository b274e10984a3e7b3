#include "limber/render/stage.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "limber/core/error.h"
#include "limber/dynamics/adaptive/adaptive_body.h"
#include "limber/mesh/boundary.h"

namespace limber {

namespace {

constexpr unsigned kPropColour = 0x9AA3AD;

/// Unit directions spread evenly over the sphere (a Fibonacci lattice).
const Positions& spread_directions() {
  static const Positions kDirections = [] {
    constexpr int kCount = 64;
    Positions directions(kCount, 3);
    for (int k = 0; k < kCount; ++k) {
      const double z = 1 - (2.0 * k + 1) / kCount;
      const double angle = 2 * std::numbers::pi * k / std::numbers::phi;
      const double r = std::sqrt(1 - z * z);
      directions.row(k) << r * std::cos(angle), r * std::sin(angle), z;
    }
    return directions;
  }();
  return kDirections;
}

/// The rest positions of nodes carried along by the body's support.
Positions rest_in_frame(const SceneBody& body) {
  const FrameState& frame = body.dynamics().frame();
  if (body.description().support.empty()) return body.mesh().V;
  return (body.mesh().V * frame.rotation.transpose()).rowwise() + frame.position.transpose();
}

Vector volume_values(const TetMesh& mesh, const Positions& nodes) {
  Vector change = Vector::Zero(nodes.rows());
  Vector weight = Vector::Zero(nodes.rows());
  const auto tet_volume = [](const Positions& x, const auto& t) {
    const Vec3 a = x.row(t[0]), b = x.row(t[1]), c = x.row(t[2]), d = x.row(t[3]);
    return (b - a).cross(c - a).dot(d - a) / 6;
  };
  for (Eigen::Index tet = 0; tet < mesh.T.rows(); ++tet) {
    const Eigen::Vector4i corners = mesh.T.row(tet);
    const double rest = tet_volume(mesh.V, corners);
    const double now = tet_volume(nodes, corners);
    for (int c = 0; c < 4; ++c) {
      change[corners[c]] += now - rest;
      weight[corners[c]] += rest;
    }
  }
  return (weight.array() > 0).select(change.array() / weight.array().max(1e-300), 0);
}

Vector on_surface(const SurfaceBinding& binding, const Vector& node_values) {
  Vector values = Vector::Zero(binding.vertex_count());
  for (int vertex = 0; vertex < binding.vertex_count(); ++vertex) {
    for (int k = 0; k < 4; ++k) {
      values[vertex] +=
          binding.weights[4 * vertex + k] * node_values[binding.nodes[4 * vertex + k]];
    }
  }
  return values;
}

}  // namespace

Vec3 up_of(const SceneDescription& scene) {
  for (const GravityLoad& gravity : scene.gravity) {
    if (gravity.acceleration.norm() == 0) continue;
    Eigen::Index axis = 0;
    gravity.acceleration.cwiseAbs().maxCoeff(&axis);
    // Gravity along x pulls on a bar that hangs in pictures too: x is then up.
    return (gravity.acceleration[axis] < 0 ? 1 : -1) * Vec3::Unit(axis);
  }
  return Vec3::UnitY();
}

void MotionExtent::add(const Positions& points) {
  if (!points.allFinite()) {
    throw Error("the motion is not finite", "scene", "use a smaller time step or smaller forces",
                Error::Kind::work_failed);
  }
  const Positions& directions = spread_directions();
  if (points_.rows() == 0) {
    points_.resize(directions.rows(), 3);
    points_.rowwise() = points.row(0);
  }
  for (Eigen::Index k = 0; k < directions.rows(); ++k) {
    Eigen::Index farthest = 0;
    const double reach = (points * directions.row(k).transpose()).maxCoeff(&farthest);
    if (reach > points_.row(k).dot(directions.row(k))) points_.row(k) = points.row(farthest);
  }
}

double MotionExtent::radius() const {
  return 0.5 * (points_.colwise().maxCoeff() - points_.colwise().minCoeff()).norm();
}

Floor MotionExtent::floor_below(const Vec3& up) const {
  Floor ground;
  ground.up = up;
  ground.centre = points_.colwise().mean();
  ground.radius = radius();
  if (ground.radius == 0) ground.radius = 1;
  constexpr double kGap = 0.05;  // of the radius: enough for a shadow that tells it hangs
  ground.height = (points_ * up).minCoeff() - kGap * ground.radius;
  return ground;
}

Floor floor_of(const SceneDescription& scene, const MotionExtent& extent) {
  if (!scene.ground) return extent.floor_below(up_of(scene));
  const double length = scene.ground->normal.norm();
  Floor floor = extent.floor_below(scene.ground->normal / length);
  floor.height = scene.ground->offset / length;
  return floor;
}

double MotionExtent::reach_along(const Vec3& axis) const {
  const Vector along = points_ * axis;
  return along.maxCoeff() - along.minCoeff();
}

std::optional<double> MotionExtent::broadside(const Vec3& up) const {
  constexpr double kLong = 1.25;
  constexpr int kTurns = 60;
  double azimuth = 0, least_area = INFINITY, length = 0;
  for (int k = 0; k < kTurns; ++k) {
    const double angle = std::numbers::pi * k / kTurns;
    const Mat3 frame = view_frame({.azimuth = angle, .elevation = 0, .zoom = 1, .up = up});
    const double width = reach_along(frame.col(0)), depth = reach_along(frame.col(2));
    // Rounding must not turn away from the axes of the world.
    if (width < kLong * depth || width * depth >= (1 - 1e-6) * least_area) continue;
    azimuth = angle;
    least_area = width * depth;
    length = width;
  }
  return length > 0 ? std::optional(azimuth) : std::nullopt;
}

View MotionExtent::natural_view(const Vec3& up) const {
  constexpr double kTurn = 0.5, kElevation = 0.26;  // rad
  View view{.azimuth = kTurn, .elevation = kElevation, .zoom = 1, .up = up};
  const std::optional<double> side = broadside(up);
  if (!side) return view;
  // Turned either way, from either side: whichever is nearest to the usual.
  double farthest = INFINITY;
  for (const double turn : {kTurn, -kTurn}) {
    for (const double half_turn : {0.0, -std::numbers::pi}) {
      const double azimuth = *side + turn + half_turn;
      if (std::abs(azimuth - kTurn) >= farthest) continue;
      farthest = std::abs(azimuth - kTurn);
      view.azimuth = azimuth;
    }
  }
  return view;
}

Vector node_values(const SceneBody& body, const Positions& nodes, Paint paint) {
  if (paint == Paint::volume) return volume_values(body.mesh(), nodes);
  return (nodes - rest_in_frame(body)).rowwise().norm();
}

namespace {

/// Edges drawn are those that move by themselves.
std::optional<TriMesh> leaf_surface(const SceneBody& body) {
  const auto* adaptive = dynamic_cast<const AdaptiveBody*>(&body.dynamics());
  if (adaptive == nullptr) return std::nullopt;
  const SurfaceBinding& binding = body.source().binding;
  std::vector<int> vertex_of(static_cast<std::size_t>(adaptive->node_count()), -1);
  for (int vertex = 0; vertex < binding.vertex_count(); ++vertex) {
    const BodyPoint point = point_of(binding, vertex);
    if (point.weights[0] != 1) return std::nullopt;  // a surface of its own
    vertex_of[static_cast<std::size_t>(point.nodes[0])] = vertex;
  }
  const Boundary boundary = boundary_surface(adaptive->leaves().mesh());
  TriMesh leaves;
  leaves.V = body.surface().V;
  leaves.F = boundary.surface.F;
  for (Eigen::Index k = 0; k < leaves.F.size(); ++k) {
    const auto own = static_cast<std::size_t>(boundary.nodes[leaves.F.data()[k]]);
    const int node = adaptive->leaves().nodes()[own];
    leaves.F.data()[k] = vertex_of[static_cast<std::size_t>(node)];
  }
  return leaves;
}

}  // namespace

Cast::Cast(const SceneWorld& world, Paint paint)
    : world_(world), props_(props_of(world.world())), paint_(paint) {
  std::set<Method> methods;
  for (const SceneBody& body : world.bodies()) methods.insert(body.description().method);
  by_method_ = methods.size() > 1;
  own_colours_ = !by_method_;
  for (const SceneBody& body : world.bodies()) {
    shadings_.emplace_back(body.surface());
    paints_.push_back(SurfacePaint::of(body.surface()));
    colours_.push_back(by_method_ ? method_colour(std::string(name_of(body.description().method)))
                                  : body_colour(colours_.size()));
  }
  for (const SceneProp& prop : props_) {
    shadings_.emplace_back(prop.surface);
    colours_.push_back(colour(kPropColour));
  }
}

const TriMesh& Cast::surface(std::size_t k) const {
  const std::size_t bodies = world_.bodies().size();
  return k < bodies ? world_.bodies()[k].surface() : props_[k - bodies].surface;
}

void Cast::paint_all(const Colour& colour) {
  std::fill_n(colours_.begin(), world_.bodies().size(), colour);
  own_colours_ = false;
}

std::vector<BodyMoment> Cast::now() const {
  std::vector<BodyMoment> moment;
  for (const SceneBody& body : world_.bodies()) {
    const Positions nodes = body.node_positions();
    BodyMoment shown;
    shown.surface = body.surface_positions(nodes);
    shown.rest_surface = body.surface_positions(rest_in_frame(body));
    shown.leaves = leaf_surface(body);
    if (paint_ != Paint::plain) {
      shown.values = on_surface(body.source().binding, node_values(body, nodes, paint_));
    }
    moment.push_back(std::move(shown));
  }
  for (const SceneProp& prop : props_) {
    BodyMoment shown;
    shown.surface = positions_of(prop, world_.world());
    shown.rest_surface = shown.surface;
    moment.push_back(std::move(shown));
  }
  return moment;
}

void Cast::add_shapes(const std::vector<BodyMoment>& moment, const Look& look,
                      std::vector<Shape>& shapes) const {
  for (std::size_t k = 0; k < moment.size(); ++k) {
    const TriMesh& surface = this->surface(k);
    const bool is_prop = k >= world_.bodies().size();
    const std::optional<TriMesh>& leaves = moment[k].leaves;
    Shape shape = look.edges && leaves
                      ? make_shape(*leaves, Shading(*leaves), moment[k].surface, colours_[k])
                      : make_shape(surface, shadings_[k], moment[k].surface, colours_[k]);
    shape.edges = look.edges;
    if (look.paint == Paint::plain && own_colours_) {
      shape.vertex_colours = surface.colours;
      if (!is_prop) shape.paint = paints_[k];
    } else if (look.paint != Paint::plain && !is_prop) {
      const double most = look.most > 0 ? look.most : 1;
      shape.vertex_colours.resize(shape.positions.rows(), 3);
      for (Eigen::Index v = 0; v < shape.positions.rows(); ++v) {
        const double t = moment[k].values[v] / most;
        const Colour colour =
            look.paint == Paint::volume ? diverging_colour(t) : sequential_colour(t);
        shape.vertex_colours.row(v) = linear_light(colour);
      }
    }
    shapes.push_back(std::move(shape));
    if (look.rest && !is_prop) {
      Shape rest = make_shape(surface, shadings_[k], moment[k].rest_surface, colour(0x8C96A3));
      rest.opacity = 0.16;
      rest.edges = look.edges;
      shapes.push_back(std::move(rest));
    }
  }
}

std::vector<Cast::Entry> Cast::legend() const {
  std::vector<Entry> entries;
  if (world_.bodies().size() < 2) return entries;
  for (std::size_t k = 0; k < world_.bodies().size(); ++k) {
    const SceneBody& body = world_.bodies()[k];
    if (own_colours_ && body.surface().colours.rows() > 0) continue;  // it shows its paint
    const std::string label =
        by_method_ ? std::string(name_of(body.description().method)) : body.name();
    const bool known = std::any_of(entries.begin(), entries.end(),
                                   [&](const Entry& entry) { return entry.label == label; });
    if (!known) entries.push_back({label, colours_[k]});
  }
  return entries;
}

}  // namespace limber
