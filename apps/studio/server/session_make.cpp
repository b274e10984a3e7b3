// Bodies in the making: files that are looked into before they are opened, and cages.
#include "limber/core/error.h"
#include "server/session.h"

namespace limber::studio {

void Session::survey_file(std::filesystem::path path, std::shared_ptr<const void> holds,
                          Download done) {
  worker_.post([path = std::move(path), holds = std::move(holds), done = std::move(done)] {
    try {
      done(text(survey_mesh(path)), "");
    } catch (...) {
      done(nullptr, words_of_failure());
    }
  });
}

/// Of a slider that outruns the work only the newest wish matters.
void Session::on(ClientId client, const command::ShowCage& c) {
  const std::uint32_t number = ++cages_asked_;
  worker_.post([this, client, number, job = simulation_->cage(c.body, c.cells)] {
    if (number != cages_asked_) return;
    try {
      audience_.reply(client, text(encode_cage(job(progress_for("Cage")))));
    } catch (...) {
      audience_.reply(client, text(encode_error(words_of_failure())));
    }
    audience_.work(text(encode_idle()));
  });
}

}  // namespace limber::studio
