#include "limber/world/detail_costs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/core/error.h"
#include "limber/core/processor_time.h"
#include "limber/core/types.h"
#include "limber/dynamics/modal/node_kernels.h"

namespace limber {

DetailCosts::DetailCosts()
    : machine(1),
      step(0.5),
      mode(0.01),
      local(0.002),
      node(0.065),
      sum(0.0018),
      free_node(0.31),
      free_sum(0.0115),
      touch(15),
      touch_mode(0.15),
      touch_node(0.18),
      touch_sum(0.006),
      touch_local(0.03),
      contact(1.8),
      column(0.02),
      other_node(2) {}

void check(const DetailCosts& costs) {
  for (const double cost :
       {costs.machine, costs.step, costs.mode, costs.local, costs.node, costs.sum, costs.free_node,
        costs.free_sum, costs.touch, costs.touch_mode, costs.touch_node, costs.touch_sum,
        costs.touch_local, costs.contact, costs.column, costs.other_node}) {
    if (cost > 0 && std::isfinite(cost)) continue;
    throw Error("a cost is not a positive number", "detail costs", "give microseconds");
  }
}

double step_cost(const DetailCosts& costs, const BodyWork& work, const DetailLevel& level) {
  if (!work.modal) {
    return costs.machine *
           (costs.step + costs.other_node * work.nodes + costs.contact * work.contacts);
  }
  const double nodes = work.size.nodes, modes = level.modes, local = 3.0 * level.local_nodes;
  double cost = costs.step;
  if (work.touching) {
    cost += costs.touch + costs.touch_mode * modes +
            nodes * (costs.touch_node + costs.touch_sum * modes) +
            costs.touch_local * local * local +
            work.contacts * (costs.contact + costs.column * (modes + local + 6));
  } else {
    const double force =
        work.free ? costs.free_node + costs.free_sum * modes : costs.node + costs.sum * modes;
    cost += costs.mode * modes + nodes * force / level.interval + costs.local * local * local;
  }
  return costs.machine * cost;
}

double calibrate_machine() {
  constexpr int kNodes = 1000, kModes = 20, kRuns = 40;
  constexpr double kMicroseconds = 5;  // of the product below, where the constants are from
  const ModeMatrix A = ModeMatrix::Constant(3 * kNodes, kModes, 0.5);
  const Vector x = Vector::LinSpaced(kModes, 0, 1);
  Vector y(3 * kNodes);
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    const double begin = processor_seconds();
    for (int k = 0; k < 8; ++k) kernels::multiply(A.data(), kNodes, kModes, x.data(), y.data());
    best = std::min(best, (processor_seconds() - begin) / 8);
  }
  return best > 0 ? best * 1e6 / kMicroseconds : 1;
}

}  // namespace limber
