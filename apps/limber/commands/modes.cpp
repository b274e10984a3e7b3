// limber modes: eigenvalues and frequencies of a mesh.
#include <CLI/CLI.hpp>
#include <memory>

#include "body_options.h"
#include "commands/commands.h"
#include "large_bodies.h"
#include "modes_report.h"

namespace limber {

namespace {

struct ModesArguments {
  BodyOptions body;
  SolverChoice solver;
  bool json = false;
};

ModesReport report_of(const TetMesh& mesh, const ModalAnalysis& analysis) {
  return {mesh.node_count(),
          mesh.tet_count(),
          static_cast<std::int64_t>(analysis.fixed_nodes.size()),
          analysis.parts,
          analysis.rigid_modes,
          analysis.solver,
          analysis.max_residual,
          analysis.eigenvalues,
          analysis.assemble_seconds,
          analysis.factorize_seconds,
          analysis.eigensolve_seconds};
}

void run_modes(const ModesArguments& options, const Session& session) {
  const ModalOptions modal = options.body.modal_options();
  const MeshOfMaterials read = options.body.read();
  const TetMesh& mesh = read.mesh;
  const std::vector<int> fixed = options.body.fixed_nodes(mesh);
  if (const auto why = options.solver.why_not_direct(mesh, modal.count)) {
    std::vector<std::string> arguments;
    if (options.json) arguments.emplace_back("--json");
    run_with_iterations(*why, options.body, read, options.solver, arguments, session);
    return;
  }
  print(report_of(mesh, modal_analysis(mesh, read.materials, fixed, modal, session.progress())),
        options.json, options.body.mesh_path.string());
}

}  // namespace

void add_modes(CLI::App& app, const Session& session) {
  CLI::App& command =
      add_command(app, "modes", "Eigenvalues and frequencies of a mesh",
                  "limber modes bar.msh --fix 'x<=0.001' --young 2e5 --poisson 0.3 --modes 20");
  auto options = std::make_shared<ModesArguments>();
  options->body.add_to(command);
  options->solver.add_to(command);
  command.add_flag("--json", options->json, "Print JSON instead of a table");
  command.callback([options, &session] { run_modes(*options, session); });
}

}  // namespace limber
