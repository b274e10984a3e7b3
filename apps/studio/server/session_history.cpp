// Undo and redo of all that changes the project.
#include "limber/core/error.h"
#include "server/session.h"

namespace limber::studio {

namespace {

bool same(const Curve& a, const Curve& b) { return a.at == b.at && a.value == b.value; }

bool same_poses(const SavedSession& a, const SavedSession& b) {
  if (a.poses.size() != b.poses.size() || a.looping != b.looping || a.modes != b.modes ||
      !same(a.curves.frequency, b.curves.frequency) || !same(a.curves.damping, b.curves.damping) ||
      !same(a.curves.weight, b.curves.weight) || !same(a.curves.share, b.curves.share)) {
    return false;
  }
  for (std::size_t k = 0; k < a.poses.size(); ++k) {
    const SavedPose &one = a.poses[k], &other = b.poses[k];
    if (one.name != other.name || one.time != other.time ||
        one.positions.rows() != other.positions.rows() || one.positions != other.positions) {
      return false;
    }
  }
  return true;
}

}  // namespace

ProjectVersion Session::project_version() const {
  ProjectVersion version{simulation_->version(), saved_session()};
  version.session.hands = hands_.pinned();
  return version;
}

void Session::doing(const HistoryLabel& label, const std::function<void()>& act) {
  const auto now = Clock::now();
  ProjectVersion before;
  if (history_.begins(label, now)) before = project_version();
  act();
  history_.remember(label, std::move(before), now);
  state_changed_ = true;
}

void Session::on(ClientId client, const command::Travel& c) {
  Work work;
  work.client = client;
  for (int step = 0; step < std::abs(c.steps); ++step) {
    work.travel = c.steps < 0 ? -1 : 1;
    changes_.push_back(work);
  }
  start_rebuild();
}

void Session::start_travel(const Work& work) {
  ProjectVersion now = project_version();
  const auto target = work.travel < 0 ? history_.back(std::move(now)) : history_.on(std::move(now));
  if (!target) return;
  try {
    if (target->scene == simulation_->version()) {
      go_to(*target);
      return end_work(work, "");
    }
    Change change;
    change.version = target->scene;
    // The hands of the other scene hold its bodies, not this one's.
    hands_.set_pinned({});
    run_job(
        work, simulation_->rebuild(change), [] {}, [this, target = *target] { go_to(target); });
  } catch (const Error& error) {
    end_work(work, error.what());
  }
}

void Session::go_to(const ProjectVersion& version) {
  truth_ = version.session.truth;
  hands_.set_pinned(version.session.hands);
  try {
    apply_hands();
  } catch (const Error& error) {
    hands_.set_pinned({});
    apply_hands();
    audience_.reply_all(text(encode_error(error.what())));
  }
  if (!same_poses(saved_session(), version.session)) {
    poses_.restore(version.session);
    poses_changed();
  }
  takes_ = version.session.takes;
  if (shown_take() == nullptr) replay_ = {};
  state_changed_ = frame_changed_ = true;
}

void Session::follow_bodies(const std::vector<BodyState>& before) {
  const std::vector<BodyState> now = simulation_->bodies();
  const auto number_of = [&](int body) {
    const std::string& name = before[static_cast<std::size_t>(body)].name;
    for (std::size_t k = 0; k < now.size(); ++k) {
      if (now[k].name == name && now[k].vertices == before[static_cast<std::size_t>(body)].vertices)
        return static_cast<int>(k);
    }
    return -1;
  };
  bool all_there = before.size() == now.size();
  for (int k = 0; k < static_cast<int>(before.size()); ++k) {
    all_there = all_there && number_of(k) == k;
  }
  if (all_there) return;
  hands_.renumber(number_of);
  finish_take();
  replay_ = {};
  if (number_of(0) != 0) poses_.clear();
}

}  // namespace limber::studio
