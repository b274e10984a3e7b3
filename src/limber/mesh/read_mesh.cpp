#include "limber/mesh/read_mesh.h"

#include <array>
#include <string_view>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/mesh/formats/obj.h"
#include "limber/mesh/formats/off.h"
#include "limber/mesh/formats/scanner.h"

namespace limber {

namespace {
template <typename Mesh>
struct Format {
  std::string_view ending;
  Mesh (*read)(std::string_view bytes, const std::string& file_name, ReadNotes& notes);
};

constexpr auto kSurfaceFormats = std::to_array<Format<TriMesh>>({
    {".obj", read_obj},
    {".off", read_off},
});

std::string ending_of(const std::filesystem::path& path) {
  return lower_case(path.extension().string());
}

template <typename Formats>
auto find_format(const Formats& formats, const std::filesystem::path& path) {
  return std::find_if(formats.begin(), formats.end(),
                      [&](const auto& format) { return format.ending == ending_of(path); });
}

template <typename Formats>
auto read_by_ending(const Formats& formats, const std::filesystem::path& path, ReadNotes& notes,
                    const char* kind, const char* endings) {
  const auto format = find_format(formats, path);
  if (format == formats.end()) {
    throw Error(
        "not a " + std::string(kind) + " format Limber reads: " + in_quotes(ending_of(path)),
        path.string(), "use one of " + std::string(endings));
  }
  const MappedFile file(path);
  return format->read(file.text(), path.string(), notes);
}
}  // namespace

TriMesh read_surface(const std::filesystem::path& path, ReadNotes* notes) {
  ReadNotes unwanted;
  return read_by_ending(kSurfaceFormats, path, notes != nullptr ? *notes : unwanted, "surface",
                        ".obj .ply .stl .off .glb");
}

}  // namespace limber
