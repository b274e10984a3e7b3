#include "slepc_solver.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "inverse_iteration.h"
#include "limber/core/stopwatch.h"

namespace limber {

namespace {

/// ‖r‖/λ at which a pair counts as found. The error of λ is about its square; subspaces are then
/// right to about 1e-6 over the relative gap to the next mode.
constexpr double kLobpcgTolerance = 1e-6;
constexpr double kKrylovTolerance = 1e-10;
/// What is promised of ‖Kφ−λMφ‖ / (λ‖Mφ‖).
constexpr double kPromisedResidual = 1e-5;
constexpr int kMostIterations = 1000;
/// Rounding keeps ‖r‖ of LOBPCG above some ε times the mesh's highest eigenvalue: 20 where
/// measured.
constexpr double kLobpcgNoise = 100 * std::numeric_limits<double>::epsilon();
/// More modes are searched for one block after the other: a block costs a dozen vectors a mode.
constexpr int kModesAtOnce = 64;
/// Measured (docs/scale.md): with fewer unknowns a mode than this the factor is the faster way.
constexpr double kUnknownsPerModeForFactor = 12'500;

/// Bytes of a factor of K with nested dissection: nonzeros grow with n^(4/3) in space; the constant
/// is that of a compact body, with MUMPS' working space.
double factor_bytes(double unknowns) { return 260 * std::pow(unknowns, 4.0 / 3); }

/// A few more than wanted, so that the last ones do not wait for their neighbours.
int block_size(int count) { return count + std::max(4, count / 5); }

void set_option(const char* name, const char* value) {
  petsc(PetscOptionsSetValue(nullptr, name, value));
}

/// One V-cycle of smoothed aggregation. Chebyshev with Jacobi is the smoother that meets no zero
/// pivot; without the coarse space of rigid motions it takes 3.5 times the iterations.
void set_multigrid_options() {
  set_option("-limber_st_ksp_type", "preonly");
  set_option("-limber_st_pc_type", "gamg");
  set_option("-limber_st_pc_gamg_agg_nsmooths", "1");
  set_option("-limber_st_mg_levels_ksp_type", "chebyshev");
  set_option("-limber_st_mg_levels_pc_type", "jacobi");
  set_option("-limber_st_mg_levels_esteig_ksp_type", "cg");
}

void attach_rigid_motions(const Ranks& ranks, const Positions& free_positions, Mat A) {
  OwnedVec coordinates;
  petsc(VecCreateMPI(ranks.comm(), static_cast<PetscInt>(free_positions.size()), PETSC_DETERMINE,
                     coordinates.put()));
  petsc(VecSetBlockSize(coordinates.get(), 3));
  PetscScalar* values = nullptr;
  petsc(VecGetArray(coordinates.get(), &values));
  std::copy_n(free_positions.data(), free_positions.size(), values);
  petsc(VecRestoreArray(coordinates.get(), &values));
  Owned<MatNullSpace, MatNullSpaceDestroy> motions;
  petsc(MatNullSpaceCreateRigidBody(coordinates.get(), motions.put()));
  petsc(MatSetNearNullSpace(A, motions.get()));
}

Eigen::MatrixXd beside(const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
  Eigen::MatrixXd both(right.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

}  // namespace

/// Lives while SLEPc runs. All ranks see the same numbers, and the first rank's clock.
struct SlepcSolver::Watch {
  const Ranks& ranks;
  const Progress& progress;
  const CheckpointPlan& checkpoints;
  int count;
  double tolerance;
  double noise;  ///< of residuals: pairs whose tolerance is below count as found when they are here
  Stopwatch since_save{};
  bool paused = false;  ///< then every pair counts as found: SLEPc stops and hands over its vectors

  static PetscErrorCode converged(EPS, PetscScalar lambda, PetscScalar, PetscReal residual,
                                  PetscReal* error, void* self) {
    const Watch& watch = *static_cast<const Watch*>(self);
    const double wanted = watch.tolerance * std::abs(lambda);
    *error = watch.paused ? 0 : watch.tolerance * residual / std::max(wanted, watch.noise);
    return 0;
  }

  static PetscErrorCode monitor(EPS, PetscInt, PetscInt found, PetscScalar*, PetscScalar*,
                                PetscReal* errors, PetscInt known, void* self) {
    Watch& watch = *static_cast<Watch*>(self);
    double sum = 0;  // decades of each pair on its way
    for (int k = 0; k < watch.count; ++k) {
      const double error = k < found ? watch.tolerance : k < known ? errors[k] : 1.0;
      sum += std::clamp(std::log(error) / std::log(watch.tolerance), 0.0, 1.0);
    }
    report(watch.progress, "modes", sum / watch.count);
    if (watch.checkpoints.every_seconds > 0) {
      int due = watch.since_save.seconds() > watch.checkpoints.every_seconds ? 1 : 0;
      MPI_Bcast(&due, 1, MPI_INT, 0, watch.ranks.comm());
      watch.paused = due != 0;
    }
    return 0;
  }
};

SlepcSolver::SlepcSolver(const Ranks& ranks, const DistributedSystem& system,
                         const Eigen::MatrixXd& N, const Positions& free_positions,
                         SolverMethod method, double memory)
    : ranks_(ranks), system_(system), N_(N), wanted_(method), memory_(memory), start_(N.rows(), 0) {
  PetscInt rows = 0;
  petsc(MatGetSize(system.K.get(), &rows, nullptr));
  unknowns_ = rows;
  attach_rigid_motions(ranks, free_positions, system.solved.get());
}

std::string SlepcSolver::name() const {
  return method_ == SolverMethod::lobpcg ? "slepc-lobpcg+gamg" : "slepc-krylovschur+mumps";
}

SolverMethod SlepcSolver::choose(int count) const {
  const int widest = block_size(std::min(count, kModesAtOnce));
  // SLEPc's own limit, with all but the last modes kept out of the search.
  const bool block_fits = unknowns_ - N_.cols() - count >= 5 * std::int64_t{widest};
  const double unknowns = static_cast<double>(unknowns_);
  SolverMethod method = wanted_;
  if (method == SolverMethod::automatic) {
    const bool factor_wins =
        unknowns < kUnknownsPerModeForFactor * count && factor_bytes(unknowns) < memory_;
    method = factor_wins || !block_fits ? SolverMethod::mumps : SolverMethod::lobpcg;
  }
  if (method == SolverMethod::lobpcg && !block_fits) {
    throw Error("too few unknowns for blocks of " + std::to_string(widest),
                std::to_string(unknowns_) + " unknowns",
                "leave out --solver or ask for fewer modes");
  }
  if (method == SolverMethod::mumps && 2 * count + N_.cols() > unknowns_) {
    throw Error(std::to_string(count) + " modes are most of what the body has",
                std::to_string(unknowns_) + " unknowns",
                "ask for fewer modes or use `limber modes`, which finds all");
  }
  return method;
}

void SlepcSolver::set_up_lobpcg(int count) {
  petsc(EPSSetOperators(eps_.get(), system_.K.get(), system_.M.get()));
  petsc(EPSSetType(eps_.get(), EPSLOBPCG));
  petsc(EPSSetWhichEigenpairs(eps_.get(), EPS_SMALLEST_REAL));
  petsc(EPSLOBPCGSetBlockSize(eps_.get(), block_size(count)));
  petsc(EPSSetTrackAll(eps_.get(), PETSC_TRUE));
  ST st = nullptr;
  petsc(EPSGetST(eps_.get(), &st));
  petsc(STSetType(st, STPRECOND));
  petsc(STSetPreconditionerMat(st, system_.solved.get()));
  set_multigrid_options();
}

void SlepcSolver::set_up_mumps() {
  petsc(EPSSetOperators(eps_.get(), system_.solved.get(), system_.M.get()));
  petsc(EPSSetType(eps_.get(), EPSKRYLOVSCHUR));
  petsc(EPSSetTarget(eps_.get(), 0));
  petsc(EPSSetWhichEigenpairs(eps_.get(), EPS_TARGET_MAGNITUDE));
  ST st = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  petsc(EPSGetST(eps_.get(), &st));
  petsc(STSetType(st, STSINVERT));
  petsc(STGetKSP(st, &ksp));
  petsc(KSPSetType(ksp, KSPPREONLY));
  petsc(KSPGetPC(ksp, &pc));
  petsc(PCSetType(pc, PCCHOLESKY));
  petsc(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
}

void SlepcSolver::set_up(int count) {
  petsc(EPSCreate(ranks_.comm(), eps_.put()));
  petsc(EPSSetOptionsPrefix(eps_.get(), "limber_"));
  petsc(EPSSetProblemType(eps_.get(), EPS_GHEP));
  if (method_ == SolverMethod::lobpcg) {
    set_up_lobpcg(count);
  } else {
    set_up_mumps();
  }
  petsc(EPSSetDimensions(eps_.get(), count, PETSC_DEFAULT, PETSC_DEFAULT));
  std::vector<OwnedVec> motions;
  std::vector<Vec> handles;
  for (const Eigen::MatrixXd* const kept_out :
       std::initializer_list<const Eigen::MatrixXd*>{&N_, &locked_}) {
    for (Eigen::Index k = 0; k < kept_out->cols(); ++k) {
      handles.push_back(motions.emplace_back(as_vec(system_, kept_out->col(k))).get());
    }
  }
  if (!handles.empty()) {
    petsc(EPSSetDeflationSpace(eps_.get(), static_cast<PetscInt>(handles.size()), handles.data()));
  }
  petsc(EPSSetFromOptions(eps_.get()));
}

void SlepcSolver::fill_start(int count) {
  const Eigen::Index known = std::max<Eigen::Index>(start_.cols() - locked_.cols(), 0);
  if (known >= block_size(count)) return;
  const Eigen::MatrixXd near = start_.rightCols(known);
  start_ = beside(locked_, smooth_start(ranks_, system_, preconditioner(), beside(N_, locked_),
                                        near, block_size(count)));
}

int SlepcSolver::solve(int count, double tolerance, const Progress& progress) {
  const CheckpointPlan none;
  const bool iterates = method_ == SolverMethod::lobpcg;  // a factor is soon made again
  Watch watch{ranks_, progress, iterates ? checkpoints_ : none, count, tolerance, lobpcg_noise()};
  if (iterates) fill_start(count);
  for (;;) {
    std::vector<OwnedVec> vectors;
    std::vector<Vec> handles;
    if (iterates) {
      set_up(count);  // SLEPc refuses to begin again where rigid motions are kept out
      petsc(EPSSetConvergenceTestFunction(eps_.get(), Watch::converged, &watch, nullptr));
      for (Eigen::Index k = locked_.cols(); k < start_.cols(); ++k) {
        handles.push_back(vectors.emplace_back(as_vec(system_, start_.col(k))).get());
      }
      petsc(EPSSetInitialSpace(eps_.get(), static_cast<PetscInt>(handles.size()), handles.data()));
    }
    petsc(EPSSetTolerances(eps_.get(), tolerance, kMostIterations));
    petsc(EPSMonitorCancel(eps_.get()));
    petsc(EPSMonitorSet(eps_.get(), Watch::monitor, &watch, nullptr));
    vectors.clear();  // SLEPc has them
    start_.resize(N_.rows(), 0);
    const PetscErrorCode code = EPSSolve(eps_.get());
    broke_down_ = iterates && code == PETSC_ERR_LIB;  // LAPACK on the small problem, on all ranks
    if (broke_down_) return count;
    petsc(code);
    PetscInt found = 0;
    PetscInt iterations = 0;
    petsc(EPSGetConverged(eps_.get(), &found));
    petsc(EPSGetIterationNumber(eps_.get(), &iterations));
    iterations_ += iterations;
    if (!watch.paused) return found;
    start_ = beside(locked_, basis_columns(found));
    checkpoints_.save(start_);
    watch.paused = false;
    watch.since_save.lap();
  }
}

Eigen::MatrixXd SlepcSolver::basis_columns(int count) const {
  Eigen::MatrixXd columns(N_.rows(), count);
  BV basis = nullptr;
  petsc(EPSGetBV(eps_.get(), &basis));
  for (int k = 0; k < count; ++k) {
    Vec column = nullptr;
    petsc(BVGetColumn(basis, k, &column));
    columns.col(k) = as_rows(column);
    petsc(BVRestoreColumn(basis, k, &column));
  }
  return columns;
}

EigenPairs SlepcSolver::pairs(int count) const {
  EigenPairs result{Vector(count), Eigen::MatrixXd(N_.rows(), count)};
  OwnedVec vector;
  OwnedVec Mx;
  petsc(MatCreateVecs(system_.K.get(), vector.put(), Mx.put()));
  for (int k = 0; k < count; ++k) {
    PetscScalar theta = 0;
    petsc(EPSGetEigenpair(eps_.get(), k, &theta, nullptr, vector.get(), nullptr));
    // Of K itself rather than θ − shift: no digits are lost for low modes.
    petsc(MatMult(system_.M.get(), vector.get(), Mx.get()));
    PetscScalar mass = 0;
    petsc(VecDot(vector.get(), Mx.get(), &mass));
    petsc(MatMult(system_.K.get(), vector.get(), Mx.get()));
    PetscScalar stiffness = 0;
    petsc(VecDot(vector.get(), Mx.get(), &stiffness));
    result.eigenvalues[k] = stiffness / mass;
    result.vectors.col(k) = as_rows(vector.get()) / std::sqrt(mass * system_.scale);
  }
  return result;
}

double SlepcSolver::lobpcg_noise() const { return kLobpcgNoise * system_.highest; }

PC SlepcSolver::preconditioner() const {
  ST st = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  petsc(EPSGetST(eps_.get(), &st));
  petsc(STGetKSP(st, &ksp));
  petsc(KSPGetPC(ksp, &pc));
  return pc;
}

EigenPairs SlepcSolver::next_pairs(int count, const Progress& progress) {
  Stopwatch stopwatch;
  set_up(count);
  report(progress, method_ == SolverMethod::lobpcg ? "multigrid" : "factorise", 0);
  petsc(EPSSetUp(eps_.get()));
  setup_seconds_ += stopwatch.lap();
  double tolerance = method_ == SolverMethod::lobpcg ? kLobpcgTolerance : kKrylovTolerance;
  for (int attempt = 0;; ++attempt) {
    const int found = solve(count, tolerance, progress);
    if (found < count) {
      throw Error("only " + std::to_string(found) + " of " + std::to_string(count) +
                      " modes converged in " + std::to_string(iterations_) + " iterations",
                  name(), "ask for fewer modes, check the mesh's quality or try --solver",
                  Error::Kind::work_failed);
    }
    EigenPairs result = broke_down_ ? EigenPairs{} : pairs(count);
    if (broke_down_ ||
        (method_ == SolverMethod::lobpcg && tolerance * result.eigenvalues[0] < lobpcg_noise())) {
      if (broke_down_) fill_start(count);
      const Eigen::MatrixXd near =
          broke_down_ ? start_.rightCols(block_size(count)) : basis_columns(found);
      result = inverse_iteration(ranks_, system_, preconditioner(), beside(N_, locked_), near,
                                 count, tolerance);
    }
    const double residual = max_residual(system_, result);
    if (residual <= kPromisedResidual) return result;
    if (attempt == 2 || broke_down_) {
      throw Error("the residual stays at " + std::to_string(residual), name(),
                  "check the mesh's quality or try --solver", Error::Kind::work_failed);
    }
    start_ = beside(locked_, basis_columns(found));
    tolerance /= 10;
  }
}

EigenPairs SlepcSolver::lowest(int count, const Progress& progress) {
  method_ = choose(count);
  const int at_once = method_ == SolverMethod::lobpcg ? std::min(count, kModesAtOnce) : count;
  EigenPairs all{Vector(count), {}};
  locked_.resize(N_.rows(), 0);
  while (locked_.cols() < count) {
    const int more = std::min(at_once, count - static_cast<int>(locked_.cols()));
    const EigenPairs next = next_pairs(more, progress);
    all.eigenvalues.segment(locked_.cols(), more) = next.eigenvalues;
    locked_ = beside(locked_, next.vectors);
  }
  start_ = all.vectors = std::exchange(locked_, Eigen::MatrixXd(N_.rows(), 0));
  return count > at_once ? rayleigh_ritz(ranks_, system_, all.vectors) : all;
}

}  // namespace limber
