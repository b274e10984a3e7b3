// What the studio needs of a simulation, and the words that both speak. The server knows nothing
// else of it: world_simulation.h plays scenes, tests play something simpler.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "limber/core/progress.h"
#include "limber/core/types.h"
#include "limber/mesh/tri_mesh.h"
#include "server/frame_writer.h"
#include "server/pose_motion.h"
#include "server/scene_edits.h"
#include "server/take.h"

namespace limber::studio {

/// A hand on a body: where a vertex of its surface shall be (m, world), how it shall be turned
/// (rotation vector, rad).
struct Hand {
  enum class Kind { position, orientation, both };
  int id = 0;
  int body = 0;
  int vertex = 0;
  Kind kind = Kind::position;
  Vec3 target = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();
  bool pinned = false;  ///< stays when the pointer lets go
};

/// What the panels show of a body; the fields of `BodyState` in web/src/net/protocol.ts.
struct BodyState {
  std::string name;
  int nodes = 0;
  int tets = 0;
  int vertices = 0;
  double mass = 0;  ///< kg
  int modes = 0;
  int modes_available = 0;
  double young = 0;  ///< Pa
  double poisson = 0;
  double density = 0;            ///< kg/m³
  double damping_mass = 0;       ///< 1/s
  double damping_stiffness = 0;  ///< s
  std::vector<double> frequencies_hz;
  bool free = false;    ///< of fixed nodes
  bool filled = false;  ///< a surface filled with tets, which can be filled anew
  int cells = 0;        ///< along its longest side, where the scene says so
  Vec3 start_position = Vec3::Zero();
  Eigen::Vector4d start_rotation{0, 0, 0, 1};
};

/// Something hard that bodies meet.
struct ObstacleState {
  std::string name;
  std::string shape;         ///< plane, sphere, box, capsule, surface
  std::vector<double> size;  ///< m, as scenes have it
  Vec3 position = Vec3::Zero();
  Eigen::Vector4d rotation{0, 0, 0, 1};
  std::optional<double> mass;  ///< kg: it moves by itself
  bool keyed = false;          ///< follows a path
};

/// What holds two things together, as the scene has it at its start; world coordinates.
struct JointState {
  std::string kind;                   ///< ball, hinge, weld, slider, distance
  std::array<std::string, 2> bodies;  ///< names; empty: the world
  Vec3 at = Vec3::Zero();
  std::optional<Vec3> to, axis;
  double radius = 0;                            ///< m, of a weld; 0: as the bodies' sizes ask
  std::optional<double> break_force;            ///< N
  std::optional<std::array<double, 2>> limits;  ///< rad or m
  bool collide = false;
};

/// A scene as it once was; only the simulation knows what is inside.
class SceneVersion {
 public:
  virtual ~SceneVersion() = default;
};

/// Changes that may need new modes or matrices. Fields that are empty stay as they are.
struct Change {
  struct BodyChange {
    int body = 0;
    std::optional<double> young, poisson, density;
    std::optional<int> modes;
  };
  std::optional<BodyChange> body;
  std::optional<std::vector<std::string>> lanes;             ///< one to four methods
  std::optional<double> time_step;                           ///< s
  SceneEdit edit{};                                          ///< of the scene's document
  std::function<SceneAddition(const Progress&)> addition{};  ///< more bodies
  std::shared_ptr<const SceneVersion> version{};             ///< all of it as it was then
};

/// The tets of a body at rest as their outer edges: what it looks like at some resolution.
struct Cage {
  int body = 0, cells = 0, nodes = 0, tets = 0;
  std::vector<float> positions;  // 3 a node of the boundary; m, the body's rest coordinates
  std::vector<int> edges;        // 2 each
};

/// A body that one lane cannot move on: it stands still there until it can.
struct LaneFault {
  int lane = 0;
  int body = 0;
  double time = 0;      ///< s, when it stopped
  std::string message;  ///< what and remedy, in words
};

/// A scene as a project holds it: its document names files by where they stand in the project.
struct SavedScene {
  std::string title;
  std::string scene;                                                 // JSON
  std::vector<std::pair<std::string, std::filesystem::path>> files;  // inside, and on disk
};

struct SavedPose {
  std::string name;
  double time = 0;  // s
  Positions positions;
};

/// What people made of a scene beside what the scene itself says.
struct SavedSession {
  std::vector<std::string> lanes;
  int truth = 0;
  std::vector<Hand> hands;
  std::vector<SavedPose> poses;
  bool looping = true;
  int modes = 40;
  MotionCurves curves;
  std::vector<Take> takes;
  std::string view = "null";  ///< the page's own: camera and the like, JSON
};

/// A scene being played, the same one by one to four methods ("lanes") under the same hands.
/// All calls come from one thread, but for the job that rebuild() returns.
class Simulation {
 public:
  virtual ~Simulation() = default;

  [[nodiscard]] virtual std::string title() const = 0;
  [[nodiscard]] virtual double time() const = 0;
  [[nodiscard]] virtual double time_step() const = 0;
  [[nodiscard]] virtual Vec3 gravity() const = 0;
  [[nodiscard]] virtual std::vector<BodyState> bodies() const = 0;
  /// Methods that this scene can be played by.
  [[nodiscard]] virtual std::vector<std::string> methods() const = 0;
  [[nodiscard]] virtual std::vector<std::string> lanes() const = 0;
  /// The container of web/src/net/model.ts.
  [[nodiscard]] virtual std::string model() const = 0;
  [[nodiscard]] virtual int contacts() const { return 0; }
  [[nodiscard]] virtual std::vector<ObstacleState> obstacles() const { return {}; }
  [[nodiscard]] virtual std::vector<JointState> joints() const { return {}; }
  /// Height of a level ground, m.
  [[nodiscard]] virtual std::optional<double> ground() const { return std::nullopt; }
  /// Bodies that stand still because their method cannot go on; lane by lane.
  [[nodiscard]] virtual std::vector<LaneFault> faults() const { return {}; }

  virtual void step() = 0;
  /// Lane by lane, body by body. `truth` is the lane that errors are measured against.
  virtual void write_frame(FrameWriter& frame, int truth) const = 0;
  virtual void reset() = 0;

  /// Replaces all hands. Throws Error when one names a body or vertex that is not there.
  virtual void set_hands(std::span<const Hand> hands) = 0;
  /// A force on a vertex (N, world) until the next call for it; zero ends it.
  virtual void set_force(int body, int vertex, const Vec3& force) = 0;
  /// An impulse on a vertex, N s, world.
  virtual void hit(int body, int vertex, const Vec3& impulse) = 0;
  /// Puts a free body somewhere at rest, or gives it a velocity and a spin. Both throw Error for a
  /// body that hangs on fixed nodes.
  virtual void put(int body, const Vec3& position, const Eigen::Vector4d& rotation) = 0;
  virtual void throw_body(int body, const Vec3& velocity, const Vec3& spin) = 0;
  /// The mass centre of a free body moves on like this, m/s; its swing and spin stay. Of one that
  /// hangs on fixed nodes nothing changes.
  virtual void let_fly(int /*body*/, const Vec3& /*velocity*/) {}
  /// Where the support shall move, relative to the scene's own motion; quaternion x y z w.
  virtual void set_support(const Vec3& position, const Eigen::Vector4d& rotation) = 0;
  /// An obstacle in somebody's hand, where it shall be; `let_go` when the hand opens. One without a
  /// mass stays there, and the scene has it there from then on; one with a mass flies on. While
  /// `paused` it is there at once, and the scene has either there.
  virtual void move_obstacle(int /*obstacle*/, const Vec3& /*position*/, bool /*let_go*/,
                             bool /*paused*/) {}
  /// Whether frames hold the contacts.
  virtual void show_contacts(bool /*shown*/) {}
  /// Whether frames hold the stresses at the vertices.
  virtual void show_stress(bool /*shown*/) {}
  virtual void set_gravity(const Vec3& acceleration) = 0;
  virtual void set_damping(int body, double mass, double stiffness) = 0;

  using Job = std::function<std::unique_ptr<Simulation>(const Progress&)>;
  /// Work for another thread that makes this scene anew with the change. Throws Error when the
  /// change makes no sense.
  [[nodiscard]] virtual Job rebuild(const Change& change) const = 0;
  using CageJob = std::function<Cage(const Progress&)>;
  /// Work for another thread: a body's tets as they are (`cells` 0), or as it would be filled by so
  /// many cells along its longest side. Throws Error.
  [[nodiscard]] virtual CageJob cage(int body, int cells) const;
  /// Takes over what can be taken over of another simulation's state: time, shapes, motion.
  virtual void carry_over(const Simulation& before) = 0;
  /// The scene as it is, motion apart: equal pointers while nothing of it changes.
  [[nodiscard]] virtual std::shared_ptr<const SceneVersion> version() const { return nullptr; }

  /// For recordings: the bodies at rest, and the surfaces of the first lane now (world, m).
  [[nodiscard]] virtual std::vector<RecordedBody> recorded_bodies() const = 0;
  [[nodiscard]] virtual std::vector<Positions> surfaces() const = 0;
  /// The same bodies' surfaces with their colours, materials and pictures, for what is written to
  /// files; empty where there is none.
  [[nodiscard]] virtual std::vector<TriMesh> looks() const { return {}; }
  /// Of each obstacle its surface in its own coordinates, where it has an end.
  [[nodiscard]] virtual std::vector<TriMesh> obstacle_surfaces() const { return {}; }
  /// Of the same lane now.
  [[nodiscard]] virtual std::vector<BodyPlace> obstacle_places() const { return {}; }
  /// The shape of the first body in the first lane now, one row a node, in its own frame; and one
  /// read from a file, which must fit the body. Both throw Error where there is none.
  [[nodiscard]] virtual Positions pose() const = 0;
  [[nodiscard]] virtual Positions pose_from_file(const std::filesystem::path& path) const = 0;
  using MotionJob = std::function<std::unique_ptr<PoseMotion>(const Progress&)>;
  /// Work for another thread that makes the motion through two or more poses.
  [[nodiscard]] virtual MotionJob make_motion(std::vector<Positions> poses,
                                              std::vector<double> times, int modes) const = 0;

  /// The scene as a file, with what was changed here.
  [[nodiscard]] virtual std::string scene_file() const = 0;
  /// The same for a project. Throws Error where there is no such thing.
  [[nodiscard]] virtual SavedScene saved_scene() const;
  /// What came with the scene when it was opened from a project; once.
  [[nodiscard]] virtual std::optional<SavedSession> take_saved_session() { return std::nullopt; }
  /// Holds something, a folder perhaps, as long as the scene or one made from it is there.
  virtual void keep(std::shared_ptr<const void>) {}
};

}  // namespace limber::studio
