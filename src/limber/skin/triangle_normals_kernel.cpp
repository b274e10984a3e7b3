#include "limber/skin/triangle_normals_kernel.h"

#include <algorithm>

#include "limber/skin/triangle_normals.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/skin/triangle_normals_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "limber/skin/interleave-inl.h"
#include "limber/skin/warp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace limber {
namespace HWY_NAMESPACE {
namespace {

using DN = hn::CappedTag<float, TriangleNormals::kBlock>;
using VN = hn::Vec<DN>;
using IN = hn::Vec<hn::RebindToSigned<DN>>;
using Vector3N = Vector3<VN>;
constexpr int kNormalLanes = hn::MaxLanes(DN());

/// The positions of N vertices, whose numbers times three are given.
HWY_INLINE Vector3N gathered(const float* HWY_RESTRICT positions, IN places) {
  const DN d;
  return {hn::GatherIndex(d, positions, places), hn::GatherIndex(d, positions + 1, places),
          hn::GatherIndex(d, positions + 2, places)};
}

/// A side from the vertex to a neighbour in units of the mean side, and one over its square; zero
/// where it has no length.
struct Side {
  Vector3N v;
  VN inverse_square;

  HWY_INLINE Side(const Vector3N& from, const Vector3N& to, VN scale) {
    const DN d;
    v = {hn::Mul(hn::Sub(to.x, from.x), scale), hn::Mul(hn::Sub(to.y, from.y), scale),
         hn::Mul(hn::Sub(to.z, from.z), scale)};
    const VN square = hn::MulAdd(v.x, v.x, hn::MulAdd(v.y, v.y, hn::Mul(v.z, v.z)));
    // Below 1e-6 mean sides, squares of this are past single precision.
    const hn::Mask<DN> usable = hn::Gt(square, hn::Set(d, 1e-12F));
    inverse_square = hn::IfThenElseZero(usable, hn::Div(hn::Set(d, 1.0F), square));
  }
};

/// N vertices from lane `lane` of a block on.
HWY_INLINE void normals_of_lanes(const NormalsJob& job, int block, int lane,
                                 const Interleave3<DN>& interleave, float* target) {
  const DN d;
  const hn::RebindToSigned<DN> di;
  const int first = block * TriangleNormals::kBlock + lane;
  // Lanes past the last vertex compute it again.
  const IN own =
      hn::Mul(hn::Min(hn::Iota(di, first), hn::Set(di, job.vertex_count - 1)), hn::Set(di, 3));
  const Vector3N here = gathered(job.positions, own);
  const VN scale = hn::Set(d, job.inverse_length);
  const std::int32_t* ring = job.rings + job.starts[block] + lane;
  const std::int32_t* const end = job.rings + job.starts[block + 1];
  Vector3N sum{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  if (ring < end) {
    Side a(here, gathered(job.positions, hn::LoadU(di, ring)), scale);
    for (ring += TriangleNormals::kBlock; ring < end; ring += TriangleNormals::kBlock) {
      const Side b(here, gathered(job.positions, hn::LoadU(di, ring)), scale);
      const VN weight = hn::Mul(a.inverse_square, b.inverse_square);  // Max 1999, eq. 2
      const Vector3N area = cross(a.v, b.v);
      sum = {hn::MulAdd(weight, area.x, sum.x), hn::MulAdd(weight, area.y, sum.y),
             hn::MulAdd(weight, area.z, sum.z)};
      a = b;
    }
  }
  const VN square = hn::MulAdd(sum.x, sum.x, hn::MulAdd(sum.y, sum.y, hn::Mul(sum.z, sum.z)));
  // A vertex of ordinary sides sums to about one; far less is rounding error of flat triangles.
  const hn::Mask<DN> usable = hn::Gt(square, hn::Set(d, 1e-12F));
  const VN inverse = hn::IfThenElseZero(usable, hn::Div(hn::Set(d, 1.0F), hn::Sqrt(square)));
  interleave.store(hn::IfThenElseZero(usable, hn::Mul(sum.x, inverse)),
                   hn::IfThenElse(usable, hn::Mul(sum.y, inverse), hn::Set(d, 1.0F)),
                   hn::IfThenElseZero(usable, hn::Mul(sum.z, inverse)), target);
}

}  // namespace

void triangle_normals_blocks(const NormalsJob& job, int first, int last) {
  constexpr int kBlock = TriangleNormals::kBlock;
  const Interleave3<DN> interleave;
  for (int block = first; block < last; ++block) {
    float filled[3 * kBlock];
    const int count = std::min(kBlock, job.vertex_count - block * kBlock);
    float* const place = job.normals + 3 * static_cast<std::ptrdiff_t>(block) * kBlock;
    float* const target = count == kBlock ? place : filled;
    for (int lane = 0; lane < kBlock; lane += kNormalLanes) {
      normals_of_lanes(job, block, lane, interleave, target + 3 * lane);
    }
    if (target == filled) std::copy_n(filled, 3 * count, place);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace limber
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(triangle_normals_blocks);
void triangle_normals_blocks(const NormalsJob& job, int first, int last) {
  HWY_DYNAMIC_DISPATCH(triangle_normals_blocks)(job, first, last);
}
}  // namespace limber
#endif
