// Animated .usda: Pixar's Universal Scene Description as text, one UsdGeomMesh a body.
//
// Points, extents and normals have the rest shape as default and a time sample a frame, at time
// codes that are frames (seconds times timeCodesPerSecond). Vertices keep their number and order;
// along creases normals have several values a vertex, so they are an indexed face-varying primvar
// there.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "limber/core/file.h"
#include "limber/export/names.h"
#include "limber/export/surface_writer.h"
#include "limber/export/usda_look.h"
#include "limber/export/usda_text.h"
#include "limber/export/writers.h"
#include "limber/mesh/formats/glb_container.h"
#include "limber/mesh/shading.h"

namespace limber {

namespace {

constexpr double kUnseenTilt = 5e-4;  // of a normal, rad: a thirtieth of a degree

class UsdaWriter final : public SurfaceWriter {
 public:
  UsdaWriter(const std::filesystem::path& path, BodyList bodies, double fps)
      : SurfaceWriter(path, std::move(bodies), fps) {}

 private:
  /// Appends the value that an attribute has where the surface's points are these.
  using Value = std::function<void(std::span<const float> points, TextWriter& text)>;

  std::vector<std::filesystem::path> write(const Progress& progress) override;
  void write_stage(TextWriter& text, const std::string& root) const;
  void write_body(AtomicFile& file, std::size_t body, const std::string& prim,
                  const UsdaMaterials& materials, const std::string& scope,
                  const std::function<void()>& tick);
  void write_moving(AtomicFile& file, std::size_t body, std::string_view attribute,
                    std::string_view metadata, const Value& value);
  void write_normals(AtomicFile& file, std::size_t body, const Shading& shading);

  /// m: a point is off by at most √3 times that.
  [[nodiscard]] double allowed_coordinate_error(std::size_t body) const {
    const Positions& rest = bodies()[body].surface.V;
    const Vec3 box = rest.colwise().maxCoeff() - rest.colwise().minCoeff();
    return allowed_error() * box.norm() / std::sqrt(3.0);
  }

  /// Frames at whole time codes even where time times rate is off by rounding.
  [[nodiscard]] double time_code(double time) const {
    const double code = time * frames_per_second();
    const double whole = std::round(code);
    return std::abs(code - whole) < 1e-6 ? whole : code;
  }
};

std::vector<std::filesystem::path> UsdaWriter::write(const Progress& progress) {
  std::vector<std::string> names = {"Looks"};  // the materials' scope, beside the bodies
  for (const AnimatedBody& body : bodies()) names.push_back(body.name);
  const std::vector<std::string> prims = identifiers(names);
  const std::string root = identifiers({path().stem().string()}).front();
  const double ticks = static_cast<double>(bodies().size() * times().size());
  double done = 0;
  const auto tick = [&] {
    report(progress, "writing " + path().filename().string(), std::min(++done / ticks, 1.0));
  };

  AtomicFile file(path());
  TextWriter text;
  write_stage(text, root);
  file.write(text.take());
  TextWriter looks;
  for (std::size_t body = 0; body < bodies().size(); ++body) {
    const std::string& prim = prims[body + 1];
    const std::string scope = "/" + root + "/Looks/" + prim;
    const UsdaMaterials materials = usda_materials(bodies()[body].surface);
    write_body(file, body, prim, materials, scope, tick);
    if (materials.prims.empty()) continue;
    looks << "        def Scope \"" << prim << "\"\n        {\n";
    write_usda_materials(looks, materials, scope, static_cast<int>(body));
    looks << "        }\n";
  }
  if (const std::string all = looks.take(); !all.empty()) {
    file.write("    def Scope \"Looks\"\n    {\n" + all + "    }\n");
  }
  file.write("}\n");
  file.commit();
  return {path()};
}

void UsdaWriter::write_stage(TextWriter& text, const std::string& root) const {
  text << "#usda 1.0\n(\n    defaultPrim = \"" << root << "\"\n    doc = \"Limber\"\n"
       << "    endTimeCode = " << time_code(times().back())
       << "\n    framesPerSecond = " << frames_per_second()
       << "\n    metersPerUnit = 1\n    startTimeCode = " << time_code(times().front())
       << "\n    timeCodesPerSecond = " << frames_per_second()
       << "\n    upAxis = \"Y\"\n)\n\ndef Xform \"" << root
       << "\" (\n    kind = \"component\"\n)\n{\n";
}

void UsdaWriter::write_body(AtomicFile& file, std::size_t body, const std::string& prim,
                            const UsdaMaterials& materials, const std::string& scope,
                            const std::function<void()>& tick) {
  const TriMesh& mesh = bodies()[body].surface;
  const Shading shading(mesh);
  TextWriter text;
  text << "    def Mesh \"" << prim << "\"\n    {\n";
  write_usda_topology(text, mesh, shading.is_open());
  write_usda_primvars(text, mesh, static_cast<int>(body));
  file.write(text.take());

  write_moving(file, body, "float3[] extent", "", [](std::span<const float> points, auto& out) {
    const glb::Bounds box = glb::bounds_of(points, glb::Type::vec3);
    std::vector<float> corners = box.min;
    corners.insert(corners.end(), box.max.begin(), box.max.end());
    write_tuples(out, corners, 3);
  });
  const double off = allowed_coordinate_error(body);
  write_moving(file, body, "point3f[] points", "", [&](std::span<const float> points, auto& out) {
    tick();
    write_tuples(out, rounded(points, off), 3);
  });
  write_normals(file, body, shading);

  write_usda_bindings(text, materials, scope);
  text << "    }\n\n";
  file.write(text.take());
}

void UsdaWriter::write_normals(AtomicFile& file, std::size_t body, const Shading& shading) {
  const auto vertices = static_cast<std::size_t>(bodies()[body].surface.vertex_count());
  const bool creased = shading.normal_count() > vertices;
  std::vector<float> normals(3 * shading.normal_count());
  write_moving(file, body, "normal3f[] primvars:normals",
               creased ? "interpolation = \"faceVarying\"" : "interpolation = \"vertex\"",
               [&](std::span<const float> points, TextWriter& out) {
                 shading.normals(points, normals);
                 write_tuples(out, rounded(normals, allowed_error() > 0 ? kUnseenTilt : 0), 3);
               });
  if (!creased) return;
  const std::vector<std::int32_t> indices(shading.corner_normals().begin(),
                                          shading.corner_normals().end());
  TextWriter text;
  text << "        int[] primvars:normals:indices = ";
  write_integers(text, indices);
  text << "\n";
  file.write(text.take());
}

void UsdaWriter::write_moving(AtomicFile& file, std::size_t body, std::string_view attribute,
                              std::string_view metadata, const Value& value) {
  const Positions& rest = bodies()[body].surface.V;
  TextWriter text;
  text << "        " << attribute << " = ";
  value(std::vector<float>(rest.data(), rest.data() + rest.size()), text);
  if (!metadata.empty()) text << " (\n            " << metadata << "\n        )";
  text << "\n        " << attribute << ".timeSamples = {\n";
  for (std::size_t frame = 0; frame < times().size(); ++frame) {
    text << "            " << time_code(times()[frame]) << ": ";
    value(surface(frame, body), text);
    text << ",\n";
    file.write(text.take());
  }
  file.write("        }\n");
}

}  // namespace

WriterPointer open_usda(const std::filesystem::path& path, BodyList bodies, double fps) {
  return std::make_unique<UsdaWriter>(path, std::move(bodies), fps);
}

}  // namespace limber
