#include "server/session.h"

#include <algorithm>

#include "limber/core/error.h"
#include "server/project.h"

namespace limber::studio {

namespace {

// More than a screen shows and no more than a browser takes in without effort.
constexpr std::chrono::milliseconds kFramePause{8};
constexpr std::size_t kInboxLimit = 4096;
// When this far behind, time is given up instead of being caught up with.
constexpr std::chrono::milliseconds kLag{100};
constexpr std::chrono::milliseconds kIdleWait{200};
constexpr double kSmoothing = 0.1;

}  // namespace

Session::Session(Library& library, Audience& audience, std::unique_ptr<Simulation> first,
                 std::filesystem::path keep)
    : library_(library),
      audience_(audience),
      samples_(library.samples()),
      simulation_(std::move(first)),
      keep_(std::move(keep)) {
  find_offer();
  if (const auto saved = simulation_->take_saved_session()) restore(*saved);
  model_ = text(simulation_->model());
  model_generation_ = generation_;
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Session::~Session() {
  thread_.request_stop();
  thread_.join();
  keep_now();
}

void Session::post(ClientId client, Command command) {
  {
    const std::lock_guard lock(mutex_);
    // A drag that outruns the simulation: only its newest place matters.
    if (const auto* move = std::get_if<command::Move>(&command);
        move && !move->begins && !inbox_.empty()) {
      auto* last = std::get_if<command::Move>(&inbox_.back().command);
      if (last && last->id == move->id) {
        last->target = move->target;
        last->rotation = move->rotation;
        ++inputs_coalesced_;
        return;
      }
    }
    if (inbox_.size() >= kInboxLimit) return;
    inbox_.push_back({client, std::move(command)});
  }
  wake_.notify_one();
}

void Session::run_soon(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void Session::client_left(ClientId client) {
  run_soon([this, client] {
    hands_.release_held_by(client);
    apply_hands();
    state_changed_ = true;
    std::erase_if(pushes_, [&](const auto& push) {
      if (push.second == client) {
        simulation_->set_force(push.first.first, push.first.second, Vec3::Zero());
      }
      return push.second == client;
    });
    if (shaker_ == client) {
      simulation_->set_support(Vec3::Zero(), {0, 0, 0, 1});
      shaker_ = 0;
    }
  });
}

void Session::set_watchers(int count) {
  {
    const std::lock_guard lock(mutex_);
    watchers_ = count;
  }
  wake_.notify_one();
}

Text Session::model(std::uint32_t generation) const {
  const std::lock_guard lock(mutex_);
  return generation == model_generation_ ? model_ : nullptr;
}

void Session::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    try {
      loop(stop);
    } catch (const std::exception& error) {
      recover(error.what());
    }
  }
}

/// The simulation failed (diverged): say so, go back to rest, go on.
void Session::recover(const std::string& why) {
  playing_ = false;
  hands_.clear();
  state_changed_ = frame_changed_ = true;
  try {
    audience_.reply_all(text(encode_error(why)));
    simulation_->set_hands({});
    simulation_->reset();
  } catch (const std::exception&) {
    // Not even rest can be had: it stands still until another scene is opened.
    frame_changed_ = false;
  }
}

void Session::loop(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    wait(stop);
    std::deque<Posted> inbox;
    std::deque<std::function<void()>> tasks;
    {
      const std::lock_guard lock(mutex_);
      inbox.swap(inbox_);
      tasks.swap(tasks_);
      inputs_ += inputs_coalesced_;
      inputs_coalesced_ = 0;
    }
    // In this order: what a client asked last comes before its leaving.
    for (const Posted& posted : inbox) apply(posted);
    for (const auto& task : tasks) task();
    if (playing_) step_if_due();
    keep_if_due();
    publish();
  }
}

void Session::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto something = [this] { return !inbox_.empty() || !tasks_.empty(); };
  if (playing_ && watchers_ > 0) {
    wake_.wait_until(lock, stop, due_, something);
  } else if (frame_changed_ || state_changed_) {
    wake_.wait_for(lock, stop, kFramePause, something);
  } else {
    wake_.wait_for(lock, stop, kIdleWait,
                   [&] { return something() || (playing_ && watchers_ > 0); });
  }
}

void Session::apply(const Posted& posted) {
  try {
    if (is_input(posted.command)) {
      ++inputs_;
      input_waits_ = true;
    }
    std::visit([&](const auto& command) { on(posted.client, command); }, posted.command);
    if (changes_project(posted.command)) note_change();
  } catch (const Error& error) {
    audience_.reply(posted.client, text(encode_error(error.what())));
  }
}

void Session::step_if_due() {
  {
    const std::lock_guard lock(mutex_);
    if (watchers_ == 0) return;
  }
  const auto now = Clock::now();
  const auto period = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(simulation_->time_step() / speed_));
  if (now - due_ > kLag) due_ = now;
  const bool early = input_waits_ && due_ - now <= period;
  if (now < due_ && !early) return;
  step_once();
  due_ += period;
}

void Session::step_once() {
  const auto start = Clock::now();
  try {
    if (shown_take() != nullptr) {
      advance_replay();
    } else if (poses_.active()) {
      poses_.advance(simulation_->time_step());
    } else {
      simulation_->step();
    }
  } catch (const std::exception& error) {
    return recover(error.what());
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  step_seconds_ = steps_ == 0 ? seconds : (1 - kSmoothing) * step_seconds_ + kSmoothing * seconds;
  ++steps_;
  frame_changed_ = true;
  const std::size_t faults = simulation_->faults().size();
  state_changed_ = state_changed_ || faults != faults_told_;
  faults_told_ = faults;
  if (recorder_.running()) {
    if (!record_frame()) {
      audience_.reply_all(
          text(encode_error("The recording is as long as memory allows; it has stopped.")));
    }
  }
}

void Session::publish() {
  const auto now = Clock::now();
  if (state_changed_) {
    audience_.state(text(encode_state(state())));
    state_changed_ = hands_changed_ = false;
  }
  if (hands_changed_) {
    audience_.hands(text(encode_hands(hands_.hands())));
    hands_changed_ = false;
  }
  if (frame_changed_ && (input_waits_ || now - published_ >= kFramePause)) {
    audience_.frame(text(shown_take() != nullptr ? replay_frame()
                         : poses_.active()       ? pose_frame()
                                                 : simulation_frame()));
    frame_changed_ = input_waits_ = false;
    published_ = now;
  }
}

std::string Session::simulation_frame() const {
  FrameWriter frame(
      {generation_, steps_, simulation_->time(), step_seconds_, simulation_->contacts(), inputs_});
  simulation_->write_frame(frame, truth());
  return frame.take();
}

double Session::shown_time() const { return poses_.active() ? poses_.time() : simulation_->time(); }

std::vector<Positions> Session::shown_surfaces() const {
  std::vector<Positions> surfaces = simulation_->surfaces();
  if (poses_.active()) surfaces.front() = poses_.motion()->surface(poses_.time());
  return surfaces;
}

bool Session::record_frame() {
  const bool room = recorder_.take(
      shown_time(), simulation_->time_step(), [this] { return shown_surfaces(); },
      simulation_->obstacle_places());
  if (!room) finish_take();
  return room;
}

std::string Session::pose_frame() const {
  FrameWriter frame({generation_, steps_, poses_.time(), step_seconds_, 0, inputs_});
  const std::vector<Positions> surfaces = shown_surfaces();
  const std::size_t lanes = simulation_->lanes().size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (const Positions& surface : surfaces) {
      const std::vector<float> floats(surface.data(), surface.data() + surface.size());
      frame.add_positions(floats, 1, 0);
    }
  }
  return frame.take();
}

int Session::truth() const {
  return std::min(truth_, static_cast<int>(simulation_->lanes().size()) - 1);
}

std::vector<std::string> Session::wanted_lanes() const {
  return wanted_lanes_.empty() ? simulation_->lanes() : wanted_lanes_;
}

StudioState Session::state() const {
  StudioState state;
  state.generation = generation_;
  state.title = simulation_->title();
  state.samples = samples_;
  state.playing = playing_;
  state.speed = speed_;
  state.time_step = simulation_->time_step();
  state.time = simulation_->time();
  state.gravity = simulation_->gravity();
  state.bodies = simulation_->bodies();
  state.methods = simulation_->methods();
  state.lanes = simulation_->lanes();
  state.wanted_lanes = wanted_lanes();
  state.truth = truth();
  state.faults = simulation_->faults();
  state.hands = hands_.hands();
  state.obstacles = simulation_->obstacles();
  state.joints = simulation_->joints();
  state.ground = simulation_->ground();
  state.contacts_shown = contacts_shown_;
  state.stress_shown = stress_shown_;
  state.undo = history_.done();
  state.redo = history_.undone();
  state.recording = recorder_.running();
  state.recorded_frames = recorder_.frame_count();
  state.formats = recording_formats(state.bodies.size());
  for (const Take& take : takes_) {
    const auto& times = take.recording->times;
    state.takes.push_back({take.id, take.name, times.back(), times[take.from], times[take.to],
                           fits(*take.recording, state.bodies)});
  }
  state.takes_kept = takes_kept();
  state.take = shown_take() == nullptr ? 0 : replay_.take;
  state.take_time = replay_.time;
  state.take_looping = replay_.looping;
  state.film = film_.state();
  state.interpolation = poses_.state();
  state.view = view_;
  state.opened = opened_;
  state.kept = kept_;
  state.offer = offer_;
  return state;
}

void Session::apply_hands() {
  simulation_->set_hands(hands_.hands());
  hands_changed_ = true;
}

}  // namespace limber::studio
