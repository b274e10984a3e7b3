// What each command does to the session. All of it runs on the simulation's thread.
#include "limber/core/error.h"
#include "server/session.h"

namespace limber::studio {

void Session::on(ClientId client, const command::Open& c) {
  open(
      c.sample,
      [this, name = c.sample](const Progress& progress) {
        return library_.open_sample(name, progress);
      },
      [this, client](const std::string& error) {
        if (!error.empty()) {
          audience_.reply(client, text(encode_error(error)));
        }
      });
}

void Session::on(ClientId, const command::Play& c) {
  playing_ = c.playing;
  due_ = Clock::now();
  state_changed_ = true;
}

void Session::on(ClientId, const command::Step&) {
  playing_ = false;
  step_once();
  state_changed_ = true;
}

void Session::on(ClientId, const command::Reset&) {
  if (!hands_.pinned().empty()) {
    doing({"Back to rest", ""}, [&] { hands_.clear(); });
  }
  hands_.clear();
  apply_hands();
  simulation_->reset();
  state_changed_ = frame_changed_ = true;
}

void Session::on(ClientId, const command::Speed& c) {
  speed_ = c.factor;
  due_ = Clock::now();
  state_changed_ = true;
}

void Session::on(ClientId, const command::Gravity& c) {
  doing({"Gravity", "gravity"}, [&] { simulation_->set_gravity(c.acceleration); });
}

void Session::on(ClientId, const command::Damping& c) {
  doing({"Damping", "damping " + std::to_string(c.body)},
        [&] { simulation_->set_damping(c.body, c.mass, c.stiffness); });
}

void Session::on(ClientId client, const command::Rebuild& c) {
  const Change& wanted = c.change;
  HistoryLabel label{"Time step", "time step"};
  if (wanted.body) {
    const char* what = wanted.body->modes ? "Modes" : "Material";
    label = {what, what + std::to_string(wanted.body->body)};
  }
  change(client, wanted, label);
}

void Session::on(ClientId client, const command::Edit& c) {
  Change wanted;
  wanted.edit = c.edit;
  change(client, wanted, {c.name, ""});
}

void Session::on(ClientId client, const command::AddBody& c) {
  Change wanted;
  wanted.addition = [this, name = c.sample](const Progress&) { return library_.add_sample(name); };
  change(client, wanted, {"Add " + c.sample, ""});
}

void Session::on(ClientId, const command::MoveObstacle& c) {
  const auto move = [&] {
    simulation_->move_obstacle(c.obstacle, c.position, c.let_go, !playing_);
  };
  frame_changed_ = true;
  if (!c.let_go) return move();
  ProjectVersion before = project_version();
  move();
  state_changed_ = true;
  if (before.scene == simulation_->version()) return;
  history_.remember({"Move an obstacle", ""}, std::move(before), Clock::now());
}

void Session::on(ClientId, const command::ShowContacts& c) {
  contacts_shown_ = c.shown;
  simulation_->show_contacts(c.shown);
  state_changed_ = frame_changed_ = true;
}

void Session::on(ClientId, const command::ShowStress& c) {
  stress_shown_ = c.shown;
  simulation_->show_stress(c.shown);
  state_changed_ = frame_changed_ = true;
}

void Session::on(ClientId client, const command::Lanes& c) {
  truth_ = c.truth;
  state_changed_ = true;
  if (c.methods == wanted_lanes()) return;
  wanted_lanes_ = c.methods;
  Change wanted;
  wanted.lanes = c.methods;
  change(client, wanted, {"Methods", "methods"});
}

void Session::on(ClientId client, const command::Place& c) {
  const HandList before = hands_;
  const auto place = [&] {
    hands_.place(client, c.hand);
    try {
      apply_hands();
    } catch (const Error&) {
      hands_ = before;
      throw;
    }
  };
  state_changed_ = true;
  if (!c.hand.pinned && !before.is_pinned(c.hand.id)) return place();
  doing({c.hand.pinned ? "Pin a point" : "Unpin a point", ""}, place);
}

void Session::on(ClientId, const command::Move& c) {
  const auto move = [&] {
    if (hands_.move(c.id, c.target, c.rotation)) apply_hands();
  };
  // The drag that placed it is a part of the placing.
  if (!c.begins || !hands_.is_pinned(c.id)) return move();
  doing({"Move a hand", ""}, move);
}

void Session::on(ClientId, const command::Release& c) {
  const auto release = [&] {
    hands_.release(c.id);
    apply_hands();
  };
  state_changed_ = true;
  if (!hands_.is_pinned(c.id)) {
    const std::optional<int> body = hands_.held_alone(c.id);
    release();
    if (body && c.velocity) simulation_->let_fly(*body, *c.velocity);
    return;
  }
  doing({"Let a point go", ""}, release);
}

void Session::on(ClientId, const command::ReleaseAll&) {
  const auto release = [&] {
    hands_.clear();
    apply_hands();
  };
  state_changed_ = true;
  if (hands_.pinned().empty()) return release();
  doing({"Release all", ""}, release);
}

void Session::on(ClientId client, const command::Force& c) {
  simulation_->set_force(c.body, c.vertex, c.force);
  if (c.force.isZero(0)) {
    pushes_.erase({c.body, c.vertex});
  } else {
    pushes_[{c.body, c.vertex}] = client;
  }
}

void Session::on(ClientId, const command::Hit& c) { simulation_->hit(c.body, c.vertex, c.impulse); }

void Session::on(ClientId, const command::PutBody& c) {
  simulation_->put(c.body, c.position, c.rotation);
}

void Session::on(ClientId, const command::ThrowBody& c) {
  simulation_->throw_body(c.body, c.velocity, c.spin);
}

void Session::on(ClientId client, const command::Support& c) {
  simulation_->set_support(c.position, c.rotation);
  shaker_ = client;
}

void Session::on(ClientId, const command::Record& c) {
  if (c.running) {
    finish_take();
    replay_ = {};
    recorder_.start(*simulation_, shown_time());
    record_frame();
  } else {
    finish_take();
  }
  state_changed_ = true;
}

void Session::on(ClientId, const command::PoseAdd& c) {
  // While the motion is shown, its own shape becomes a key where it is.
  if (poses_.active()) {
    const double time = poses_.time();
    doing({"Insert a pose", ""}, [&] { poses_.add(poses_.motion()->nodes(time), time, c.name); });
  } else {
    doing({"Add a pose", ""}, [&] { poses_.add(simulation_->pose(), c.time, c.name); });
  }
  poses_changed();
}

void Session::on(ClientId, const command::PoseRemove& c) {
  doing({"Remove a pose", ""}, [&] { poses_.remove(c.id); });
  poses_changed();
}

void Session::on(ClientId, const command::PoseTime& c) {
  doing({"Move a pose", "pose " + std::to_string(c.id)}, [&] { poses_.set_time(c.id, c.time); });
  poses_changed();
}

void Session::on(ClientId, const command::Interpolation& c) {
  const bool was_active = poses_.active();
  const InterpolationState before = poses_.state();
  if (before.looping != c.looping || before.modes != c.modes) {
    doing({"Settings of the poses", "poses"}, [&] { poses_.set(c); });
  } else {
    poses_.set(c);
  }
  if (poses_.active() != was_active) {  // to the poses and back: both shall move
    playing_ = true;
    due_ = Clock::now();
  }
  poses_changed();
}

void Session::on(ClientId, const command::Curves& c) {
  doing({"Curves", "curves"}, [&] { poses_.set(c.curves); });
  poses_changed();
}

void Session::on(ClientId, const command::Scrub& c) {
  poses_.scrub(c.time);
  playing_ = false;
  state_changed_ = frame_changed_ = true;
}

void Session::on(ClientId client, const command::ModeCurve& c) {
  if (const auto curve = poses_.mode_curve(c.mode)) {
    audience_.reply(client, text(*curve));
  }
}

/// Makes the motion anew where poses or modes changed; one at a time, the newest poses last.
void Session::poses_changed() {
  state_changed_ = frame_changed_ = true;
  if (!poses_.needs_motion() || making_motion_) return;
  making_motion_ = true;
  poses_.motion_begun();
  const auto job = simulation_->make_motion(poses_.poses(), poses_.times(), poses_.modes());
  worker_.post([this, job, generation = generation_] {
    auto motion = std::make_shared<std::unique_ptr<PoseMotion>>();
    std::string obstacle;
    try {
      *motion = job(progress_for("Motion"));
    } catch (...) {
      obstacle = words_of_failure();
    }
    audience_.work(text(encode_idle()));
    run_soon([this, motion, obstacle, generation] {
      making_motion_ = false;
      if (generation == generation_) poses_.set_motion(std::move(*motion), obstacle);
      poses_changed();
    });
  });
}

void Session::export_scene(Download done) {
  run_soon([this, done = std::move(done)] {
    try {
      done(text(simulation_->scene_file()), "");
    } catch (const Error& error) {
      done(nullptr, error.what());
    }
  });
}

}  // namespace limber::studio
