// Every mesh format, each with the samples of tests/mesh as seeds.
#include "fuzz/target.h"
#include "limber/mesh/formats/mesh_layout.h"
#include "limber/mesh/formats/mtl.h"
#include "mesh/sample_files.h"

namespace limber::fuzz {
namespace {

/// The samples whose names begin so, all for one reader: "gmsh 2 binary" for "gmsh".
std::vector<std::string> samples(const std::string& beginning) {
  std::vector<std::string> found;
  for (const auto& files : {tet_files(), surface_files()}) {
    for (const SampleFile& file : files) {
      if (file.name.starts_with(beginning)) found.push_back(file.bytes);
    }
  }
  return found;
}

template <class Mesh>
Register reader(const std::string& name,
                Mesh (*read)(std::string_view, const std::string&, ReadNotes&)) {
  return Register({name,
                   [name, read](std::string_view bytes) {
                     ReadNotes notes;
                     check(read(bytes, name, notes));
                   },
                   [name] { return samples(name); }});
}

const Register kGmsh = reader("gmsh", read_gmsh);
const Register kMedit = reader("medit", read_medit);
const Register kVtk = reader("vtk", read_vtk);
const Register kVtu = reader("vtu", read_vtu);
const Register kVeg = reader("veg", read_veg);
const Register kObj = reader("obj", read_obj);
const Register kPly = reader("ply", read_ply);
const Register kStl = reader("stl", read_stl);
const Register kOff = reader("off", read_off);
const Register kGlb = reader("glb", read_glb);

/// Binary files slice by slice, as several processes read them.
const Register kLayout({"layout",
                        [](std::string_view bytes) {
                          const std::string name = bytes.starts_with('$') ? "a.msh" : "a.vtu";
                          const MeshLayout layout = mesh_layout(bytes, name);
                          const std::int64_t nodes = layout.node_count();
                          const std::int64_t tets = layout.tet_count();
                          (void)read_nodes(layout, bytes, name, nodes / 3, nodes);
                          (void)read_tets(layout, bytes, name, tets / 3, tets);
                        },
                        [] {  // those that can be read in slices
                          std::vector<std::string> seeds;
                          for (const char* name : {"gmsh 2 binary", "gmsh 4 binary", "vtu raw"}) {
                            seeds.push_back(samples(name).front());
                          }
                          return seeds;
                        }});

/// Two files in one input, with a zero byte between.
const Register kTetgen(
    {"tetgen",
     [](std::string_view bytes) {
       const std::size_t end = std::min(bytes.find('\0'), bytes.size());
       const std::string_view elements =
           end < bytes.size() ? bytes.substr(end + 1) : std::string_view();
       ReadNotes notes;
       check(read_tetgen(bytes.substr(0, end), elements, "tetgen", notes));
     },
     [] { return std::vector<std::string>{std::string(kTwoTetsNode) + '\0' + kTwoTetsEle}; }});

/// Libraries never stop a surface: whatever they hold, colours lie between 0 and 1.
const Register kMtl({"mtl",
                     [](std::string_view bytes) {
                       const std::filesystem::path path = file_holding(bytes, ".mtl");
                       for (const SurfaceLook& look :
                            read_looks({path.filename().string()}, {"red paint", "map", "again"},
                                       path.parent_path())) {
                         for (const float value : look.colour.value_or(std::array<float, 3>{})) {
                           if (!(value >= 0 && value <= 1)) throw std::logic_error("a colour");
                         }
                       }
                     },
                     [] { return std::vector<std::string>{kLibrary}; }});

}  // namespace
}  // namespace limber::fuzz
