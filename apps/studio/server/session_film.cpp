// Films of takes: asked for, followed, called off and downloaded.
#include "limber/core/error.h"
#include "server/session.h"

namespace limber::studio {

void Session::on(ClientId, const command::MakeFilm& c) {
  if (!c.wanted) {
    film_.cancel();
    state_changed_ = true;
    return;
  }
  const Take* take = find_take(c.take);
  if (take == nullptr) throw Error("there is no such take", "takes", "reload the page");
  FilmScene scene{*take, {}, {}, std::nullopt};
  if (fits(*take->recording, simulation_->bodies())) {
    scene.looks = simulation_->looks();
    scene.obstacles = simulation_->obstacle_surfaces();
    scene.ground = simulation_->ground();
  }
  film_.start(std::move(scene), c.view);
  state_changed_ = true;
}

void Session::export_film(Download done) {
  run_soon([this, done = std::move(done)] {
    try {
      done(text(film_.film()), "");
    } catch (const Error& error) {
      done(nullptr, error.what());
    }
  });
}

}  // namespace limber::studio
