// Stores x, y, z of N vertices as x0 y0 z0 x1 y1 z1 …: three permutes and six blends.
//
// Component c of vertex v belongs to place 3v + c of 3N places, that is to lane (3v + c) mod N of
// one of three vectors. N is a power of two, so 3v mod N runs through every lane once: one permute
// brings each component into place for all three vectors, and what remains is to pick lanes.
#if defined(LIMBER_SKIN_INTERLEAVE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_SKIN_INTERLEAVE_INL_H_
#undef LIMBER_SKIN_INTERLEAVE_INL_H_
#else
#define LIMBER_SKIN_INTERLEAVE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace limber {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
class Interleave3 {
  using V = hn::Vec<D>;
  using Indices = decltype(hn::SetTableIndices(D(), static_cast<const std::int32_t*>(nullptr)));
  using Mask = hn::Mask<D>;
  static constexpr int N = hn::MaxLanes(D());

 public:
  Interleave3() : Interleave3(Table()) {}

  /// Writes 3N floats to `target`.
  HWY_INLINE void store(V x, V y, V z, float* HWY_RESTRICT target) const {
    const D d;
    x = hn::TableLookupLanes(x, vertex_x_);
    y = hn::TableLookupLanes(y, vertex_y_);
    z = hn::TableLookupLanes(z, vertex_z_);
    hn::StoreU(hn::IfThenElse(lane_0_, x, hn::IfThenElse(lane_1_, y, z)), d, target);
    // One vector on, each lane's place is N further, and its component N mod 3.
    if constexpr (N % 3 == 1) {
      hn::StoreU(hn::IfThenElse(lane_0_, y, hn::IfThenElse(lane_1_, z, x)), d, target + N);
      hn::StoreU(hn::IfThenElse(lane_0_, z, hn::IfThenElse(lane_1_, x, y)), d, target + 2 * N);
    } else {
      hn::StoreU(hn::IfThenElse(lane_0_, z, hn::IfThenElse(lane_1_, x, y)), d, target + N);
      hn::StoreU(hn::IfThenElse(lane_0_, y, hn::IfThenElse(lane_1_, z, x)), d, target + 2 * N);
    }
  }

 private:
  struct Table {
    Table() {
      for (int vertex = 0; vertex < N; ++vertex)
        for (int c = 0; c < 3; ++c) vertex_at[c][(3 * vertex + c) % N] = vertex;
      for (int lane = 0; lane < N; ++lane) component[lane] = static_cast<float>(lane % 3);
    }
    HWY_ALIGN_MAX std::int32_t vertex_at[3][N];
    HWY_ALIGN_MAX float component[N];
  };
  explicit Interleave3(const Table& table)
      : vertex_x_(hn::SetTableIndices(D(), table.vertex_at[0])),
        vertex_y_(hn::SetTableIndices(D(), table.vertex_at[1])),
        vertex_z_(hn::SetTableIndices(D(), table.vertex_at[2])),
        lane_0_(hn::Eq(hn::LoadU(D(), table.component), hn::Zero(D()))),
        lane_1_(hn::Eq(hn::LoadU(D(), table.component), hn::Set(D(), 1.0f))) {}

  Indices vertex_x_, vertex_y_, vertex_z_;
  Mask lane_0_, lane_1_;
};

}  // namespace HWY_NAMESPACE
}  // namespace limber
HWY_AFTER_NAMESPACE();

#endif
