// Takes: recordings that were finished, replayed, cut and written to files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "server/session.h"

namespace limber::studio {

/// Whether a recording shows the bodies that the scene has.
bool fits(const Recording& recording, const std::vector<BodyState>& bodies) {
  return std::equal(recording.bodies.begin(), recording.bodies.end(), bodies.begin(), bodies.end(),
                    [](const RecordedBody& one, const BodyState& other) {
                      return one.name == other.name && one.rest_positions.rows() == other.vertices;
                    });
}

void Session::finish_take() {
  if (!recorder_.running()) return;
  recorder_.stop();
  state_changed_ = true;
  if (recorder_.frame_count() == 0) return;
  doing({"Record a take", ""}, [&] {
    Take take;
    take.id = ++last_take_;
    take.name = fmt::format("Take {}", take.id);
    take.recording = recorder_.recording();
    take.to = recorder_.frame_count() - 1;
    takes_.push_back(std::move(take));
  });
  note_change();
}

Take* Session::find_take(int id) {
  const auto found =
      std::find_if(takes_.begin(), takes_.end(), [id](const Take& take) { return take.id == id; });
  return found == takes_.end() ? nullptr : &*found;
}

const Take* Session::shown_take() const {
  for (const Take& take : takes_) {
    if (replay_.take != 0 && take.id == replay_.take) return &take;
  }
  return nullptr;
}

void Session::on(ClientId, const command::ShowTake& c) {
  const Take* take = find_take(c.id);
  if (c.id != 0 && take == nullptr) {
    throw Error("there is no such take", "takes", "reload the page");
  }
  if (take != nullptr && !fits(*take->recording, simulation_->bodies())) {
    throw Error("the scene has other bodies than the take", take->name,
                "undo until it has them again, or save the take as a file");
  }
  const bool other = replay_.take != c.id;
  replay_.looping = c.looping;
  if (other) {
    replay_.take = c.id;
    replay_.time = 0;
    playing_ = true;
    due_ = Clock::now();
  }
  state_changed_ = frame_changed_ = true;
}

void Session::on(ClientId, const command::ChangeTake& c) {
  Take* take = find_take(c.id);
  if (take == nullptr) throw Error("there is no such take", "takes", "reload the page");
  doing({"Cut a take", fmt::format("take {}", c.id)}, [&] {
    if (!c.name.empty()) take->name = c.name;
    const auto& times = take->recording->times;
    const auto nearest = [&](double time) {
      const auto after = std::lower_bound(times.begin(), times.end(), time);
      if (after == times.end()) return times.size() - 1;
      const auto index = static_cast<std::size_t>(after - times.begin());
      const bool before = index > 0 && time - times[index - 1] < times[index] - time;
      return before ? index - 1 : index;
    };
    take->from = nearest(c.from);
    take->to = std::max(take->from, nearest(c.to));
  });
  replay_.time = std::min(replay_.time, take->duration());
  frame_changed_ = true;
}

void Session::on(ClientId, const command::RemoveTake& c) {
  if (find_take(c.id) == nullptr) return;
  doing({"Delete a take", ""},
        [&] { std::erase_if(takes_, [&](const Take& take) { return take.id == c.id; }); });
  frame_changed_ = true;
}

void Session::on(ClientId, const command::ScrubTake& c) {
  const Take* take = shown_take();
  if (take == nullptr) return;
  replay_.time = std::min(c.time, take->duration());
  playing_ = false;
  state_changed_ = frame_changed_ = true;
}

void Session::advance_replay() {
  const double duration = shown_take()->duration();
  replay_.time += simulation_->time_step();
  if (replay_.time <= duration) return;
  if (replay_.looping && duration > 0) {
    replay_.time = std::fmod(replay_.time, duration);
  } else {
    replay_.time = duration;
    playing_ = false;
    state_changed_ = true;
  }
}

std::string Session::replay_frame() const {
  const Take& take = *shown_take();
  FrameWriter frame({generation_, steps_, replay_.time, step_seconds_, 0, inputs_});
  const std::size_t number = take.frame_at(replay_.time);
  const std::size_t lanes = simulation_->lanes().size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (const std::vector<float>& surface : take.recording->surfaces[number]) {
      frame.add_positions(surface, 1, 0);
    }
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (const BodyPlace& place : take.recording->obstacles[number]) frame.add_obstacle(place);
  }
  return frame.take();
}

void Session::export_recording(std::string ending, Download done) {
  run_soon([this, ending = std::move(ending), done = std::move(done)] {
    const Take* shown = shown_take();
    if ((shown == nullptr && takes_.empty()) || recorder_.running()) {
      done(nullptr, "There is no finished recording: press Record, wait, press it again.");
      return;
    }
    // The one that is looked at, else the newest.
    worker_.post([this, take = shown != nullptr ? *shown : takes_.back(),
                  looks = simulation_->looks(), ending, done] {
      try {
        done(text(write_take(take, looks, ending, progress_for("Writing"))), "");
      } catch (...) {
        done(nullptr, words_of_failure());
      }
      audience_.work(text(encode_idle()));
    });
  });
}

}  // namespace limber::studio
