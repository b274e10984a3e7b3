// What the page may ask, and what it is told. The page's side is web/src/net/protocol.ts; a test
// runs both against each other.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/film_maker.h"
#include "server/project.h"
#include "server/simulation.h"

namespace limber::studio {

namespace command {
struct Open {
  std::string sample;
};
struct Play {
  bool playing;
};
struct Step {};
struct Reset {};
struct Speed {
  double factor;
};
struct Gravity {
  Vec3 acceleration;
};
struct Damping {
  int body;
  double mass, stiffness;
};
/// Material, number of modes or time step.
struct Rebuild {
  Change change;
};
struct Lanes {
  std::vector<std::string> methods;
  int truth;
};
/// A new hand, or new properties of one.
struct Place {
  Hand hand;
};
struct Move {
  int id;
  Vec3 target, rotation;
  bool begins;  ///< a drag of its own for undo
};
/// With a velocity (m/s) the hand opened in a swing: a free body that nothing else holds flies on.
struct Release {
  int id;
  std::optional<Vec3> velocity;
};
struct ReleaseAll {};
/// Through the history: so many steps, back where negative.
struct Travel {
  int steps;
};
/// A change of the scene's document under the name that its undoing has.
struct Edit {
  std::string name;
  SceneEdit edit;
};
/// One more body, from the gallery.
struct AddBody {
  std::string sample;
};
/// An obstacle in the hand; see Simulation::move_obstacle.
struct MoveObstacle {
  int obstacle;
  Vec3 position;
  bool begins, let_go;
};
struct ShowContacts {
  bool shown;
};
struct ShowStress {
  bool shown;
};
struct Force {
  int body, vertex;
  Vec3 force;
};
/// A blow on a vertex, N s.
struct Hit {
  int body, vertex;
  Vec3 impulse;
};
/// A free body put somewhere at rest: where its rest coordinates' origin and axes shall be.
struct PutBody {
  int body;
  Vec3 position;
  Eigen::Vector4d rotation;
};
/// Of a free body's mass centre, m/s, and its spin, rad/s.
struct ThrowBody {
  int body;
  Vec3 velocity, spin;
};
struct Support {
  Vec3 position;
  Eigen::Vector4d rotation;
};
struct Record {
  bool running;
};
/// Replays a take instead of the simulation; 0 goes back to that.
struct ShowTake {
  int id;
  bool looping;
};
/// Another name and other ends, s from the recording's first frame.
struct ChangeTake {
  int id;
  std::string name;
  double from, to;
};
struct RemoveTake {
  int id;
};
struct ScrubTake {
  double time;
};
/// A film of a take; not wanted: the one that is being made is called off.
struct MakeFilm {
  bool wanted;
  int take;
  FilmView view;
};
struct PoseAdd {
  double time;
  std::string name;
};
struct PoseRemove {
  int id;
};
struct PoseTime {
  int id;
  double time;
};
struct Interpolation {
  bool active, looping;
  int modes;
};
struct Curves {
  MotionCurves curves;
};
struct Scrub {
  double time;
};
/// What the page keeps with the project, as JSON: the camera, for one.
struct View {
  std::string view;
};
/// Opens the project that an earlier run of the studio kept, or lets go of it.
struct Resume {
  bool open;
};
/// Asks for the tets of a body; see Simulation::cage.
struct ShowCage {
  int body, cells;
};
/// Asks for z(t) of one mode.
struct ModeCurve {
  int mode;
};
}  // namespace command

using Command =
    std::variant<command::Open, command::Play, command::Step, command::Reset, command::Speed,
                 command::Gravity, command::Damping, command::Rebuild, command::Lanes,
                 command::Place, command::Move, command::Release, command::ReleaseAll,
                 command::Travel, command::Edit, command::AddBody, command::MoveObstacle,
                 command::ShowContacts, command::ShowStress, command::Force, command::Hit,
                 command::PutBody, command::ThrowBody, command::Support, command::Record,
                 command::ShowTake, command::ChangeTake, command::RemoveTake, command::ScrubTake,
                 command::MakeFilm, command::PoseAdd, command::PoseRemove, command::PoseTime,
                 command::Interpolation, command::Curves, command::Scrub, command::View,
                 command::Resume, command::ShowCage, command::ModeCurve>;

/// Throws Error when the text is not one of the page's commands with sensible numbers.
[[nodiscard]] Command parse_command(std::string_view text);

/// Does it change what a project holds?
[[nodiscard]] bool changes_project(const Command& command);

/// Does the pointer wait for the answer to this one?
[[nodiscard]] bool is_input(const Command& command);

/// Of a dropped file, bytes.
constexpr std::uint64_t kUploadLimit = kMostProjectBytes;

struct Sample {
  std::string name, title, text;
};

struct KeyPose {
  int id = 0;
  std::string name;
  double time = 0;
};

struct InterpolationState {
  std::vector<KeyPose> poses;
  bool active = false;
  bool looping = true;
  double time = 0;
  double duration = 0;
  int modes = 40;
  MotionCurves curves;
  std::string obstacle;  ///< what keeps it from playing, in words
};

struct TakeState {
  int id = 0;
  std::string name;
  double duration = 0;      ///< s, of the whole recording
  double from = 0, to = 0;  ///< s, of what counts
  bool fits = true;         ///< its bodies are those of the scene
};

/// All that the panels show.
struct StudioState {
  std::uint32_t generation = 0;
  std::string title;
  std::vector<Sample> samples;
  bool playing = true;
  double speed = 1;
  double time_step = 0;
  double time = 0;
  Vec3 gravity = Vec3::Zero();
  std::vector<BodyState> bodies;
  std::vector<std::string> methods, lanes;
  std::vector<std::string> wanted_lanes;  ///< as asked for; they may still be in the making
  int truth = 0;
  std::vector<LaneFault> faults;
  std::vector<Hand> hands;
  std::vector<ObstacleState> obstacles;
  std::vector<JointState> joints;
  std::optional<double> ground;  ///< height, m
  bool contacts_shown = false, stress_shown = false;
  std::vector<std::string> undo, redo;  ///< names of what can be undone and redone, the next first
  bool recording = false;
  std::size_t recorded_frames = 0;
  std::vector<std::string> formats;
  std::vector<TakeState> takes;
  bool takes_kept = true;  ///< short enough to be kept without being asked
  int take = 0;            ///< the one that is shown; 0: none
  double take_time = 0;
  bool take_looping = true;
  FilmState film;
  InterpolationState interpolation;
  std::string view = "null";  ///< of the project, JSON
  std::uint32_t opened = 0;   ///< how many scenes were opened: the page takes the view of a new one
  std::uint32_t kept = 0;     ///< how often the project was kept by itself
  std::string offer;          ///< title of the project that an earlier run kept; empty: none
};

[[nodiscard]] std::string encode_state(const StudioState& state);
[[nodiscard]] std::string encode_hands(const std::vector<Hand>& hands);
[[nodiscard]] std::string encode_cage(const Cage& cage);
[[nodiscard]] std::string encode_error(std::string_view message);
[[nodiscard]] std::string encode_progress(std::string_view stage, double fraction);
[[nodiscard]] std::string encode_idle();
[[nodiscard]] std::string encode_curve(int mode, const std::vector<double>& times,
                                       const std::vector<double>& values,
                                       const std::vector<double>& keys);

}  // namespace limber::studio
