// Bodies too large for a factor on this machine go to `limber-modes-mpi`, which stands beside this
// program where Limber was built with PETSc and SLEPc. MPI itself stays out of this process.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "body_options.h"
#include "session.h"

namespace limber {

/// How the modes of a body are found, as `modes` and `bake` let one choose.
struct SolverChoice {
  std::string solver = "auto";
  double memory_gb = 0;  ///< 0: what is free

  void add_to(CLI::App& command);
  /// Why there can be no factor: it would not fit, with figures, or is not wanted. None when there
  /// can. `count` modes are asked for, or ModalOptions::kAutomatic.
  [[nodiscard]] std::optional<std::string> why_not_direct(const TetMesh& mesh, int count) const;
};

/// Lets `limber-modes-mpi` do the work on all cores of this machine, with `arguments` beside those
/// of `body`, and says `why`. A mesh that it cannot read in slices, or whose file gives materials,
/// is handed over as a temporary binary file. Throws Error with what to do when the program is not
/// there, and what makes this program end with its exit code when that is not 0.
void run_with_iterations(const std::string& why, const BodyOptions& body,
                         const MeshOfMaterials& read, const SolverChoice& choice,
                         const std::vector<std::string>& arguments, const Session& session);

}  // namespace limber
