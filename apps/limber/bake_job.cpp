#include "bake_job.h"

#include <fmt/core.h>

#include "limber/core/error.h"
#include "limber/core/output_unit.h"
#include "limber/mesh/read_mesh.h"
#include "limber/modes/bake.h"
#include "limber/modes/bake_reduced.h"
#include "limber/modes/embedded_surface.h"
#include "limber/modes/playback/baked_file.h"
#include "limber/modes/residual_analysis.h"
#include "limber/modes/surface_source.h"
#include "modes_report.h"

namespace limber {

namespace {

double megabytes(const ResidualModes& modes) {
  const std::size_t numbers = modes.K_blocks.size() + modes.M_blocks.size() + modes.weights.size();
  const std::size_t integers = modes.contact_nodes.size() + modes.offsets.size() +
                               modes.columns.size() + modes.sources.size();
  return 1e-6 * static_cast<double>(sizeof(double) * numbers + sizeof(std::int32_t) * integers);
}

}  // namespace

void BakeJob::run(const Session& session) const {
  std::vector<std::filesystem::path> inputs{body.mesh_path};
  if (!bake.surface.empty()) inputs.push_back(bake.surface);
  OutputUnit unit({bake.output}, inputs);
  const Progress progress = session.progress();
  const ModalOptions modal = body.modal_options();
  const MeshOfMaterials read = body.read();
  const TetMesh& mesh = read.mesh;
  const Materials& materials = read.materials;
  const std::vector<int> fixed = body.fixed_nodes(mesh);
  if (const auto why = solver.why_not_direct(mesh, modal.count)) {
    if (local > 0 || reduced_fields > 0) {
      throw Error("this needs a factor, which is not to be had: " + *why,
                  local > 0 ? "--local" : "--reduced", "leave it out, or allow more --memory");
    }
    run_with_iterations(*why, body, read, solver, bake.arguments(), session);
    return;
  }
  BakedBody baked;
  baked.body = limber::bake(mesh, materials, fixed, modal, progress);
  if (reduced_fields > 0) {
    ReducedBakeOptions reduced;
    reduced.basis.size = reduced_fields;
    reduced.basis.mass = modal.mass;
    bake_reduced(mesh, materials, baked.body, reduced, progress);
  }
  if (!bake.surface.empty()) {
    report(progress, "bind surface", 1);
    const TriMesh surface = read_surface(bake.surface);
    baked.body.surface = embedded_surface(mesh, surface);
    baked.surface_source = SharedArray<char>(packed_source(surface));
  }
  if (local > 0) {
    ResidualOptions residual;
    residual.most_contact_nodes = local;
    residual.mass = modal.mass;
    baked.residual = residual_modes(mesh, materials, baked.body, residual, progress);
  }
  report(progress, "pack", 1);
  baked.surface = pack_surface(baked.body, bake.precision());
  write_baked(bake.output, baked);
  unit.commit();
  ModesReport about;
  about.nodes = mesh.node_count();
  about.eigenvalues = baked.body.eigenvalues();
  about.rigid_modes = baked.body.rigid_modes;
  about.max_residual = baked.body.max_residual;
  fmt::print("{}\n", baked_line(bake.output.string(), about));
  if (!baked.body.reduced.empty()) {
    fmt::print("reduced: {} fields, {} tets\n", baked.body.reduced.mode_count(),
               baked.body.reduced.tets.size());
  }
  if (local > 0) {
    fmt::print("residual modes of {} contact nodes, {:.3g} MB\n",
               baked.residual.contact_node_count(), megabytes(baked.residual));
  }
}

}  // namespace limber
