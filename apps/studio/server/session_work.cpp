// What a session leaves to its worker: opening scenes and files, changes that bake again, and
// how they end.
#include "limber/core/error.h"
#include "server/session.h"

namespace limber::studio {

std::string words_of_failure() {
  try {
    throw;
  } catch (const Worker::Cancelled&) {
    throw;
  } catch (const std::bad_alloc&) {
    return "This does not fit into memory.";
  } catch (const std::exception& error) {
    return error.what();
  }
}

Progress Session::progress_for(const std::string& what) {
  return [this, what](std::string_view stage, double fraction) {
    worker_.check();
    audience_.work(text(encode_progress(what + ": " + std::string(stage), fraction)));
  };
}

void Session::open(const std::string& what,
                   std::function<std::unique_ptr<Simulation>(const Progress&)> make, Done done) {
  worker_.post([this, what, make = std::move(make), done = std::move(done)] {
    std::string error;
    try {
      audience_.work(text(encode_progress("Opening " + what, 0)));
      // A shared pointer, since std::function copies what it holds.
      auto next = std::make_shared<std::unique_ptr<Simulation>>(make(progress_for(what)));
      run_soon([this, next] { replace(std::move(*next), false); });
    } catch (...) {
      error = words_of_failure();
    }
    audience_.work(text(encode_idle()));
    done(error);
  });
}

SceneAddition Library::add_sample(const std::string& name) {
  throw Error("nothing can be added here", name, "open it instead");
}

SceneAddition Library::add_upload(const std::filesystem::path& path) {
  return add_sample(path.filename().string());
}

void Session::open_file(std::filesystem::path path, FileUse use, std::shared_ptr<const void> holds,
                        Done done, MeshImport import) {
  if (use == FileUse::body) {
    run_soon(
        [this, path = std::move(path), holds = std::move(holds), done = std::move(done), import] {
          Change addition;
          addition.addition = [this, path, holds, import](const Progress&) {
            SceneAddition added = library_.add_upload(imported_mesh(path, import));
            added.holds = holds;
            return added;
          };
          note_change();
          change(0, addition, {"Add " + path.stem().string(), ""}, done);
        });
    return;
  }
  if (use == FileUse::pose) {
    run_soon([this, path = std::move(path), done = std::move(done)] {
      try {
        const double time = poses_.state().poses.empty() ? 0 : poses_.state().duration + 1;
        doing({"Add a pose", ""},
              [&] { poses_.add(simulation_->pose_from_file(path), time, path.stem().string()); });
        poses_changed();
        done("");
      } catch (const Error& error) {
        done(error.what());
      }
    });
    return;
  }
  const std::string name = path.filename().string();
  open(
      name,
      [this, path = std::move(path), holds = std::move(holds), import](const Progress& progress) {
        std::unique_ptr<Simulation> opened =
            library_.open_upload(imported_mesh(path, import), progress);
        // A project has unpacked its own files; a mesh or scene stays where it was put.
        if (path.extension() != kProjectEnding) opened->keep(holds);
        run_soon([this] { note_change(); });
        return opened;
      },
      std::move(done));
}

void Session::replace(std::unique_ptr<Simulation> next, bool carry) {
  const std::vector<BodyState> before = simulation_->bodies();
  if (carry) {
    next->carry_over(*simulation_);
  } else {
    history_.clear();
    hands_.clear();
    recorder_.clear();
    takes_.clear();
    replay_ = {};
    poses_.clear();
    changes_.clear();
    wanted_lanes_.clear();
    playing_ = true;
    truth_ = 0;
    view_ = "null";
    ++opened_;
  }
  simulation_ = std::move(next);
  simulation_->show_contacts(contacts_shown_);
  simulation_->show_stress(stress_shown_);
  pushes_.clear();
  if (carry) follow_bodies(before);
  apply_hands();
  Text model = text(simulation_->model());
  {
    const std::lock_guard lock(mutex_);
    if (*model != *model_) {
      model_ = std::move(model);
      model_generation_ = ++generation_;
    }
  }
  // Now that the generation is the new one's: the motion of its poses belongs to that.
  if (const auto saved = simulation_->take_saved_session()) restore(*saved);
  state_changed_ = frame_changed_ = true;
  due_ = Clock::now();
}

void Session::change(ClientId client, const Change& change, const HistoryLabel& label, Done done) {
  // Of a slider that outruns the work only the newest value matters.
  const auto alike = [&](const Work& work) {
    const Change& other = work.change;
    if (work.travel != 0 || change.edit || other.edit || change.addition || other.addition) {
      return false;
    }
    const bool same_body = change.body && other.body && change.body->body == other.body->body &&
                           change.body->modes.has_value() == other.body->modes.has_value();
    return (same_body || (!change.body && !other.body)) &&
           change.lanes.has_value() == other.lanes.has_value() &&
           change.time_step.has_value() == other.time_step.has_value();
  };
  if (!changes_.empty() && alike(changes_.back())) {
    changes_.back() = {client, change, label, 0, std::move(done)};
  } else {
    changes_.push_back({client, change, label, 0, std::move(done)});
  }
  start_rebuild();
}

void Session::start_rebuild() {
  while (!rebuilding_ && !changes_.empty()) {
    const Work work = std::move(changes_.front());
    changes_.pop_front();
    if (work.travel != 0) {
      start_travel(work);
      continue;
    }
    try {
      run_job(
          work, simulation_->rebuild(work.change),
          [this, label = work.label] { history_.remember(label, project_version(), Clock::now()); },
          [] {});
    } catch (const Error& error) {
      end_work(work, error.what());
    }
  }
}

void Session::run_job(Work work, const Simulation::Job& job, std::function<void()> landed,
                      std::function<void()> settled) {
  rebuilding_ = true;
  worker_.post([this, work = std::move(work), job, landed = std::move(landed),
                settled = std::move(settled), opened = opened_] {
    auto next = std::make_shared<std::unique_ptr<Simulation>>();
    std::string error;
    try {
      *next = job(progress_for("Working"));
    } catch (...) {
      error = words_of_failure();
    }
    audience_.work(text(encode_idle()));
    run_soon([this, work, next, landed, settled, opened, error] {
      rebuilding_ = false;
      // Another scene may have been opened meanwhile.
      if (*next && opened == opened_) {
        landed();
        replace(std::move(*next), true);
        settled();
      }
      end_work(work, error);
      start_rebuild();
    });
  });
}

void Session::end_work(const Work& work, const std::string& error) {
  if (work.done) {
    work.done(error);
  } else if (!error.empty()) {
    audience_.reply(work.client, text(encode_error(error)));
  }
  if (changes_.empty()) wanted_lanes_.clear();
  state_changed_ = true;
}

}  // namespace limber::studio
