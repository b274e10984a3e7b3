// limber modes: eigenvalues and frequencies of a mesh.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "body_options.h"
#include "commands/commands.h"
#include "limber/scene/json_writer.h"

namespace limber {

namespace {

struct ModesArguments {
  BodyOptions body;
  bool json = false;
};

nlohmann::ordered_json as_json(const TetMesh& mesh, const ModalAnalysis& analysis) {
  nlohmann::ordered_json modes = nlohmann::ordered_json::array();
  for (const double eigenvalue : analysis.eigenvalues) {
    modes.push_back({{"eigenvalue", eigenvalue}, {"frequency_hz", frequency_hz(eigenvalue)}});
  }
  return {{"nodes", mesh.node_count()},
          {"tets", mesh.tet_count()},
          {"fixed_nodes", analysis.fixed_nodes.size()},
          {"parts", analysis.parts},
          {"rigid_modes", analysis.rigid_modes},
          {"solver", analysis.solver},
          {"max_residual", analysis.max_residual},
          {"modes", modes},
          {"seconds",
           {{"assemble", analysis.assemble_seconds},
            {"factorize", analysis.factorize_seconds},
            {"eigensolve", analysis.eigensolve_seconds}}}};
}

void print_table(const TetMesh& mesh, const ModalAnalysis& analysis) {
  fmt::print("{} nodes, {} tets, {} fixed nodes, {} rigid modes\n", mesh.node_count(),
             mesh.tet_count(), analysis.fixed_nodes.size(), analysis.rigid_modes);
  fmt::print("solver {}, largest residual {:.1e}\n\n", analysis.solver, analysis.max_residual);
  fmt::print("{:>5}  {:>16}  {:>14}\n", "mode", "eigenvalue", "frequency Hz");
  for (Eigen::Index k = 0; k < analysis.eigenvalues.size(); ++k) {
    fmt::print("{:>5}  {:>16.8g}  {:>14.6g}\n", k + 1, analysis.eigenvalues[k],
               frequency_hz(analysis.eigenvalues[k]));
  }
}

}  // namespace

void add_modes(CLI::App& app, const Session& session) {
  CLI::App& command =
      add_command(app, "modes", "Eigenvalues and frequencies of a mesh",
                  "limber modes bar.msh --fix 'x<=0.001' --young 2e5 --poisson 0.3 --modes 20");
  auto options = std::make_shared<ModesArguments>();
  options->body.add_to(command);
  command.add_flag("--json", options->json, "Print JSON instead of a table");
  command.callback([options, &session] {
    const TetMesh mesh = options->body.read_mesh();
    const ModalAnalysis analysis =
        modal_analysis(mesh, options->body.materials(), options->body.fixed_nodes(mesh),
                       options->body.modal_options(), session.progress());
    if (options->json) {
      fmt::print("{}\n", json_text(as_json(mesh, analysis), options->body.mesh_path.string()));
    } else {
      print_table(mesh, analysis);
    }
  });
}

}  // namespace limber
