#include "limber/mesh/formats/mtl.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/mesh/formats/raw_mesh.h"
#include "limber/mesh/formats/scanner.h"
#include "limber/mesh/formats/text_writer.h"

namespace limber {

namespace {
namespace fs = std::filesystem;

/// A library describes some hundred bytes a material.
constexpr std::size_t kMostLibraryBytes = std::size_t{4} << 20;

/// Takes the first word off `text`; empty at the end.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

std::optional<double> number(std::string_view word) {
  double value = 0;
  const auto [stop, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc{} || stop != word.data() + word.size()) return {};
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// `Kd r g b`, or `Kd r` for a grey; spectral files and CIE XYZ are skipped.
std::optional<std::array<float, 3>> parse_colour(std::string_view text) {
  std::array<float, 3> colour{};
  for (std::size_t c = 0; c < 3; ++c) {
    const std::optional<double> value = number(take_word(text));
    if (!value && c == 1) return std::array<float, 3>{colour[0], colour[0], colour[0]};
    if (!value) return {};
    colour[c] = linear_from_srgb(static_cast<float>(std::clamp(*value, 0.0, 1.0)));
  }
  return colour;
}

/// `map_Kd [-option values…]… path`; the path may hold blanks.
std::string parse_image(std::string_view text) {
  text = trimmed(text);
  while (text.starts_with('-')) {
    const std::string_view option = take_word(text);
    if (option == "-o" || option == "-s" || option == "-t") {  // one to three numbers
      for (int i = 0; i < 3; ++i) {
        std::string_view rest = text;
        if (!number(take_word(rest))) break;
        text = rest;
      }
      continue;
    }
    take_word(text);
    if (option == "-mm") take_word(text);
  }
  return std::string(text);
}

/// Where a file named by the OBJ or its library lies, if that is in reach: in `folder` or below.
/// Paths of other machines and ones that lead out of it are looked for beside the OBJ by name.
std::optional<fs::path> in_reach(const fs::path& folder, std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  if (name.empty() || name.find('\0') != std::string::npos) return {};
  const bool foreign = name.front() == '/' || (name.size() > 1 && name[1] == ':');
  const fs::path inside = fs::path(name).lexically_normal();
  const bool leads_out = !inside.empty() && *inside.begin() == "..";
  const fs::path found = folder / (foreign || leads_out ? inside.filename() : inside);
  std::error_code problem;
  if (!fs::is_regular_file(found, problem)) return {};
  return found;
}

/// The bytes of a file in reach, or nothing.
std::optional<FileBytes> open_in_reach(const fs::path& folder, const std::string& name,
                                       std::size_t most) {
  const std::optional<fs::path> path = in_reach(folder, name);
  std::error_code problem;
  if (!path || fs::file_size(*path, problem) > most || problem) return {};
  try {
    return FileBytes(*path);
  } catch (const Error&) {  // not ours to read
    return {};
  }
}

void add_library(std::map<std::string, MtlMaterial>& materials, const fs::path& folder,
                 const std::string& name) {
  const std::optional<FileBytes> file = open_in_reach(folder, name, kMostLibraryBytes);
  if (file) materials.merge(parse_mtl(file->text()));
}
}  // namespace

std::map<std::string, MtlMaterial> parse_mtl(std::string_view text) {
  std::map<std::string, MtlMaterial> materials;
  MtlMaterial* current = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    const std::string keyword = lower_case(take_word(line));
    if (keyword == "newmtl") {
      current = &materials[std::string(line)];
    } else if (current != nullptr && keyword == "kd") {
      if (const auto colour = parse_colour(line)) current->colour = colour;
    } else if (current != nullptr && keyword == "map_kd") {
      current->image = parse_image(line);
    }
  }
  return materials;
}

std::vector<SurfaceLook> read_looks(const std::vector<std::string>& libraries,
                                    const std::vector<std::string>& names, const fs::path& folder) {
  std::map<std::string, MtlMaterial> materials;
  for (const std::string& library : libraries) {
    add_library(materials, folder, library);  // one name with blanks, or several
    std::string_view rest = library;
    while (!rest.empty()) add_library(materials, folder, std::string(take_word(rest)));
  }
  if (materials.empty()) return {};
  std::map<std::string, std::shared_ptr<const SurfaceImage>> images;
  std::size_t bytes_left = kMostImageBytes;
  std::vector<SurfaceLook> looks;
  for (const std::string& name : names) {
    const auto found = materials.find(name);
    SurfaceLook& look = looks.emplace_back();
    if (found == materials.end()) continue;
    look.colour = found->second.colour;
    const auto [image, is_new] = images.try_emplace(found->second.image);
    if (is_new) {
      if (const auto file = open_in_reach(folder, image->first, bytes_left)) {
        image->second = surface_image(file->text());
      }
      if (image->second) bytes_left -= image->second->bytes.size();
    }
    look.image = image->second;
    // Deviates: Kd would multiply the picture, but exporters leave it at grey or black there;
    // Blender and obj2gltf ignore it as well.
    if (look.image) look.colour = {1, 1, 1};
  }
  return looks;
}

std::string mtl_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::string_view("\n\r\\#").find(c) < 4; },
      '_');
  name = trimmed(name);
  return name.empty() ? "default" : name;
}

MtlFiles mtl_files(const TriMesh& surface, const std::string& stem) {
  const auto shows = [](const SurfaceLook& look) { return look.colour || look.image; };
  if (std::none_of(surface.looks.begin(), surface.looks.end(), shows)) return {};
  // "./": a name that begins with a hyphen would be an option of map_Kd.
  const std::string beside = mtl_name(stem);
  MtlFiles files{beside + ".mtl", {}, {}};
  std::map<std::string_view, std::string> names;  // by the pictures' bytes
  TextWriter out;
  for (std::size_t m = 0; m < surface.material_names.size(); ++m) {
    const SurfaceLook look = surface.look(static_cast<int>(m));
    out << (m > 0 ? "\n" : "") << "newmtl " << mtl_name(surface.material_names[m]) << '\n';
    if (look.colour) {
      out << "Kd";
      for (const float c : *look.colour) out << ' ' << srgb_from_linear(c);
      out << '\n';
    }
    if (!look.image) continue;
    std::string& name = names[look.image->bytes];
    if (name.empty()) {
      const bool png = look.image->mime_type == std::string_view("image/png");
      name = beside + "-" + std::to_string(names.size()) + (png ? ".png" : ".jpg");
      files.images[name] = look.image;
    }
    out << "map_Kd ./" << name << '\n';
  }
  files.text = out.take();
  return files;
}

}  // namespace limber
