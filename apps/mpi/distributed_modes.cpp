#include "distributed_modes.h"

#include <cmath>
#include <optional>
#include <set>

#include "block_algebra.h"
#include "body_slabs.h"
#include "checkpoint.h"
#include "limber/core/error.h"
#include "limber/core/memory.h"
#include "limber/core/output_unit.h"
#include "limber/core/stopwatch.h"
#include "limber/fem/operators.h"
#include "limber/fem/strain_energy.h"
#include "limber/modes/playback/baked_sections.h"
#include "limber/modes/refusals.h"
#include "limber/modes/strain_ritz.h"
#include "limber/modes/visible_modes.h"
#include "messages.h"
#include "modal_rows.h"
#include "slab_file.h"

namespace limber {

namespace {

constexpr double kGigabyte = 1e9;

/// Bytes free on all machines together.
double memory_of_all(const Ranks& ranks) {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(ranks.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int place = 0;
  MPI_Comm_rank(machine, &place);
  MPI_Comm_free(&machine);
  return ranks.sum(place == 0 ? available_memory() : 0.0);
}

void check_regions_on_ranks(const Ranks& ranks, const DistributedMesh& mesh,
                            const Materials& materials) {
  const std::set<int> mine = regions_of(mesh.local);
  const std::vector<int> all = ranks.gather(std::vector<int>(mine.begin(), mine.end()));
  check_regions(materials, {all.begin(), all.end()});
}

double diagonal(const Ranks& ranks, const DistributedMesh& mesh) {
  Eigen::Matrix<double, 6, 1> reach;  // −low, high
  reach << -mesh.local.V.colwise().minCoeff().transpose(),
      mesh.local.V.colwise().maxCoeff().transpose();
  ranks.largest(reach.data(), 6);
  return (reach.tail<3>() + reach.head<3>()).norm();
}

/// The first rank looks at the output before hours of work; the others have none.
void announce_outputs(const Ranks& ranks, const DistributedJob& job,
                      std::optional<OutputUnit>& unit) {
  std::vector<std::filesystem::path> outputs;
  std::vector<std::filesystem::path> inputs{job.body.mesh_path};
  if (!job.bake.output.empty() && ranks.first()) outputs.push_back(job.bake.output);
  if (!job.bake.surface.empty()) inputs.push_back(job.bake.surface);
  unit.emplace(outputs, inputs);
}

void use_checkpoints(const Ranks& ranks, const DistributedJob& job, const DistributedMesh& mesh,
                     const Supports& supports, SlepcSolver& solver) {
  if (auto start = read_checkpoint(ranks, job.checkpoint, mesh, supports)) {
    if (ranks.first()) tell("goes on from {}", job.checkpoint.string());
    solver.start_from(std::move(*start));
  }
  solver.save_checkpoints({job.checkpoint_seconds, [&](const Eigen::MatrixXd& vectors) {
                             write_checkpoint(ranks, job.checkpoint, mesh, supports, vectors);
                           }});
}

EigenPairs find_pairs(const Ranks& ranks, const DistributedMesh& mesh, const Supports& supports,
                      const DistributedSystem& system, const ModalOptions& options, int available,
                      SlepcSolver& solver, const Progress& progress) {
  if (options.count != ModalOptions::kAutomatic) return solver.lowest(options.count, progress);
  const VisibilityLimits limits(options.visible, diagonal(ranks, mesh),
                                system.scale * supports.free_count);
  const auto largest = [&](const Eigen::Ref<const Vector>& mode) {
    return ranks.largest(largest_motion(mode));
  };
  return visible_pairs(solver, limits, available, largest, progress);
}

/// Each tet is summed by the rank that answers for it.
void refine(const Ranks& ranks, const DistributedMesh& mesh, const Materials& materials,
            const Supports& supports, EigenPairs& pairs) {
  const ElementGeometry geometry = element_geometry(mesh.local);
  refine_by_strains(
      [&](int first, int count) {
        const Eigen::MatrixXd rows =
            local_rows(ranks, mesh, supports, pairs.vectors.middleCols(first, count));
        Eigen::MatrixXd gram = strain_gram(mesh.local, materials, geometry, rows,
                                           [&](int tet) { return mesh.owns_tet(tet); });
        ranks.sum(gram.data(), static_cast<int>(gram.size()));
        return gram;
      },
      pairs);
}

void write_body(const Ranks& ranks, const DistributedJob& job, const DistributedMesh& mesh,
                const Supports& supports, const EigenPairs& pairs, const SparseMatrix& m,
                const ModesReport& report) {
  const ModalRows rows = modal_rows(ranks, mesh, supports, pairs);
  BakedBody slab;
  slab.body = body_slabs(ranks, mesh, supports, pairs.eigenvalues, rows, m);
  SurfaceSlabs surface = surface_slabs(ranks, mesh, rows, job.bake.surface, job.bake.precision());
  slab.body.surface = std::move(surface.surface);
  slab.surface = std::move(surface.packed);
  slab.surface_source = std::move(surface.source);
  slab.body.rigid_modes = report.rigid_modes;
  slab.body.max_residual = report.max_residual;
  slab.body.material = job.body.material;
  const std::vector<double> numbers = ranks.first() ? single_numbers(slab) : std::vector<double>{};
  SectionWriter writer;
  add_sections(writer, slab, numbers);
  write_slabs(ranks, job.bake.output, writer.sections());
}

}  // namespace

ModesReport run_distributed(const Ranks& ranks, const DistributedJob& job,
                            const Progress& progress) {
  Stopwatch stopwatch;
  const Materials materials = job.body.materials();
  const ModalOptions options = job.body.modal_options();
  check(materials);
  if (options.mass == MassKind::one_point) {
    throw Error("the one-point mass matrix is singular, which iterations cannot bear", "--mass",
                "use consistent or lumped, or `limber modes`");
  }
  std::optional<OutputUnit> unit;
  ranks.together([&] { announce_outputs(ranks, job, unit); });
  limber::report(progress, "read", 0);
  const DistributedMesh mesh = read_distributed(ranks, job.body.mesh_path);
  check_regions_on_ranks(ranks, mesh, materials);
  limber::report(progress, "assemble", 0);
  const Parts parts = find_parts(ranks, mesh);
  const Supports supports = hold_nodes(ranks, mesh, job.body.fix);
  const Eigen::MatrixXd N = free_rigid_motions(ranks, mesh, parts, supports);
  const std::int64_t available = 3 * std::int64_t{supports.free_count} - N.cols();
  if (options.count != ModalOptions::kAutomatic) refuse_too_many_modes(options.count, available);
  const SparseMatrix m = scalar_mass(mesh.local, materials, options.mass);
  const DistributedSystem system = assemble(ranks, mesh, materials, m, supports, N.cols() > 0);
  ModesReport report;
  report.nodes = mesh.node_count();
  report.tets = mesh.tet_count();
  report.fixed_nodes = supports.fixed_count;
  report.parts = parts.count;
  report.rigid_modes = static_cast<int>(N.cols());
  report.assemble_seconds = stopwatch.lap();

  const double memory = job.memory_gb > 0 ? job.memory_gb * kGigabyte : memory_of_all(ranks);
  SlepcSolver solver(ranks, system, N, free_positions(mesh, supports), job.method, memory);
  if (!job.checkpoint.empty()) use_checkpoints(ranks, job, mesh, supports, solver);
  EigenPairs pairs = find_pairs(ranks, mesh, supports, system, options, static_cast<int>(available),
                                solver, progress);
  refine(ranks, mesh, materials, supports, pairs);
  report.solver = solver.name();
  report.iterations = solver.iterations();
  report.max_residual = max_residual(system, pairs);
  report.eigenvalues = pairs.eigenvalues;
  refuse_overflow(std::isfinite(report.max_residual) && pairs.eigenvalues.allFinite() &&
                  !ranks.any(!pairs.vectors.allFinite()));
  report.factorize_seconds = solver.factorize_seconds();
  report.eigensolve_seconds = stopwatch.lap() - report.factorize_seconds;
  if (!job.bake.output.empty()) {
    limber::report(progress, "write", 1);
    write_body(ranks, job, mesh, supports, pairs, m, report);
  }
  ranks.together([&] { unit->commit(); });
  if (!job.checkpoint.empty() && ranks.first()) {
    std::error_code ignored;
    std::filesystem::remove(job.checkpoint, ignored);
  }
  return report;
}

}  // namespace limber
