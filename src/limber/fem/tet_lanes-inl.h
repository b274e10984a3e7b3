// 3×3 algebra on SIMD lanes, one tet each; included by kernels that Highway compiles for several
// instruction sets. Matrices hold entry (i, j) at 3i+j.
#if defined(LIMBER_FEM_TET_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LIMBER_FEM_TET_LANES_INL_H_
#undef LIMBER_FEM_TET_LANES_INL_H_
#else
#define LIMBER_FEM_TET_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include "limber/fem/block_matrix.h"
#include "limber/fem/tet_batches.h"

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kTetLanes>;
using V = hn::Vec<D>;

struct LaneVector {
  V v[3];
};
struct LaneMatrix {
  V v[9];
};

HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
HWY_INLINE V constant(double value) { return hn::Set(D(), value); }

HWY_INLINE V dot3(V a0, V b0, V a1, V b1, V a2, V b2) {
  return hn::MulAdd(a2, b2, hn::MulAdd(a1, b1, hn::Mul(a0, b0)));
}
HWY_INLINE V dot(const LaneVector& a, const LaneVector& b) {
  return dot3(a.v[0], b.v[0], a.v[1], b.v[1], a.v[2], b.v[2]);
}
HWY_INLINE V dot(const LaneMatrix& a, const LaneMatrix& b) {
  V sum = mul(a.v[0], b.v[0]);
  for (int k = 1; k < 9; ++k) sum = hn::MulAdd(a.v[k], b.v[k], sum);
  return sum;
}
HWY_INLINE V trace(const LaneMatrix& a) { return add(a.v[0], add(a.v[4], a.v[8])); }

HWY_INLINE LaneMatrix scaled(const LaneMatrix& a, V factor) {
  LaneMatrix result;
  for (int k = 0; k < 9; ++k) result.v[k] = mul(a.v[k], factor);
  return result;
}

/// A B.
HWY_INLINE LaneMatrix product(const LaneMatrix& a, const LaneMatrix& b) {
  LaneMatrix c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      c.v[3 * i + j] =
          dot3(a.v[3 * i], b.v[j], a.v[3 * i + 1], b.v[3 + j], a.v[3 * i + 2], b.v[6 + j]);
    }
  }
  return c;
}

/// Aᵀ B.
HWY_INLINE LaneMatrix transposed_product(const LaneMatrix& a, const LaneMatrix& b) {
  LaneMatrix c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      c.v[3 * i + j] = dot3(a.v[i], b.v[j], a.v[3 + i], b.v[3 + j], a.v[6 + i], b.v[6 + j]);
    }
  }
  return c;
}

/// Aᵀ A, each entry above the diagonal computed once.
HWY_INLINE LaneMatrix gram(const LaneMatrix& a) {
  LaneMatrix c;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      c.v[3 * i + j] = c.v[3 * j + i] =
          dot3(a.v[i], a.v[j], a.v[3 + i], a.v[3 + j], a.v[6 + i], a.v[6 + j]);
    }
  }
  return c;
}

HWY_INLINE LaneVector product(const LaneMatrix& a, const LaneVector& x) {
  LaneVector y;
  for (int i = 0; i < 3; ++i) {
    y.v[i] = dot3(a.v[3 * i], x.v[0], a.v[3 * i + 1], x.v[1], a.v[3 * i + 2], x.v[2]);
  }
  return y;
}

HWY_INLINE V minor(V a, V b, V c, V d) { return hn::NegMulAdd(b, c, hn::Mul(a, d)); }

/// The cofactors: row i is the cross product of the other two rows.
HWY_INLINE LaneMatrix cofactors(const LaneMatrix& a) {
  LaneMatrix c;
  for (int i = 0; i < 3; ++i) {
    const V* const p = a.v + 3 * ((i + 1) % 3);
    const V* const q = a.v + 3 * ((i + 2) % 3);
    for (int j = 0; j < 3; ++j) {
      const int k = (j + 1) % 3;
      const int l = (j + 2) % 3;
      c.v[3 * i + j] = minor(p[k], p[l], q[k], q[l]);
    }
  }
  return c;
}

template <std::size_t N>
HWY_INLINE V load(const std::array<TetLanes<double>, N>& lanes, int k, int lane) {
  return hn::Load(D(), lanes[k].data() + lane);
}
HWY_INLINE LaneMatrix load_matrix(const BatchMatrices& matrices, int lane) {
  LaneMatrix m;
  for (int k = 0; k < 9; ++k) m.v[k] = load(matrices.entry, k, lane);
  return m;
}
HWY_INLINE void store_matrix(const LaneMatrix& m, BatchMatrices& matrices, int lane) {
  for (int k = 0; k < 9; ++k) hn::Store(m.v[k], D(), matrices.entry[k].data() + lane);
}

/// The k-th of three vectors.
HWY_INLINE LaneVector load_vector(const std::array<TetLanes<double>, 9>& lanes, int k, int lane) {
  return {load(lanes, 3 * k, lane), load(lanes, 3 * k + 1, lane), load(lanes, 3 * k + 2, lane)};
}

/// g_0 to g_3.
struct LaneGradients {
  LaneVector g[4];
};
HWY_INLINE LaneGradients load_gradients(const TetBatch& batch, int lane) {
  LaneGradients result;
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < 3; ++k) result.g[k + 1].v[c] = load(batch.gradients, 3 * k + c, lane);
    result.g[0].v[c] = hn::Neg(add(result.g[1].v[c], add(result.g[2].v[c], result.g[3].v[c])));
  }
  return result;
}

/// The positions (n×3, row by row) of one corner.
HWY_INLINE LaneVector gather_corner(const std::array<TetLanes<std::int32_t>, 4>& nodes, int corner,
                                    int lane, const double* positions) {
  const D d;
  LaneVector x;
#if HWY_MAX_BYTES == 32
  // Two loads a node and a transposition: gather instructions take three times as long.
  const hn::Half<D> pair;
  const double* node[4];
  for (int l = 0; l < 4; ++l) {
    node[l] = positions + 3 * static_cast<std::size_t>(nodes[corner][lane + l]);
  }
  const V xy02 = hn::Combine(d, hn::LoadU(pair, node[2]), hn::LoadU(pair, node[0]));
  const V xy13 = hn::Combine(d, hn::LoadU(pair, node[3]), hn::LoadU(pair, node[1]));
  const V yz02 = hn::Combine(d, hn::LoadU(pair, node[2] + 1), hn::LoadU(pair, node[0] + 1));
  const V yz13 = hn::Combine(d, hn::LoadU(pair, node[3] + 1), hn::LoadU(pair, node[1] + 1));
  x.v[0] = hn::InterleaveLower(d, xy02, xy13);
  x.v[1] = hn::InterleaveUpper(d, xy02, xy13);
  x.v[2] = hn::InterleaveUpper(d, yz02, yz13);
#else
  const hn::RebindToSigned<D> d64;
  const hn::Rebind<std::int32_t, D> d32;
  const auto node = hn::PromoteTo(d64, hn::Load(d32, nodes[corner].data() + lane));
  const auto first = hn::Add(node, hn::Add(node, node));
  for (int c = 0; c < 3; ++c) x.v[c] = hn::GatherIndex(d, positions + c, first);
#endif
  return x;
}

/// F = Σ (x_k − x_0) g_kᵀ, k = 1..3.
HWY_INLINE LaneMatrix deformation_gradient(const TetBatch& batch, int lane,
                                           const double* positions) {
  const LaneVector origin = gather_corner(batch.nodes, 0, lane, positions);
  LaneMatrix F;
  for (int k = 0; k < 9; ++k) F.v[k] = hn::Zero(D());
  for (int corner = 1; corner < 4; ++corner) {
    const LaneVector x = gather_corner(batch.nodes, corner, lane, positions);
    for (int i = 0; i < 3; ++i) {
      const V edge = hn::Sub(x.v[i], origin.v[i]);
      for (int j = 0; j < 3; ++j) {
        F.v[3 * i + j] =
            hn::MulAdd(edge, load(batch.gradients, 3 * (corner - 1) + j, lane), F.v[3 * i + j]);
      }
    }
  }
  return F;
}

/// Subtracts P g_k from the forces (n×3) of the corners; P = V ∂W/∂F.
HWY_INLINE void subtract_corner_forces(const TetBatch& batch, int lane, const LaneMatrix& P,
                                       double* forces) {
  constexpr std::size_t kLanes = hn::MaxLanes(D());
  alignas(64) double corner_force[3][3][kLanes];
  for (int k = 0; k < 3; ++k) {
    LaneVector g;
    for (int c = 0; c < 3; ++c) g.v[c] = load(batch.gradients, 3 * k + c, lane);
    const LaneVector f = product(P, g);
    for (int c = 0; c < 3; ++c) hn::Store(f.v[c], D(), corner_force[k][c]);
  }
  const int lanes = static_cast<int>(hn::Lanes(D()));
  for (int l = 0; l < lanes; ++l) {
    double* const first = forces + 3 * static_cast<std::size_t>(batch.nodes[0][lane + l]);
    for (int k = 0; k < 3; ++k) {
      double* const force = forces + 3 * static_cast<std::size_t>(batch.nodes[k + 1][lane + l]);
      for (int c = 0; c < 3; ++c) {
        force[c] -= corner_force[k][c][l];
        first[c] += corner_force[k][c][l];
      }
    }
  }
}

/// The 3×3 blocks of corners a ≤ b of some tets, entry (i, j) at 3i+j; the rest by symmetry.
struct BlockScratch {
  alignas(64) double entry[10][9][hn::MaxLanes(D())];
};

/// Adds a block of nine numbers, given as four, four and one.
HWY_INLINE void add_nine(const double* first, const double* second, double last, double* block) {
  const hn::CappedTag<double, 4> d;
  for (std::size_t k = 0; k < 4; k += hn::Lanes(d)) {
    hn::StoreU(hn::Add(hn::LoadU(d, block + k), hn::Load(d, first + k)), d, block + k);
    hn::StoreU(hn::Add(hn::LoadU(d, block + 4 + k), hn::Load(d, second + k)), d, block + 4 + k);
  }
  block[8] += last;
}

HWY_INLINE void add_blocks(const BlockScratch& scratch, const std::array<std::int32_t, 16>* slots,
                           int lanes, double* values) {
  constexpr std::size_t kFours = 4 * hn::MaxLanes(D());
  alignas(64) double first[kFours], second[kFours];  // of each lane's block
  const D d;
  int pair = 0;
  for (int a = 0; a < 4; ++a) {
    for (int b = a; b < 4; ++b, ++pair) {
      const auto& entry = scratch.entry[pair];
      const auto load = [&](int k) { return hn::Load(d, entry[k]); };
      const auto add = [&](int corners) {
        for (int l = 0; l < lanes; ++l) {
          add_nine(first + 4 * l, second + 4 * l, entry[8][l],
                   values + 9 * static_cast<std::size_t>(slots[l][corners]));
        }
      };
      // Blocks are stored by columns.
      hn::StoreInterleaved4(load(0), load(3), load(6), load(1), d, first);
      hn::StoreInterleaved4(load(4), load(7), load(2), load(5), d, second);
      add(4 * a + b);
      if (a == b) continue;
      hn::StoreInterleaved4(load(0), load(1), load(2), load(3), d, first);
      hn::StoreInterleaved4(load(4), load(5), load(6), load(7), d, second);
      add(4 * b + a);
    }
  }
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
