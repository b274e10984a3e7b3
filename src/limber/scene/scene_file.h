// What a scene file says, checked but not yet built: docs/scene.schema.json in C++.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "limber/dynamics/adaptive/leaf_choice.h"
#include "limber/dynamics/frame/frame_motion.h"
#include "limber/dynamics/full_space/full_body_options.h"
#include "limber/dynamics/handles.h"
#include "limber/dynamics/loads.h"
#include "limber/dynamics/local/local_options.h"
#include "limber/dynamics/method.h"
#include "limber/dynamics/modal/modal_shape.h"
#include "limber/dynamics/modal/oscillator.h"
#include "limber/fem/mass.h"
#include "limber/material/elastic_law.h"
#include "limber/material/material.h"
#include "limber/mesh/tet_mesh.h"
#include "limber/mesh/tetrahedralize/fill_kinds.h"
#include "limber/mesh/tri_mesh.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/scene/scene_contact.h"
#include "limber/world/detail_budget.h"

namespace limber {

/// A node by number, or the node nearest to a point at rest.
using NodeChoice = std::variant<int, Vec3>;

/// Nodes by a SELECT expression or by choice.
using NodeSelection = std::variant<std::string, std::vector<NodeChoice>>;

/// A sample shape (mesh/sample_shapes.h) or a character (mesh/characters/character.h). `size` and
/// `cells` as the shape wants them; of a character: its height, and cells along the longest side.
struct ShapeDescription {
  std::string shape;
  std::vector<double> size;
  std::vector<int> cells;
  int vertices = 0;  // characters only; 0: their default
};

/// How a body that has only a surface is filled; see mesh/tetrahedralize.
struct FillDescription {
  FillMode mode = FillMode::automatic;
  int cells = 0;
  int tets = 0;
};

struct PathKey {
  double time = 0;
  Vec3 target = Vec3::Zero();
};

/// A handle: what it holds and where it should go.
struct ConstraintDescription {
  HandleKind kind = HandleKind::position;
  NodeChoice node = 0;
  std::vector<PathKey> path;
  Interpolation interpolation = Interpolation::smooth;
  Treatment treatment = Treatment::previous;
  std::vector<NodeChoice> exercised;  // empty: chosen
  double stiffness = 0;               // soft only, N/m
  double damping = 0;                 // soft only, N s/m
};

struct ForceDescription {
  NodeSelection nodes;
  Vec3 force = Vec3::Zero();  // N on each node
  double from = -kForever;
  double to = kForever;
};

/// A spring from a point of the core, where the path starts, to the path.
struct CoreHand {
  Path path;
  double stiffness = 0;     // N/m
  double damping = 0;       // N s/m
  double turn_damping = 0;  // N m s
};

/// Nodes that move as one rigid body and carry the rest: by the support, by an axis that turns at a
/// given speed, or by themselves.
struct CoreDescription {
  std::string nodes;  // SELECT
  std::optional<CoreHand> hand;
  std::optional<CoreAxis> axis;
  std::optional<double> speed;  // rad/s about the axis
  bool free = false;

  [[nodiscard]] bool moves_by_itself() const { return free || hand || (axis && !speed); }
};

/// Bones that lead the nodes near them; see rig/bone_leads.h.
struct SkeletonDescription {
  std::filesystem::path file;      // .glb, .gltf or .bvh
  std::string clip;                // by name or number; empty: the first
  double scale = 1;                // of the file's lengths
  std::vector<std::string> bones;  // empty: all that have nodes near
  double radius = 0;               // m; 0: a twentieth of the body's size
  int handles = 3;                 // a bone
  double stiffness = 0;            // N/m of springs; 0: held exactly
  double damping = 0;              // N s/m of springs
  double ease = 0.5;               // s from the rest pose to the clip's first
};

/// What becomes of pieces of a mesh that share no node.
enum class LoosePieces { apart, glue };

/// What a reduced body takes unless told otherwise.
inline constexpr int kReducedFields = 30;

struct BodyDescription {
  std::string name;
  std::filesystem::path mesh;                   // or
  std::filesystem::path baked;                  // or
  std::shared_ptr<const TetMesh> given_mesh;    // by a program; or
  std::shared_ptr<const BakedBody> given_body;  // or
  std::optional<ShapeDescription> shape;
  std::filesystem::path surface;  // shown instead of the boundary; alone, it is filled; or
  std::shared_ptr<const TriMesh> given_surface;  // by a program; or
  std::optional<ShapeDescription> character;     // the same made by code
  FillDescription fill;
  LoosePieces pieces = LoosePieces::apart;
  std::filesystem::path cache;  // folder for what is made from surfaces; empty: none
  Materials materials;
  bool has_material = false;  ///< else what the mesh's file says holds
  /// Materials of regions named by a group or colour of the surface or by SELECT, in file order.
  std::vector<std::pair<std::string, Material>> named_regions;
  /// Pa where the surface is painted black and white; not given: the colours mean nothing.
  std::optional<std::pair<double, double>> painted_young;
  std::vector<std::string> fixed;
  Damping damping;
  Method method = Method::modal_warping;
  int modes = 20;                // ModalOptions::kAutomatic for "auto"
  std::optional<MassKind> mass;  // the method's own when not given
  Integrator integrator = Integrator::exact;
  double theta = kTheta;  // of Integrator::theta
  bool fast = false;      // gravity by cubature
  bool coriolis = false;  // Choi & Ko 2005, footnote 2
  LoadLaw loads = LoadLaw::work;
  LocalOptions local;                           // of method global-local
  std::optional<NodeSelection> local_excluded;  // nodes that are never local; mode `rings`
  bool has_local = false;
  int fields = kReducedFields;                       // of a reduced body's space
  ElasticLaw elasticity = ElasticLaw::corotational;  // of a reduced body
  FullBodyOptions full_space;                        // method, damping and mass apart
  bool has_full_space = false;
  int subdivide = 0;                        // levels of the mesh's tree; 0: none is made
  std::optional<AdaptiveOptions> adaptive;  // of full-resolution methods, on such a tree
  std::optional<CoreDescription> core;
  /// Where the rest coordinates' origin and axes are at time 0; its time does not matter.
  std::optional<SupportKey> place;
  std::optional<Vec3> velocity;          // of the mass centre, m/s
  std::optional<Vec3> angular_velocity;  // rad/s
  /// Amplitudes at time 0 and their velocities, m·kg^½ and that per second; of modes that are not
  /// listed 0. Hauser et al. 2003, section 3.
  std::vector<double> initial_displacement;
  std::vector<double> initial_velocity;
  TouchDescription touch;
  std::optional<double> importance;  // under a budget
  std::vector<SupportKey> support;
  Interpolation support_interpolation = Interpolation::smooth;
  std::vector<ConstraintDescription> constraints;
  std::optional<SkeletonDescription> skeleton;
  bool orientation_first = false;  // which constraints have priority
  std::vector<ForceDescription> forces;
  std::map<std::string, NodeChoice> probes;
};

struct SceneDescription {
  std::filesystem::path folder;  // paths in the file start here
  std::vector<GravityLoad> gravity{{Vec3(0, -9.81, 0)}};
  double time_step = 1.0 / 30;
  double frame_rate = 0;  // pictures a second; 0: one a step
  double duration = 5;
  std::optional<GroundDescription> ground;
  ContactOptions contact;
  DetailBudget budget;  // none: no microseconds
  std::vector<ObstacleDescription> obstacles;
  std::vector<JointDescription> joints;
  std::vector<BodyDescription> bodies;
};

/// The same body by another method: settings that this method does not have go back to their
/// defaults.
[[nodiscard]] BodyDescription with_method(BodyDescription body, Method method);

/// Throws Error that names the place in the file, and for an unknown key the nearest known one.
[[nodiscard]] SceneDescription read_scene(const std::filesystem::path& path);
/// The same from text; relative paths start at `folder`, errors name `name`.
[[nodiscard]] SceneDescription parse_scene(const std::string& text,
                                           const std::filesystem::path& folder,
                                           const std::string& name);

/// What a scene says of one thing, as a program gives it: the same keys, without where a body comes
/// from, but with "fill" where a surface comes without tets. `name`: in errors.
[[nodiscard]] BodyDescription parse_body(const std::string& text, const std::string& name,
                                         bool is_surface = false);
[[nodiscard]] GroundDescription parse_ground(const std::string& text);
[[nodiscard]] ObstacleDescription parse_obstacle(
    const std::string& text, std::shared_ptr<const TriMesh> given_surface = nullptr);
[[nodiscard]] JointDescription parse_joint(const std::string& text);
[[nodiscard]] ContactOptions parse_contact(const std::string& text);
[[nodiscard]] DetailBudget parse_budget(const std::string& text);

}  // namespace limber
