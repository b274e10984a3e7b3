#include "bake_job.h"

#include <fmt/core.h>

#include "limber/core/output_unit.h"
#include "limber/mesh/read_mesh.h"
#include "limber/modes/bake.h"
#include "limber/modes/embedded_surface.h"
#include "limber/modes/playback/baked_file.h"
#include "modes_report.h"

namespace limber {

void BakeJob::run(const Session& session) const {
  std::vector<std::filesystem::path> inputs{body.mesh_path};
  if (!bake.surface.empty()) inputs.push_back(bake.surface);
  OutputUnit unit({bake.output}, inputs);
  const Progress progress = session.progress();
  const Materials materials = body.materials();
  const ModalOptions modal = body.modal_options();
  const TetMesh mesh = body.read_mesh();
  check_regions(materials, regions_of(mesh));
  const std::vector<int> fixed = body.fixed_nodes(mesh);
  if (const auto why = solver.why_not_direct(mesh, modal.count)) {
    run_with_iterations(*why, body, mesh, solver, bake.arguments(), session);
    return;
  }
  BakedBody baked;
  baked.body = limber::bake(mesh, materials, fixed, modal, progress);
  if (!bake.surface.empty()) {
    report(progress, "bind surface", 1);
    baked.body.surface = embedded_surface(mesh, read_surface(bake.surface));
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
}

}  // namespace limber
