// limber-modes-mpi: `limber modes` and `limber bake` over many processes and machines.
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <string_view>
#include <thread>

#include "batch_options.h"
#include "distributed_modes.h"
#include "limber/core/temporary.h"
#include "limber/core/write_all.h"
#include "outcome.h"
#include "process.h"
#include "rank_batch.h"
#include "session.h"
#include "slab_file.h"

namespace {

using limber::Ranks;

struct Options {
  limber::DistributedJob job;
  limber::Session session;
  limber::BatchOptions batch;
  std::string solver = "auto";
  bool json = false;
};

/// Peak memory of this process, bytes.
double peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

void add_options(CLI::App& app, Options& options) {
  options.job.body.add_to(app)->required(false);
  options.job.bake.add_to(app);
  app.add_option(
         "--solver", options.solver,
         "iterative: LOBPCG with multigrid, in little memory; direct: Krylov–Schur around a "
         "factor by MUMPS, for many modes; auto: whichever is faster and fits")
      ->check(CLI::IsMember({"auto", "direct", "iterative"}))
      ->capture_default_str();
  app.add_option("--memory", options.job.memory_gb,
                 "For auto: GB that all ranks together may use [what is free]")
      ->check(CLI::PositiveNumber);
  app.add_option("--checkpoint", options.job.checkpoint,
                 "File to save approximations in, and to go on from when it is there; removed in "
                 "the end");
  app.add_option("--checkpoint-every", options.job.checkpoint_seconds, "Seconds between them")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--json", options.json, "Print JSON instead of a table");
  options.batch.add_to(app, "Bake the bodies of a list, one a rank at a time: see limber bake");
  app.add_flag("--quiet", options.session.quiet, "No progress bar");
  app.add_flag("--progress", options.session.always,
               "A progress bar even where stderr is no terminal, as under mpirun");
  app.add_flag("--progress-lines", options.session.progress_lines,
               "Progress as lines on stderr, for programs: limber: progress: 0.52 STAGE");
}

void run_one(const Ranks& ranks, Options& options) {
  limber::DistributedJob& job = options.job;
  if (job.body.mesh_path.empty()) {
    throw limber::Error("MESH is required", "command line", "see `limber-modes-mpi --help`");
  }
  job.method = options.solver == "direct"      ? limber::SolverMethod::mumps
               : options.solver == "iterative" ? limber::SolverMethod::lobpcg
                                               : limber::SolverMethod::automatic;
  limber::ModesReport report =
      run_distributed(ranks, job, ranks.first() ? options.session.progress() : limber::Progress{});
  report.ranks = ranks.size();
  report.peak_bytes = ranks.largest(peak_memory());
  if (!ranks.first()) return;
  if (job.bake.output.empty() || options.json) {
    print(report, options.json, job.body.mesh_path.string());
  } else {
    fmt::print("{}\n", baked_line(job.bake.output.string(), report));
  }
}

void run(const Ranks& ranks, Options& options) {
  if (!options.batch.given()) return run_one(ranks, options);
  options.batch.refuse_options_of_one_body();
  run_batch_on_ranks(ranks, options.batch.list, options.batch.report_path());
}

bool speaks = false;  ///< whether this is the rank that talks to people
/// The exit code once the outcome is told: mpirun ends the ranks that leave later than the first.
volatile std::sig_atomic_t told_code = 0;

constexpr std::string_view kStopped =
    "limber: error: stopped (a signal): a rank died or the job was ended; with --checkpoint the "
    "next run goes on from there\n";
constexpr std::string_view kShortened =
    "limber: error: the mesh file was shortened while it was read (a rank): try again when nothing "
    "writes to it\n";

/// mpirun ends the others when one rank dies: nothing unfinished stays behind.
void end_cleanly(int signal) {
  if (!limber::remove_all_temporaries(signal)) return;  // comes again when the renames are done
  limber::remove_unfinished_file();
  if (signal == SIGBUS) {
    (void)limber::write_all(STDERR_FILENO, kShortened);
    ::_exit(1);
  }
  if (told_code != 0) ::_exit(told_code);
  if (speaks) (void)limber::write_all(STDERR_FILENO, kStopped);
  ::_exit(128 + signal);
}

/// Errors that all ranks have are told once. One that only some ranks have leaves the others
/// waiting for them: then it is told by whoever has it, and the program torn down.
int settle(const Ranks& ranks, const limber::Outcome& outcome) {
  const int code = ranks.first() ? tell(outcome) : outcome.code;
  if (code == 0) return code;
  told_code = code;
  MPI_Request request{};
  MPI_Ibarrier(ranks.comm(), &request);
  constexpr int kTries = 3000;  // half a minute: ranks without a core of their own come late
  for (int tries = 0; tries < kTries; ++tries) {
    int met = 0;
    MPI_Test(&request, &met, MPI_STATUS_IGNORE);
    if (met != 0) return code;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (!ranks.first()) tell(outcome);
  limber::remove_unfinished_file();
  MPI_Abort(ranks.comm(), code);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  limber::keep_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file limit is a full disk, not a crash
  if (SlepcInitialize(nullptr, nullptr, nullptr, nullptr) != 0) return 1;
  PetscPopSignalHandler();
  PetscPushErrorHandler(PetscReturnErrorHandler, nullptr);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGBUS}) std::signal(signal, end_cleanly);
  int code = 0;
  {
    const Ranks ranks(PETSC_COMM_WORLD);
    speaks = ranks.first();
    CLI::App app(
        "The modes of large bodies over many processes; with -o a baked body as `limber bake` "
        "writes it. Meshes: binary .msh (2.2, 4.1) and raw .vtu.",
        "limber-modes-mpi");
    app.set_version_flag("--version", "limber " LIMBER_VERSION);
    app.get_formatter()->column_width(34);
    app.footer(
        "Example:\n  mpirun -n 8 limber-modes-mpi big.msh --fix 'x<=0.001' --modes 20 -o "
        "big.limber");
    Options options;
    add_options(app, options);
    app.callback([&] { run(ranks, options); });
    code = settle(ranks, limber::run_to_outcome(app, argc, argv, ranks.first()));
  }
  SlepcFinalize();
  return code;
}
