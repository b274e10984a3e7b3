// The studio's scene, shared by all browsers: the simulation in its own thread at its fixed step,
// commands in, frames and state out.
//
// Pace: a step is due every time_step/speed. A pointer's command does not wait for it: the step is
// taken at once, at most one step early, so that a drag is answered in the next step and the
// clock still keeps time. When steps take longer than they last, the simulation is slower than
// time rather than ever further behind.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "server/film_maker.h"
#include "server/hand_list.h"
#include "server/history.h"
#include "server/import_mesh.h"
#include "server/pose_editor.h"
#include "server/protocol.h"
#include "server/recorder.h"
#include "server/simulation.h"
#include "server/worker.h"

namespace limber::studio {

using Text = std::shared_ptr<const std::string>;

[[nodiscard]] inline Text text(std::string value) {
  return std::make_shared<const std::string>(std::move(value));
}

/// Where news go. Called from the session's threads; must not block. Of each kind but `reply` the
/// newest replaces those that were not sent yet.
class Audience {
 public:
  virtual ~Audience() = default;
  virtual void frame(Text bytes) = 0;
  virtual void state(Text json) = 0;
  virtual void hands(Text json) = 0;
  virtual void work(Text json) = 0;  ///< progress and idle
  virtual void reply(ClientId client, Text json) = 0;
  virtual void reply_all(Text json) = 0;
};

/// Where scenes come from.
class Library {
 public:
  virtual ~Library() = default;
  [[nodiscard]] virtual std::vector<Sample> samples() const = 0;
  /// Called from the worker's thread. Throws Error.
  [[nodiscard]] virtual std::unique_ptr<Simulation> open_sample(const std::string& name,
                                                                const Progress& progress) = 0;
  [[nodiscard]] virtual std::unique_ptr<Simulation> open_file(const std::filesystem::path& path,
                                                              const Progress& progress) = 0;
  /// A file that came over the network, in a folder of its own: it may name others in there alone.
  [[nodiscard]] virtual std::unique_ptr<Simulation> open_upload(const std::filesystem::path& path,
                                                                const Progress& progress) {
    return open_file(path, progress);
  }
  /// Bodies for the scene that is open. Called from the worker's thread. Throw Error.
  [[nodiscard]] virtual SceneAddition add_sample(const std::string& name);
  [[nodiscard]] virtual SceneAddition add_upload(const std::filesystem::path& path);
};

/// What an uploaded file becomes: the scene, a key pose of its first body, or one more body.
enum class FileUse { scene, pose, body };

/// Of the exception being handled, for people; the worker's own end goes on up.
[[nodiscard]] std::string words_of_failure();

class Session {
 public:
  /// `library` and `audience` outlive the session.
  /// Keeps the project at `keep` by itself, when it was changed, unless that is empty.
  Session(Library& library, Audience& audience, std::unique_ptr<Simulation> first,
          std::filesystem::path keep = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void post(ClientId client, Command command);
  void client_left(ClientId client);
  /// Nobody looking: the simulation rests.
  void set_watchers(int count);

  /// The model's bytes when `generation` is the one being played, else null.
  [[nodiscard]] Text model(std::uint32_t generation) const;

  /// Called once, from the session's threads, with the error's words or an empty text.
  using Done = std::function<void(const std::string& error)>;
  /// `holds` lives as long as what was opened.
  void open_file(std::filesystem::path path, FileUse use, std::shared_ptr<const void> holds,
                 Done done, MeshImport import = {});
  /// Gives the file's bytes, or null and why not.
  using Download = std::function<void(Text bytes, const std::string& error)>;
  /// What a mesh's file holds, as JSON, before it is opened; see survey_mesh().
  void survey_file(std::filesystem::path path, std::shared_ptr<const void> holds, Download done);
  void export_recording(std::string ending, Download done);
  void export_film(Download done);
  void export_scene(Download done);
  void export_project(Download done);

 private:
  using Clock = std::chrono::steady_clock;
  struct Posted {
    ClientId client;
    Command command;
  };

  void run(const std::stop_token& stop);
  void loop(const std::stop_token& stop);
  void wait(const std::stop_token& stop);
  /// Runs on the simulation's thread before its next step.
  void run_soon(std::function<void()> task);
  void apply(const Posted& posted);
  void step_if_due();
  void step_once();
  bool record_frame();
  /// The recording that runs becomes a take.
  void finish_take();
  [[nodiscard]] Take* find_take(int id);
  /// Null while the simulation or the poses are shown.
  [[nodiscard]] const Take* shown_take() const;
  void advance_replay();
  [[nodiscard]] std::string replay_frame() const;
  /// The surfaces that are shown, of the first lane; world, m.
  [[nodiscard]] std::vector<Positions> shown_surfaces() const;
  [[nodiscard]] double shown_time() const;
  void recover(const std::string& why);
  void publish();
  [[nodiscard]] std::string simulation_frame() const;
  [[nodiscard]] std::string pose_frame() const;

  void open(const std::string& what,
            std::function<std::unique_ptr<Simulation>(const Progress&)> make, Done done);
  void replace(std::unique_ptr<Simulation> next, bool carry);
  /// Work on the scene, one after the other: a change under the name that its undoing has, or a way
  /// through the history.
  struct Work {
    ClientId client = 0;
    Change change;
    HistoryLabel label;
    int travel = 0;  // steps through the history: back is negative
    Done done;       // may be empty
  };
  void change(ClientId client, const Change& change, const HistoryLabel& label, Done done = {});
  void start_rebuild();
  /// The job on the worker's thread; `landed` here, before the new scene replaces the old, and then
  /// `settled`. Neither when it fails.
  void run_job(Work work, const Simulation::Job& job, std::function<void()> landed,
               std::function<void()> settled);
  void end_work(const Work& work, const std::string& error);
  void start_travel(const Work& work);
  /// Hands and poses of that version; its scene is being played.
  void go_to(const ProjectVersion& version);
  [[nodiscard]] ProjectVersion project_version() const;
  /// Does something that can be undone under that name.
  void doing(const HistoryLabel& label, const std::function<void()>& act);
  /// Bodies may have come or gone: hands stay with theirs, poses with the first.
  void follow_bodies(const std::vector<BodyState>& before);
  void apply_hands();
  Progress progress_for(const std::string& what);
  [[nodiscard]] StudioState state() const;
  /// The lane that errors are measured against; lanes that are asked for may not be there yet.
  [[nodiscard]] int truth() const;
  /// The lanes once all that was asked for is made.
  [[nodiscard]] std::vector<std::string> wanted_lanes() const;

  void on(ClientId, const command::Open& c);
  void on(ClientId, const command::Play& c);
  void on(ClientId, const command::Step&);
  void on(ClientId, const command::Reset&);
  void on(ClientId, const command::Speed& c);
  void on(ClientId, const command::Gravity& c);
  void on(ClientId, const command::Damping& c);
  void on(ClientId, const command::Rebuild& c);
  void on(ClientId, const command::Lanes& c);
  void on(ClientId, const command::Place& c);
  void on(ClientId, const command::Move& c);
  void on(ClientId, const command::Release& c);
  void on(ClientId, const command::ReleaseAll&);
  void on(ClientId client, const command::Travel& c);
  void on(ClientId client, const command::Edit& c);
  void on(ClientId client, const command::AddBody& c);
  void on(ClientId, const command::MoveObstacle& c);
  void on(ClientId, const command::ShowContacts& c);
  void on(ClientId, const command::ShowStress& c);
  void on(ClientId, const command::Force& c);
  void on(ClientId, const command::Hit& c);
  void on(ClientId, const command::PutBody& c);
  void on(ClientId, const command::ThrowBody& c);
  void on(ClientId, const command::Support& c);
  void on(ClientId, const command::Record& c);
  void on(ClientId, const command::ShowTake& c);
  void on(ClientId, const command::ChangeTake& c);
  void on(ClientId, const command::RemoveTake& c);
  void on(ClientId, const command::ScrubTake& c);
  void on(ClientId, const command::MakeFilm& c);
  void on(ClientId, const command::PoseAdd& c);
  void on(ClientId, const command::PoseRemove& c);
  void on(ClientId, const command::PoseTime& c);
  void on(ClientId, const command::Interpolation& c);
  void on(ClientId, const command::Curves& c);
  void on(ClientId, const command::Scrub& c);
  void on(ClientId client, const command::ModeCurve& c);
  void on(ClientId client, const command::ShowCage& c);
  void on(ClientId, const command::View& c);
  void on(ClientId client, const command::Resume& c);
  /// All of a project that is not in its scene.
  [[nodiscard]] SavedSession saved_session() const;
  void restore(const SavedSession& session);
  /// The same as it is kept without being asked; long takes stay out of it.
  [[nodiscard]] SavedSession kept_session() const;
  [[nodiscard]] bool takes_kept() const;
  void write_soon(const SavedSession& session, const Download& done);
  /// Looks for what an earlier run kept.
  void find_offer();
  void keep_if_due();
  /// What was not kept yet when the studio ends.
  void keep_now();
  void note_change();
  void poses_changed();

  Library& library_;
  Audience& audience_;
  const std::vector<Sample> samples_;

  mutable std::mutex mutex_;  // guards what stands between here and the next blank line
  std::condition_variable_any wake_;
  std::deque<Posted> inbox_;
  std::deque<std::function<void()>> tasks_;
  int watchers_ = 0;
  std::uint32_t inputs_coalesced_ = 0;
  Text model_;
  std::uint32_t model_generation_ = 0;

  // Of the simulation's thread alone.
  std::unique_ptr<Simulation> simulation_;
  std::vector<Take> takes_;
  struct Replay {
    int take = 0;  // its id; 0: the simulation is shown
    double time = 0;
    bool looping = true;
  };
  Replay replay_;
  int last_take_ = 0;
  std::uint32_t generation_ = 1;
  HandList hands_;
  Recorder recorder_;
  PoseEditor poses_;
  std::atomic<std::uint32_t> cages_asked_ = 0;
  bool making_motion_ = false;
  std::map<std::pair<int, int>, ClientId> pushes_;  // who pushes which body's vertex
  ClientId shaker_ = 0;
  bool playing_ = true;
  double speed_ = 1;
  std::filesystem::path keep_;  // where the project is kept by itself; empty: nowhere
  std::string offer_;           // title of what an earlier run kept
  std::string view_ = "null";
  std::uint32_t opened_ = 0, kept_ = 0;
  bool to_keep_ = false, keeping_ = false;
  Clock::time_point changed_at_{};
  int truth_ = 0;                          // as asked for; see truth()
  std::vector<std::string> wanted_lanes_;  // while lanes are in the making
  std::size_t faults_told_ = 0;
  std::uint32_t steps_ = 0;
  std::uint32_t inputs_ = 0;
  double step_seconds_ = 0;
  bool state_changed_ = true, hands_changed_ = false, frame_changed_ = true, input_waits_ = false;
  bool rebuilding_ = false;
  std::deque<Work> changes_;
  History history_;
  bool contacts_shown_ = false, stress_shown_ = false;
  Clock::time_point due_ = Clock::now();
  Clock::time_point published_{};

  FilmMaker film_{[this] { run_soon([this] { state_changed_ = true; }); }};
  Worker worker_;
  std::jthread thread_;  // last, so that it ends before what it uses
};

}  // namespace limber::studio
