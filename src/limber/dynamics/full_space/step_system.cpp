#include "limber/dynamics/full_space/step_system.h"

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/dynamics/full_space/guard.h"

namespace limber {

StepSystem::StepSystem(FullSystem& system)
    : system_(system),
      A_(system.mesh.pattern()),
      krylov_(3 * system.mesh.free_count()),
      field_(Positions::Zero(system.mesh.node_count(), 3)),
      product_(field_) {
  factors_.reserve(kMostFactors);
}

void StepSystem::forget_factors() {
  factors_.clear();
  factor_ = nullptr;
  h_ = 0;
}

/// A at rest, nothing attached, in A_.
void StepSystem::assemble_rest(double h) {
  const Damping& damping = system_.options.damping;
  system_.elasticity->linearise(system_.mesh.mesh().V);
  system_.mesh.set_mass(1 + h * damping.mass, A_);
  system_.elasticity->add_tangent(h * h, h * damping.stiffness, Tangent::safe, A_);
}

Fault StepSystem::prepare(double h) noexcept {
  if (h == h_) return {};
  h_ = 0;  // until all is ready
  if (factors_.empty()) first_h_ = h;
  const double bands = std::round(std::log(h / first_h_) / std::log(kBandRatio));
  try {
    factor_ = &find_factor(static_cast<int>(bands));
    if (system_.ground || system_.elasticity->constant()) assemble_rest(h);
  } catch (const Error&) {
    return {Fault::Kind::overflow};
  }
  if (system_.ground) system_.ground->set_stiffness(A_, h * h);
  if (system_.elasticity->constant()) constant_matrix_ = A_;
  h_ = h;
  return {};
}

StepFactor& StepSystem::find_factor(int band) {
  for (StepFactor& factor : factors_) {
    if (factor.band != band) continue;
    factor.last_used = ++uses_;
    return factor;
  }
  StepFactor fresh;
  make_factor(band, fresh);
  fresh.last_used = ++uses_;
  if (static_cast<int>(factors_.size()) < kMostFactors) {
    factors_.push_back(std::move(fresh));
    return factors_.back();
  }
  const auto older = [](const StepFactor& a, const StepFactor& b) {
    return a.last_used < b.last_used;
  };
  StepFactor& oldest = *std::min_element(factors_.begin(), factors_.end(), older);
  oldest = std::move(fresh);
  return oldest;
}

void StepSystem::make_factor(int band, StepFactor& factor) {
  const FullBodyOptions& options = system_.options;
  assemble_rest(first_h_ * std::pow(kBandRatio, band));
  if (!std::isfinite(A_.norm())) throw Error("the matrix overflows", "step", "use smaller numbers");
  factor.band = band;
  factor.rest = A_;
  factor.preconditioner =
      make_preconditioner(A_, options.preconditioner, options.largest_factor_bytes);
}

bool StepSystem::passes_on() const {
  const Elasticity& elasticity = *system_.elasticity;
  return !elasticity.symmetric() && elasticity.has_product(Tangent::safe) && !system_.attached();
}

/// Whether the step's matrix is not assembled. With a complete factor five iterations or so are
/// enough, and so many products cost no more than the matrix.
bool StepSystem::by_products(Tangent kind) const {
  if (!system_.elasticity->symmetric()) return passes_on();
  return system_.elasticity->has_product(kind) && !system_.attached() &&
         factor_->preconditioner->complete();
}

Tangent StepSystem::held_tangent() const {
  return system_.options.exact_tangent ? Tangent::exact : Tangent::safe;
}

void StepSystem::assemble(Tangent kind) {
  Elasticity& elasticity = *system_.elasticity;
  blocks_.clear();
  factor_->preconditioner->set_rotations(elasticity.node_rotations());
  products_ = by_products(kind);
  if (products_ || constant()) return;
  if (elasticity.constant()) {
    A_ = constant_matrix_;
  } else {
    system_.mesh.set_mass(1 + h_ * system_.options.damping.mass, A_);
    elasticity.add_tangent(h_ * h_, h_ * system_.options.damping.stiffness, kind, A_);
  }
  if (!system_.attached()) return;
  if (!factor_->attached) {
    factor_->attached = std::make_unique<AttachedPreconditioner>(A_.size());
    blocks_.reserve(2 * static_cast<std::size_t>(system_.mesh.free_count()));
  }
  system_.collect_blocks(h_ * h_, h_, blocks_);
  for (const AttachedBlock& block : blocks_) {
    if (block.count == 1) add_to(block, A_);
  }
  factor_->attached->set(*factor_->preconditioner, elasticity.node_rotations(), blocks_);
}

const Preconditioner& StepSystem::preconditioner() const {
  if (system_.attached()) return *factor_->attached;
  return *factor_->preconditioner;
}

/// The assembled matrix and what is attached to more than one node.
class StepSystem::Matrix final : public LinearOperator {
 public:
  explicit Matrix(const StepSystem& step)
      : A_(step.constant() ? step.constant_matrix_ : step.A_), blocks_(step.blocks_) {}
  void apply(const Vector& x, Vector& y) const override {
    A_.multiply(x, y);
    for (const AttachedBlock& block : blocks_) {
      if (block.count > 1) block.add_product(1, x, y);
    }
  }

 private:
  const BlockMatrix& A_;
  const std::vector<AttachedBlock>& blocks_;
};

/// y = ((1+hα) M + (h²+hβ) K) x.
class StepSystem::Products final : public LinearOperator {
 public:
  explicit Products(const StepSystem& step) : step_(step) {}
  void apply(const Vector& x, Vector& y) const override {
    const double h = step_.h_;
    const Damping& damping = step_.system_.options.damping;
    const SimulatedMesh& mesh = step_.system_.mesh;
    step_.field_.setZero();
    mesh.add_scattered(1 + h * damping.mass, x, step_.field_);
    mesh.multiply_mass(step_.field_, step_.product_);
    const double stiffness = (h * h + h * damping.stiffness) / (1 + h * damping.mass);
    step_.system_.elasticity->add_product(stiffness, step_.field_, step_.product_);
    mesh.gather(step_.product_, y);
  }

 private:
  const StepSystem& step_;
};

void StepSystem::reserve_rows(int nodes) {
  row_nodes_ = nodes;
  for (StepFactor& factor : factors_) factor.rows.reset();
}

NodeCompliance& StepSystem::row_compliance() {
  if (!factor_->rows) factor_->rows = std::make_unique<NodeCompliance>(A_.size(), row_nodes_);
  return *factor_->rows;
}

void StepSystem::AtRest::apply(const Vector& r, Vector& z) const {
  constexpr double kTolerance = 1e-7;  // what is kept of it has single precision
  constexpr int kMost = 200;
  z.setZero();
  left_ = r;
  const BlockOperator A(step_.factor_->rest);
  const Preconditioner& P = *step_.factor_->preconditioner;
  if (const auto& core = step_.system_.core) {
    core->project_at_rest(left_);
    krylov_.conjugate_gradients(CoreOperator(A, *core, true), CorePreconditioner(P, *core, true),
                                kTolerance * r.norm(), kMost, z, left_);
    return;
  }
  krylov_.conjugate_gradients(A, P, kTolerance * r.norm(), kMost, z, left_);
}

KrylovStatus StepSystem::solve(double goal, Vector& x, Vector& r) {
  constexpr int kMostWarped = 200;          // four restarts: what is not solved by then stagnates
  constexpr Eigen::Index kMostPasses = 10;  // exact arithmetic would need one over the unknowns
  x.setZero();
  const bool symmetric = system_.elasticity->symmetric();
  const int limit = static_cast<int>(
      std::min<Eigen::Index>(system_.options.most_solver_iterations, kMostPasses * r.size()));
  const int most = symmetric ? limit : std::min(kMostWarped, limit);
  const auto solve_with = [&](const LinearOperator& A, const Preconditioner& P) {
    return symmetric ? krylov_.conjugate_gradients(A, P, goal, most, x, r)
                     : krylov_.conjugate_residuals(A, P, goal, most, x, r);
  };
  const auto solve = [&](const LinearOperator& A) {
    if (!system_.core) return solve_with(A, preconditioner());
    system_.core->project(r);
    return solve_with(CoreOperator(A, *system_.core),
                      CorePreconditioner(preconditioner(), *system_.core));
  };
  return products_ ? solve(Products(*this)) : solve(Matrix(*this));
}

void StepSystem::archive(StateArchive& state) {
  const double first = first_h_;
  state.value(first_h_);
  if (state.is_loading() && first != first_h_) forget_factors();
  int row_nodes = row_nodes_;
  state.value(row_nodes);
  if (row_nodes != row_nodes_) reserve_rows(row_nodes);
  double h = h_;
  state.value(h);
  long uses = uses_;
  state.value(uses);
  std::size_t count = factors_.size();
  state.value(count);
  if (!state.is_loading()) {
    for (StepFactor& factor : factors_) {
      state.value(factor.last_used);
      bool attached = factor.attached != nullptr;
      bool rows = factor.rows && !factor.rows->knows_none();  // forgotten is as never learnt
      state.value(factor.band);
      state.value(attached);
      state.value(rows);
      if (attached) factor.attached->archive(state, *factor.preconditioner);
      if (rows) factor.rows->archive(state, at_rest_);
    }
    return;
  }
  // Those that are there make room for the ones that come.
  for (StepFactor& factor : factors_) factor.last_used = -1;
  for (std::size_t k = 0; k < count; ++k) {
    long last_used = 0;
    int band = 0;
    state.value(last_used);
    bool attached = false, rows = false;
    state.value(band);
    state.value(attached);
    state.value(rows);
    StepFactor& found = find_factor(band);
    std::swap(factors_[k], found);
    factor_ = &factors_[k];
    factor_->last_used = last_used;
    factor_->preconditioner->set_rotations(nullptr);
    if (attached) {
      if (!factor_->attached) {
        factor_->attached = std::make_unique<AttachedPreconditioner>(A_.size());
      }
      factor_->attached->archive(state, *factor_->preconditioner);
    } else {
      factor_->attached.reset();
    }
    if (rows) {
      row_compliance().archive(state, at_rest_);
    } else if (factor_->rows) {
      factor_->rows->forget();
    }
  }
  std::erase_if(factors_, [](const StepFactor& factor) { return factor.last_used < 0; });
  factor_ = nullptr;
  h_ = 0;
  uses_ = uses;
  if (h > 0) {  // here rather than in the step, since it linearises the elasticity
    --uses_;    // the last use was that of h
    (void)prepare(h);
  }
}

}  // namespace limber
