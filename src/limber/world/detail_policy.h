// Who gets how much detail when all of it would take too long: pure functions of what is seen of
// each body, of what bodies cost (detail_costs.h) and of the budget.
//
// One error is allowed to all bodies alike, as a size on screen. A body that is seen at twice that
// size has full detail; each halving takes it a rung down a ladder of cheaper levels. The least
// error is taken that the budget can pay for: who is seen less never stands higher than who is
// seen more.
#pragma once

#include <span>

#include "limber/core/types.h"
#include "limber/world/detail_costs.h"

namespace limber {

/// Where the picture is taken from. Without one all bodies are as far away, and in sight.
struct DetailView {
  bool given = false;
  Vec3 eye = Vec3::Zero();
  Vec3 towards = Vec3::Zero();  ///< any length; zero: everything is in sight
  double half_angle = 0.6;      ///< rad, of the cone in sight
};

/// Throws Error for what no picture can be taken from.
void check(const DetailView& view);

/// What there is to see of a body.
struct SeenBody {
  Vec3 centre = Vec3::Zero();
  double radius = 0;  // m
  double speed = 0;   // m/s, root mean square over its mass
  bool touching = false;
  double importance = 1;  // of the host: times as large
};

/// The angle that it fills (rad), more where it is in contact (twice) and moves (up to twice, at
/// one own size a second and more), an eighth of that out of sight.
[[nodiscard]] double seen_size(const DetailView& view, const SeenBody& body);

/// Rungs of the ladder: 0 has all.
inline constexpr int kDetailRungs = 7;
/// Modes are halved every second rung, local nodes and forces every one.
[[nodiscard]] DetailLevel level_at(int rung, const DetailLevel& full);

/// A body that detail can be taken from, or not.
struct DetailRequest {
  double seen = 0;
  BodyWork work;
  DetailChoice choice;
  DetailLevel now;  ///< modes that fade out still cost
  int rung = 0;     ///< result
};

struct DetailShares {
  double allowed = 0;  ///< the error that all are allowed, rad
  double cost = 0;     ///< µs, of the step by the model
  bool held = true;    ///< false: it costs more than the budget even with the least detail
};

/// Writes each body's rung.
DetailShares share_budget(std::span<DetailRequest> bodies, const DetailCosts& costs,
                          double microseconds);

/// The level of a rung for what the body can choose.
[[nodiscard]] DetailLevel level_of(const DetailRequest& body, int rung);

}  // namespace limber
