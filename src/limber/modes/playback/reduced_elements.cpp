// Compiled once for each instruction set and chosen at run time.
#include "limber/modes/playback/reduced_elements.h"

#include <Eigen/LU>
#include <algorithm>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limber/modes/playback/reduced_elements.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "limber/modes/playback/elastic_laws-inl.h"

#ifndef LIMBER_REDUCED_ELEMENTS_ONCE
#define LIMBER_REDUCED_ELEMENTS_ONCE
namespace limber::reduced {
/// Modes that a tile of the stiffness matrix has.
inline constexpr int kTile = 4;

struct Groups {
  const double* gradients;
  const double* lame;
  int count;
  int modes;  // padded
  [[nodiscard]] const double* gradient(int group, int entry) const {
    return gradients + static_cast<std::size_t>((group * 9 + entry) * modes) * kTetLanes;
  }
};
}  // namespace limber::reduced
#endif

HWY_BEFORE_NAMESPACE();
namespace limber::HWY_NAMESPACE {

HWY_INLINE LaneMatrix reduced_gradient(const reduced::Groups& groups, int group, int lane,
                                       const double* q) {
  LaneMatrix F;
  for (int k = 0; k < 9; ++k) {
    const double* const column = groups.gradient(group, k) + lane;
    V even = constant(k % 4 == 0 ? 1 : 0);
    V odd = hn::Zero(D());
    for (int j = 0; j < groups.modes; j += 2) {
      even = hn::MulAdd(constant(q[j]), hn::Load(D(), column + j * kTetLanes), even);
      odd = hn::MulAdd(constant(q[j + 1]), hn::Load(D(), column + (j + 1) * kTetLanes), odd);
    }
    F.v[k] = add(even, odd);
  }
  return F;
}

/// Adds ∂W/∂q to `g` (groups.modes × lanes), P to `stresses` (group by group 9 × lanes); either may
/// be null. Returns W.
template <class Law>
double reduced_sum(const reduced::Groups& groups, const double* q, double* g, double* stresses) {
  V energy = hn::Zero(D());
  for (int group = 0; group < groups.count; ++group) {
    for (int lane = 0; lane < kTetLanes; lane += static_cast<int>(hn::Lanes(D()))) {
      const double* const lame = groups.lame + static_cast<std::size_t>(group) * 2 * kTetLanes;
      const Law law(reduced_gradient(groups, group, lane, q), hn::Load(D(), lame + lane),
                    hn::Load(D(), lame + kTetLanes + lane));
      energy = add(energy, law.energy());
      if (g == nullptr && stresses == nullptr) continue;
      const LaneMatrix P = law.stress();
      if (stresses != nullptr) {
        for (int k = 0; k < 9; ++k) {
          hn::Store(P.v[k], D(), stresses + (group * 9 + k) * kTetLanes + lane);
        }
      }
      if (g == nullptr) continue;
      const double* const first = groups.gradient(group, 0) + lane;
      const int next = groups.modes * kTetLanes;
      for (int j = 0; j < groups.modes; ++j) {
        double* const sum = g + j * kTetLanes + lane;
        const double* const dF = first + j * kTetLanes;
        V even = hn::Load(D(), sum);
        V odd = hn::Zero(D());
        for (int k = 0; k < 8; k += 2) {
          even = hn::MulAdd(P.v[k], hn::Load(D(), dF + k * next), even);
          odd = hn::MulAdd(P.v[k + 1], hn::Load(D(), dF + (k + 1) * next), odd);
        }
        even = hn::MulAdd(P.v[8], hn::Load(D(), dF + 8 * next), even);
        hn::Store(add(even, odd), D(), sum);
      }
    }
  }
  return hn::GetLane(hn::SumOfLanes(D(), energy));
}

/// ∂P/∂q_j of every tet, stored as the gradients are.
template <class Law>
void stress_changes(const reduced::Groups& groups, const double* q, double* changes) {
  for (int group = 0; group < groups.count; ++group) {
    for (int lane = 0; lane < kTetLanes; lane += static_cast<int>(hn::Lanes(D()))) {
      const double* const lame = groups.lame + static_cast<std::size_t>(group) * 2 * kTetLanes;
      const Law law(reduced_gradient(groups, group, lane, q), hn::Load(D(), lame + lane),
                    hn::Load(D(), lame + kTetLanes + lane));
      const auto slope = law.slope();
      for (int j = 0; j < groups.modes; ++j) {
        LaneMatrix dF;
        for (int k = 0; k < 9; ++k) {
          dF.v[k] = hn::Load(D(), groups.gradient(group, k) + j * kTetLanes + lane);
        }
        const LaneMatrix dP = slope.of(dF);
        for (int k = 0; k < 9; ++k) {
          hn::Store(dP.v[k], D(),
                    changes + ((group * 9 + k) * groups.modes + j) * kTetLanes + lane);
        }
      }
    }
  }
}

/// K_ij = Σ ∂F/∂q_i : ∂P/∂q_j on and above the diagonal, tile by tile in registers.
void contract(const reduced::Groups& groups, const double* changes, double* K) {
  using reduced::kTile;
  const int rows = groups.count * 9;
  const int modes = groups.modes;
  for (int i0 = 0; i0 < modes; i0 += kTile) {
    for (int j0 = i0; j0 < modes; j0 += kTile) {
      V sum[kTile][kTile];
      for (auto& row : sum) {
        for (V& entry : row) entry = hn::Zero(D());
      }
      for (int row = 0; row < rows; ++row) {
        const double* const a =
            groups.gradients + static_cast<std::size_t>(row * modes + i0) * kTetLanes;
        const double* const b = changes + static_cast<std::size_t>(row * modes + j0) * kTetLanes;
        for (int lane = 0; lane < kTetLanes; lane += static_cast<int>(hn::Lanes(D()))) {
          V left[kTile], right[kTile];
          for (int t = 0; t < kTile; ++t) {
            left[t] = hn::Load(D(), a + t * kTetLanes + lane);
            right[t] = hn::Load(D(), b + t * kTetLanes + lane);
          }
          for (int s = 0; s < kTile; ++s) {
            for (int t = 0; t < kTile; ++t) sum[s][t] = hn::MulAdd(left[s], right[t], sum[s][t]);
          }
        }
      }
      for (int s = 0; s < kTile; ++s) {
        for (int t = 0; t < kTile; ++t) {
          K[(i0 + s) * modes + j0 + t] = hn::GetLane(hn::SumOfLanes(D(), sum[s][t]));
        }
      }
    }
  }
}

double reduced_forces(int law, const reduced::Groups& groups, const double* q, double* g,
                      double* stresses) {
  switch (static_cast<ElasticLaw>(law)) {
    case ElasticLaw::stvk:
      return reduced_sum<StvkLanes>(groups, q, g, stresses);
    case ElasticLaw::neo_hookean:
      return reduced_sum<NeoHookeanLanes>(groups, q, g, stresses);
    case ElasticLaw::corotational:
      break;
  }
  return reduced_sum<CorotationalLanes>(groups, q, g, stresses);
}

void reduced_stiffness(int law, const reduced::Groups& groups, const double* q, double* changes,
                       double* K) {
  switch (static_cast<ElasticLaw>(law)) {
    case ElasticLaw::stvk:
      stress_changes<StvkLanes>(groups, q, changes);
      break;
    case ElasticLaw::neo_hookean:
      stress_changes<NeoHookeanLanes>(groups, q, changes);
      break;
    case ElasticLaw::corotational:
      stress_changes<CorotationalLanes>(groups, q, changes);
      break;
  }
  contract(groups, changes, K);
}

}  // namespace limber::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace limber {
HWY_EXPORT(reduced_forces);
HWY_EXPORT(reduced_stiffness);

namespace {

/// The first place in `storage` on a 64-byte border.
std::size_t aligned_place(const std::vector<double>& storage) {
  const auto address = reinterpret_cast<std::uintptr_t>(storage.data());
  return (64 - address % 64) % 64 / sizeof(double);
}

}  // namespace

ReducedElements::ReducedElements(const Eigen::Ref<const Positions>& positions,
                                 const Eigen::Ref<const Tets>& tets,
                                 const Eigen::Ref<const ModeMatrix>& modes,
                                 std::span<const ReducedTet> chosen)
    : modes_(static_cast<int>(modes.cols())),
      padded_modes_((modes_ + reduced::kTile - 1) / reduced::kTile * reduced::kTile),
      tet_count_(static_cast<int>(chosen.size())) {
  const std::size_t groups = (chosen.size() + kTetLanes - 1) / kTetLanes;
  const std::size_t block = 9 * static_cast<std::size_t>(padded_modes_) * kTetLanes;
  storage_.assign(groups * (block + 2 * kTetLanes) + 8, 0.0);
  gradients_ = aligned_place(storage_);
  lame_ = gradients_ + groups * block;
  const std::size_t sums =
      static_cast<std::size_t>(padded_modes_) * (kTetLanes + padded_modes_ + 1);
  scratch_.assign(groups * block + sums + 8, 0.0);
  scratch_first_ = aligned_place(scratch_);
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    const std::size_t group = c / kTetLanes;
    const std::size_t lane = c % kTetLanes;
    const int tet = chosen[c].tet;
    Mat3 edges;
    for (int k = 0; k < 3; ++k) {
      edges.col(k) = (positions.row(tets(tet, k + 1)) - positions.row(tets(tet, 0))).transpose();
    }
    const Mat3 inverse = edges.inverse();  // row k: gradient of corner k+1
    for (int j = 0; j < modes_; ++j) {
      Mat3 change = Mat3::Zero();
      for (int k = 0; k < 3; ++k) {
        const Vec3 along = modes.col(j).segment<3>(3 * tets(tet, k + 1)) -
                           modes.col(j).segment<3>(3 * tets(tet, 0));
        change += along * inverse.row(k);
      }
      for (int e = 0; e < 9; ++e) {
        storage_[gradients_ + group * block +
                 (static_cast<std::size_t>(e) * padded_modes_ + j) * kTetLanes + lane] =
            change(e / 3, e % 3);
      }
    }
    storage_[lame_ + group * 2 * kTetLanes + lane] = chosen[c].lambda;
    storage_[lame_ + (group * 2 + 1) * kTetLanes + lane] = chosen[c].mu;
  }
}

Eigen::Matrix<double, 9, 1> ReducedElements::gradient(int tet, int mode) const {
  const std::size_t block = 9 * static_cast<std::size_t>(padded_modes_) * kTetLanes;
  Eigen::Matrix<double, 9, 1> result;
  for (int e = 0; e < 9; ++e) {
    result[e] = storage_[gradients_ + static_cast<std::size_t>(tet / kTetLanes) * block +
                         (static_cast<std::size_t>(e) * padded_modes_ + mode) * kTetLanes +
                         static_cast<std::size_t>(tet % kTetLanes)];
  }
  return result;
}

double ReducedElements::energy(ElasticLaw law, const Vector& q) const {
  Vector none;
  return forces(law, q, none);
}

double ReducedElements::forces(ElasticLaw law, const Vector& q, Vector& g) const {
  const int groups = (tet_count_ + kTetLanes - 1) / kTetLanes;
  const reduced::Groups data{storage_.data() + gradients_, storage_.data() + lame_, groups,
                             padded_modes_};
  double* const sums = scratch_.data() + scratch_first_;
  double* const padded_q = sums + padded_modes_ * kTetLanes;
  std::fill(sums, padded_q + padded_modes_, 0.0);
  std::copy_n(q.data(), modes_, padded_q);
  const bool wanted = g.size() == modes_;
  const double W = HWY_DYNAMIC_DISPATCH(reduced_forces)(static_cast<int>(law), data, padded_q,
                                                        wanted ? sums : nullptr, nullptr);
  for (int j = 0; wanted && j < modes_; ++j) {
    double sum = 0;
    for (int lane = 0; lane < kTetLanes; ++lane) sum += sums[j * kTetLanes + lane];
    g[j] = sum;
  }
  return W;
}

void ReducedElements::stresses(
    ElasticLaw law, const Vector& q,
    Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, 9, Eigen::RowMajor>> P) const {
  const int groups = (tet_count_ + kTetLanes - 1) / kTetLanes;
  const reduced::Groups data{storage_.data() + gradients_, storage_.data() + lame_, groups,
                             padded_modes_};
  double* const lanes = scratch_.data() + scratch_first_;
  double* const padded_q = lanes + static_cast<std::size_t>(groups) * 9 * kTetLanes;
  std::fill_n(padded_q, padded_modes_, 0.0);
  std::copy_n(q.data(), modes_, padded_q);
  HWY_DYNAMIC_DISPATCH(reduced_forces)(static_cast<int>(law), data, padded_q, nullptr, lanes);
  for (int tet = 0; tet < tet_count_; ++tet) {
    for (int k = 0; k < 9; ++k) {
      P(tet, k) = lanes[(tet / kTetLanes * 9 + k) * kTetLanes + tet % kTetLanes];
    }
  }
}

void ReducedElements::stiffness(ElasticLaw law, const Vector& q, Eigen::MatrixXd& K) const {
  const int groups = (tet_count_ + kTetLanes - 1) / kTetLanes;
  const reduced::Groups data{storage_.data() + gradients_, storage_.data() + lame_, groups,
                             padded_modes_};
  const std::size_t block = 9 * static_cast<std::size_t>(padded_modes_) * kTetLanes;
  double* const changes = scratch_.data() + scratch_first_;
  double* const sums = changes + static_cast<std::size_t>(groups) * block;
  double* const padded_q = sums + static_cast<std::size_t>(padded_modes_) * padded_modes_;
  std::fill_n(padded_q, padded_modes_, 0.0);
  std::copy_n(q.data(), modes_, padded_q);
  HWY_DYNAMIC_DISPATCH(reduced_stiffness)(static_cast<int>(law), data, padded_q, changes, sums);
  for (int i = 0; i < modes_; ++i) {
    for (int j = i; j < modes_; ++j) K(i, j) = K(j, i) = sums[i * padded_modes_ + j];
  }
}

}  // namespace limber
#endif
