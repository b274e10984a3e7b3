#include "limber/mesh/formats/obj.h"

#include <charconv>

#include "limber/core/file.h"
#include "limber/core/output_unit.h"
#include "limber/mesh/formats/mtl.h"
#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"
#include "limber/mesh/formats/text_writer.h"
#include "limber/mesh/split_seams.h"

namespace limber {

namespace {
class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& file_name)
      : scanner_(bytes, file_name, {.comment = '#'}),
        folder_(std::filesystem::path(file_name).parent_path()) {}

  RawSurface read() {
    while (!scanner_.at_end()) read_statement(scanner_.word());
    if (!coloured_) raw_.colours.clear();
    if (raw_.uv.empty()) raw_.uv_corners.clear();
    raw_.looks = read_looks(libraries_, raw_.material_names, folder_);
    return std::move(raw_);
  }

 private:
  void read_statement(std::string_view keyword) {
    if (keyword == "v") return read_vertex();
    if (keyword == "vt") return read_uv();
    if (keyword == "f") return read_face();
    if (keyword == "usemtl") return use_material(scanner_.more_on_line() ? scanner_.line() : "");
    if (keyword == "mtllib" && scanner_.more_on_line()) return add_library(scanner_.line());
    if (keyword == "l") ++raw_.skipped["lines"];
    if (keyword == "p") ++raw_.skipped["points"];
    skip_line();
  }

  void skip_line() {
    while (scanner_.more_on_line()) scanner_.word();
  }

  double number_on_line() {
    if (!scanner_.more_on_line()) scanner_.fail("too few numbers on this line");
    return scanner_.number();
  }

  /// v x y z [w] or v x y z r g b
  void read_vertex() {
    for (int c = 0; c < 3; ++c) raw_.coordinates.push_back(number_on_line());
    std::array<double, 4> extra{};
    std::size_t extras = 0;
    while (scanner_.more_on_line() && extras < extra.size()) extra[extras++] = scanner_.number();
    skip_line();
    const bool has_colour = extras >= 3;
    coloured_ = coloured_ || has_colour;
    for (int c = 0; c < 3; ++c) {
      const auto encoded = static_cast<float>(std::clamp(has_colour ? extra[c] : 1.0, 0.0, 1.0));
      raw_.colours.push_back(linear_from_srgb(encoded));
    }
  }

  void read_uv() {
    raw_.uv.push_back(static_cast<float>(number_on_line()));
    raw_.uv.push_back(scanner_.more_on_line() ? static_cast<float>(scanner_.number()) : 0.0F);
    skip_line();
  }

  void add_library(std::string_view text) {
    constexpr std::size_t kMostLibraries = 100;
    if (libraries_.size() < kMostLibraries) libraries_.emplace_back(trimmed(text));
  }

  void use_material(std::string_view text) {
    const std::string name(trimmed(text));
    const auto known = std::find(raw_.material_names.begin(), raw_.material_names.end(), name);
    if (known == raw_.material_names.end()) {
      if (raw_.material_names.empty() && !raw_.corners.empty()) {
        raw_.material_names.emplace_back("default");  // of the faces read so far
      }
      raw_.material_names.push_back(name);
      material_ = static_cast<int>(raw_.material_names.size()) - 1;
    } else {
      material_ = static_cast<int>(known - raw_.material_names.begin());
    }
  }

  void read_face() {
    vertices_.clear();
    pairs_.clear();
    while (scanner_.more_on_line()) read_corner(scanner_.word());
    raw_.add_polygon(vertices_, pairs_, material_);
  }

  /// v, v/vt, v//vn or v/vt/vn
  void read_corner(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::size_t vertices = raw_.coordinates.size() / 3;
    vertices_.push_back(index(text.substr(0, slash), vertices));
    std::string_view pair = slash < text.size() ? text.substr(slash + 1) : std::string_view{};
    pair = pair.substr(0, pair.find('/'));
    pairs_.push_back(pair.empty() ? RawSurface::kNoUv : index(pair, raw_.uv.size() / 2));
  }

  /// From 1 at the file's beginning, or from -1 backwards at the latest one.
  std::int64_t index(std::string_view text, std::size_t known) const {
    std::int64_t number = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc{} || stop != text.data() + text.size() || number == 0) {
      scanner_.fail("a face has the index " + in_quotes(text));
    }
    const std::int64_t index = number > 0 ? number - 1 : static_cast<std::int64_t>(known) + number;
    if (index < 0) scanner_.fail("a face has the index " + in_quotes(text));
    return index;
  }

  Scanner scanner_;
  std::filesystem::path folder_;
  std::vector<std::string> libraries_;
  RawSurface raw_;
  std::vector<std::int64_t> vertices_;
  std::vector<std::int64_t> pairs_;
  int material_ = 0;
  bool coloured_ = false;
};

void write_vertices(TextWriter& out, const TriMesh& surface) {
  for (int i = 0; i < surface.vertex_count(); ++i) {
    out << "v " << surface.V(i, 0) << ' ' << surface.V(i, 1) << ' ' << surface.V(i, 2);
    for (int c = 0; surface.colours.rows() > 0 && c < 3; ++c) {
      out << ' ' << srgb_from_linear(surface.colours(i, c));
    }
    out << '\n';
  }
}
}  // namespace

TriMesh read_obj(std::string_view bytes, const std::string& file_name, ReadNotes& notes) {
  return finish(ObjReader(bytes, file_name).read(), file_name, notes);
}

std::string obj_text(const TriMesh& surface, const std::string& library) {
  TextWriter out;
  if (!library.empty()) out << "mtllib " << library << '\n';
  write_vertices(out, surface);
  const SeamSplit split = split_seams(surface);
  for (Eigen::Index i = 0; i < split.uv.rows(); ++i) {
    out << "vt " << split.uv(i, 0) << ' ' << split.uv(i, 1) << '\n';
  }
  int material = -1;
  for (int f = 0; f < surface.triangle_count(); ++f) {
    if (!surface.face_materials.empty() && surface.face_materials[f] != material) {
      material = surface.face_materials[f];
      out << "usemtl " << mtl_name(surface.material_names[material]) << '\n';
    }
    out << 'f';
    for (int c = 0; c < 3; ++c) {
      out << ' ' << surface.F(f, c) + 1;
      if (split.uv.rows() > 0) out << '/' << split.triangles(f, c) + 1;
    }
    out << '\n';
  }
  return out.take();
}

void write_obj(const std::filesystem::path& path, const TriMesh& surface) {
  const MtlFiles files = mtl_files(surface, path.stem().string());
  OutputUnit all_or_none;
  for (const auto& [name, image] : files.images) {
    write_file(path.parent_path() / name, image->bytes);
  }
  if (!files.name.empty()) write_file(path.parent_path() / files.name, files.text);
  write_file(path, obj_text(surface, files.name));  // last: it never names what is not there
  all_or_none.commit();
}

}  // namespace limber
