// CGAL's Mesh_3 on a surface, to compare with: cgal_mesh SURFACE.off TETS
//
// A program of its own, since Mesh_3 is GPL: nothing of Limber links it, and it is built only where
// CGAL is installed and the target is asked for. The cell size is searched for the count of tets
// first; only the last run is timed, in processor seconds, from the triangles in memory to the
// optimised mesh. Prints
// {"tets": …, "seconds": …, "min_dihedral_degrees": …}.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/Polyhedral_mesh_domain_3.h>
#include <CGAL/Polyhedron_3.h>
#include <CGAL/make_mesh_3.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Polyhedron = CGAL::Polyhedron_3<Kernel>;
using Domain = CGAL::Polyhedral_mesh_domain_3<Polyhedron, Kernel>;
using Triangulation = CGAL::Mesh_triangulation_3<Domain, CGAL::Default, CGAL::Sequential_tag>::type;
using Complex = CGAL::Mesh_complex_3_in_triangulation_3<Triangulation>;
using Criteria = CGAL::Mesh_criteria_3<Triangulation>;

struct Made {
  double tets = 0;
  double seconds = 0;
  double degrees = 180;
};

/// Facets and cells of one size, the manual's angles, sliver removal as by default.
Made mesh(const Polyhedron& surface, double size) {
  namespace wanted = CGAL::parameters;
  const std::clock_t began = std::clock();
  CGAL::get_default_random() = CGAL::Random(1);
  const Domain domain(surface);
  const Criteria criteria(wanted::facet_angle = 25, wanted::facet_size = size,
                          wanted::facet_distance = 0.1 * size, wanted::cell_radius_edge_ratio = 2,
                          wanted::cell_size = size);
  const auto complex = CGAL::make_mesh_3<Complex>(domain, criteria);
  Made made;
  made.seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  made.tets = static_cast<double>(complex.number_of_cells_in_complex());
  for (auto cell = complex.cells_in_complex_begin(); cell != complex.cells_in_complex_end();
       ++cell) {
    const auto at = [&](int i) { return cell->vertex(i)->point().point(); };
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        int others[2], count = 0;
        for (int k = 0; k < 4; ++k)
          if (k != i && k != j) others[count++] = k;
        const double angle =
            std::abs(CGAL::approximate_dihedral_angle(at(i), at(j), at(others[0]), at(others[1])));
        made.degrees = std::min(made.degrees, angle);
      }
    }
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: cgal_mesh SURFACE.off TETS\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  Polyhedron surface;
  const double target = std::atof(argv[2]);
  if (!(file >> surface) || surface.empty() || !(target > 0)) {
    std::fprintf(stderr, "cgal_mesh: cannot read %s as a manifold surface\n", argv[1]);
    return 1;
  }
  CGAL::Bbox_3 box;
  for (const auto& point : CGAL::make_range(surface.points_begin(), surface.points_end())) {
    box += point.bbox();
  }
  const double longest =
      std::max({box.xmax() - box.xmin(), box.ymax() - box.ymin(), box.zmax() - box.zmin()});
  double size = longest / 12;
  Made made;
  for (int round = 0; round < 6; ++round) {
    made = mesh(surface, size);
    if (std::abs(made.tets / target - 1) < 0.1) break;
    size *= std::cbrt(std::clamp(made.tets, 0.05 * target, 20 * target) / target);
  }
  std::printf("{\"tets\": %.0f, \"seconds\": %.4f, \"min_dihedral_degrees\": %.3f}\n", made.tets,
              made.seconds, made.degrees);
}
