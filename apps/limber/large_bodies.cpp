#include "large_bodies.h"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

#include "limber/core/error.h"
#include "limber/core/memory.h"
#include "limber/core/output_unit.h"
#include "limber/core/temporary.h"
#include "limber/mesh/formats/mesh_layout.h"
#include "limber/mesh/netgen/child_process.h"
#include "limber/mesh/write_mesh.h"
#include "limber/modes/direct_memory.h"
#include "limber/modes/visible_modes.h"
#include "messages.h"
#include "sibling_program.h"

namespace limber {

namespace {

constexpr const char* kProgram = "limber-modes-mpi";
constexpr double kGigabyte = 1e9;
/// Below this many nodes a rank talking costs more than it saves.
constexpr int kNodesPerRank = 2000;

bool can_be_read_in_slices(const std::filesystem::path& path) {
  std::string beginning(kLayoutBeginning, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(file.gcount()));
  return has_mesh_layout(beginning, path);
}

int rank_count(const TetMesh& mesh) {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return std::clamp(mesh.node_count() / kNodesPerRank, 1, cores);
}

/// Open MPI refuses to run as root, as containers do, unless told twice; its processes must not be
/// tied to one core when others run too (--bind-to none below).
void prepare_environment() {
  ::setenv("HWLOC_HIDE_ERRORS", "2", 0);  // every rank would tell of a container without /sys
  if (::geteuid() == 0) {
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }
}

}  // namespace

void SolverChoice::add_to(CLI::App& command) {
  command
      .add_option("--solver", solver,
                  "direct: around a factor; iterative: by limber-modes-mpi, in a fraction of the "
                  "memory; auto: direct where it fits")
      ->check(CLI::IsMember({"auto", "direct", "iterative"}))
      ->capture_default_str();
  command.add_option("--memory", memory_gb, "For auto: GB that may be used [what is free]")
      ->check(CLI::PositiveNumber);
}

std::optional<std::string> SolverChoice::why_not_direct(const TetMesh& mesh, int count) const {
  if (solver == "direct") return {};
  if (solver == "iterative") return "iterations are asked for";
  const double memory = memory_gb > 0 ? memory_gb * kGigabyte : available_memory();
  const int modes = count == ModalOptions::kAutomatic ? kFirstVisibleGuess : count;
  if (direct_bytes(mesh, most_factor_numbers(mesh.node_count()), modes) < memory) return {};
  const double needed = direct_bytes(mesh, factor_numbers(mesh), modes);
  if (needed < memory) return {};
  return fmt::format("around a factor this would take about {:.2g} GB, and {:.2g} GB are free",
                     needed / kGigabyte, memory / kGigabyte);
}

void run_with_iterations(const std::string& why, const BodyOptions& body,
                         const MeshOfMaterials& read, const SolverChoice& choice,
                         const std::vector<std::string>& arguments, const Session& session) {
  const TetMesh& mesh = read.mesh;
  const std::filesystem::path program = sibling_program(kProgram);
  if (program.empty()) {
    throw Error(why, fmt::format("{} tets", mesh.tet_count()),
                fmt::format("{} would do it, build Limber with PETSc and SLEPc (docs/scale.md); or "
                            "use a coarser mesh, or force the factor with --solver direct",
                            kProgram),
                Error::Kind::work_failed);
  }
  if (!session.quiet) tell("{}: running {}", why, kProgram);
  std::optional<Temporary> folder;
  std::filesystem::path path = body.mesh_path;
  if (read.file_gives_materials || !can_be_read_in_slices(path)) {
    folder.emplace(std::filesystem::temp_directory_path() / "limber-modes",
                   Temporary::Kind::folder);
    path = folder->path() / "mesh.msh";
    const OutsideUnits at_once;
    write_tet_mesh(path, mesh, {GmshOptions::Version::v2_2, true});
  }
  std::vector<std::string> command;
  const std::filesystem::path mpirun = find_program("mpirun");
  const int ranks = rank_count(mesh);
  if (!mpirun.empty() && ranks > 1) {
    command = {mpirun.string(), "--quiet", "--oversubscribe",    "--bind-to",
               "none",          "-n",      std::to_string(ranks)};
  }
  command.push_back(program.string());
  const std::vector<std::string> about = body.arguments(path, read.materials);
  command.insert(command.end(), about.begin(), about.end());
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--solver", "iterative"});
  if (choice.memory_gb > 0) {
    command.insert(command.end(), {"--memory", fmt::format("{}", choice.memory_gb)});
  }
  if (session.progress()) {
    command.emplace_back(session.progress_lines ? "--progress-lines" : "--progress");
  }
  prepare_environment();
  const int code = run_in_place(command);
  if (code != 0) throw CLI::RuntimeError(code);  // the program has said why
}

}  // namespace limber
