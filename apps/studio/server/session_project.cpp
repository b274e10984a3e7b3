// The project as a whole: saved, restored, kept by itself, offered again.
#include <system_error>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "server/project.h"
#include "server/session.h"

namespace limber::studio {

namespace {

// Kept once hands have been off it for a moment, so that a drag is not a hundred files.
constexpr std::chrono::seconds kQuiet{2};

// Takes beyond this are saved when somebody asks for it, not after every change; bytes.
constexpr std::size_t kMostKeptTakes = 64UL * 1024 * 1024;

/// What the run before left is put aside, so that this run's own does not replace it unseen.
std::filesystem::path set_aside(const std::filesystem::path& keep) {
  return keep.parent_path() / ("last-" + keep.filename().string());
}

}  // namespace

SavedSession Session::saved_session() const {
  SavedSession session;
  session.lanes = simulation_->lanes();
  session.truth = truth();
  session.hands = hands_.hands();
  poses_.save(session);
  session.takes = takes_;
  session.view = view_;
  return session;
}

void Session::restore(const SavedSession& session) {
  truth_ = session.truth;
  hands_.set_pinned(session.hands);
  try {
    apply_hands();
  } catch (const Error& error) {
    hands_.clear();
    apply_hands();
    audience_.reply_all(text(encode_error(error.what())));
  }
  poses_.restore(session);
  takes_ = session.takes;
  for (Take& take : takes_) take.id = ++last_take_;
  recorder_.adopt(takes_);
  view_ = session.view;
  poses_changed();
}

SavedSession Session::kept_session() const {
  SavedSession session = saved_session();
  if (!takes_kept()) session.takes.clear();
  return session;
}

bool Session::takes_kept() const { return bytes_of(takes_) <= kMostKeptTakes; }

void Session::export_project(Download done) {
  run_soon([this, done = std::move(done)] { write_soon(saved_session(), done); });
}

void Session::write_soon(const SavedSession& session, const Download& done) {
  try {
    worker_.post([scene = simulation_->saved_scene(), session, done] {
      try {
        done(text(write_project(scene, session)), "");
      } catch (...) {
        done(nullptr, words_of_failure());
      }
    });
  } catch (const Error& error) {
    done(nullptr, error.what());
  }
}

void Session::note_change() {
  to_keep_ = true;
  changed_at_ = Clock::now();
}

void Session::keep_if_due() {
  if (keep_.empty() || !to_keep_ || keeping_ || Clock::now() - changed_at_ < kQuiet) return;
  to_keep_ = false;
  keeping_ = true;
  write_soon(kept_session(), [this](const Text& bytes, const std::string& problem) {
    std::string error = problem;
    if (bytes) {
      try {
        std::filesystem::create_directories(keep_.parent_path());
        write_file(keep_, *bytes);
      } catch (const std::exception& failure) {
        error = failure.what();
      }
    }
    run_soon([this, error] {
      keeping_ = false;
      state_changed_ = true;
      if (error.empty()) {
        ++kept_;
      } else {
        keep_.clear();  // said once: it would fail again
        audience_.reply_all(
            text(encode_error("The project is no longer kept by itself: " + error)));
      }
    });
  });
}

void Session::keep_now() {
  if (keep_.empty() || !(to_keep_ || keeping_)) return;
  try {
    std::filesystem::create_directories(keep_.parent_path());
    write_file(keep_, write_project(simulation_->saved_scene(), kept_session()));
  } catch (const std::exception&) {
    // Nobody is there any more to hear of it.
  }
}

void Session::find_offer() {
  if (keep_.empty()) return;
  std::error_code none;
  const std::filesystem::path last = set_aside(keep_);
  if (std::filesystem::exists(keep_, none)) std::filesystem::rename(keep_, last, none);
  if (!std::filesystem::exists(last, none)) return;
  try {
    offer_ = read_project(FileBytes(last).text(), last.filename().string()).title;
  } catch (const Error&) {
    std::filesystem::remove(last, none);  // cut off by a power failure, say: nothing to offer
  }
}

void Session::on(ClientId, const command::View& c) { view_ = c.view; }

void Session::on(ClientId client, const command::Resume& c) {
  if (offer_.empty()) return;
  offer_.clear();
  state_changed_ = true;
  const std::filesystem::path last = set_aside(keep_);
  if (!c.open) {
    std::error_code none;
    std::filesystem::remove(last, none);
    return;
  }
  open_file(last, FileUse::scene, nullptr, [this, client](const std::string& error) {
    if (error.empty()) return;
    audience_.reply(client, text(encode_error(error)));
  });
}

}  // namespace limber::studio
