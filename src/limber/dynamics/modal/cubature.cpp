#include "limber/dynamics/modal/cubature.h"

#include <string>

#include "limber/core/error.h"
#include "limber/dynamics/modal/cubature_kernel.h"
#include "limber/dynamics/modal/warp.h"

namespace limber {

namespace {

int rounded_up(int count, int multiple) { return (count + multiple - 1) / multiple * multiple; }

}  // namespace

Cubature::Cubature(const ModalModel& body, const CubatureOptions& options)
    : modes_(body.mode_count()) {
  if (options.nodes < 1) {
    throw Error(std::to_string(options.nodes) + " nodes asked for", "cubature", "ask for some");
  }
  const CubatureRule rule = train_cubature(body, options);
  constexpr int kWidest = 16;  // floats in the widest vectors
  nodes_ = rounded_up(static_cast<int>(rule.nodes.size()), kWidest);
  lanes_ = rounded_up(nodes_ + modes_ + 1, kWidest);
  fill_tables(body, rule);
}

void Cubature::fill_tables(const ModalModel& body, const CubatureRule& rule) {
  const auto lanes = static_cast<std::size_t>(lanes_);
  const LinearGravity linear = linear_gravity(body);
  const auto rows = static_cast<std::size_t>(3 * rounded_up(modes_, 2));  // modes go in pairs
  Psi_.assign(rows * nodes_, 0);
  outputs_.assign(rows * lanes, 0);
  for (int j = 0; j < modes_; ++j) {
    for (int k = 0; k < 3; ++k) {
      float* Psi = Psi_.data() + static_cast<std::size_t>(3 * j + k) * nodes_;
      float* outputs = outputs_.data() + (3 * j + k) * lanes;
      for (std::size_t c = 0; c < rule.nodes.size(); ++c) {
        Psi[c] = static_cast<float>(node_Psi(body, rule.nodes[c])(k, j));
        outputs[c] = static_cast<float>(rule.outputs(3 * static_cast<int>(c) + k, j));
      }
      for (int i = 0; i < modes_; ++i) {
        outputs[nodes_ + i] = static_cast<float>(linear.L[k](j, i));
      }
      outputs[nodes_ + modes_] = static_cast<float>(linear.B(j, k));
    }
  }
  scratch_.assign(4 * lanes, 0);
  scratch_[3 * lanes + modes_] = 1;  // the lane of a itself
}

void Cubature::add_force(const Vec3& acceleration, const Vector& q, Vector& f) {
  kernels::add_cubature({modes_, nodes_, lanes_, Psi_.data(), outputs_.data(), scratch_.data()},
                        acceleration.data(), q.data(), f.data());
}

}  // namespace limber
