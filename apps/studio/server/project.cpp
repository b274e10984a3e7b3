#include "server/project.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "limber/core/file.h"
#include "server/fields.h"
#include "server/project_takes.h"

namespace limber::studio {

namespace {

constexpr int kVersion = 1;
constexpr int kMostSavedPoses = 64;
static_assert(std::endian::native == std::endian::little, "poses are written as they lie");

std::string pose_name(std::size_t number) { return "poses/" + std::to_string(number) + ".f64"; }

json header_of(const SavedScene& scene, const SavedSession& session) {
  json hands = json::array(), poses = json::array();
  for (const Hand& hand : session.hands) {
    if (hand.pinned) hands.push_back(as_json(hand));
  }
  for (const SavedPose& pose : session.poses) {
    poses.push_back({{"name", pose.name}, {"time", pose.time}});
  }
  return {{"limberproj", kVersion},
          {"title", scene.title},
          {"lanes", session.lanes},
          {"truth", session.truth},
          {"hands", hands},
          {"poses", poses},
          {"looping", session.looping},
          {"modes", session.modes},
          {"frequency", as_json(session.curves.frequency)},
          {"damping", as_json(session.curves.damping)},
          {"weight", as_json(session.curves.weight)},
          {"share", as_json(session.curves.share)},
          {"view", json::parse(session.view, nullptr, false)}};
}

Positions pose_of(std::string_view bytes) {
  constexpr std::size_t kRow = 3 * sizeof(double);
  if (bytes.empty() || bytes.size() % kRow != 0) Fields::refuse("poses", "are damaged");
  Positions positions(static_cast<Eigen::Index>(bytes.size() / kRow), 3);
  std::memcpy(positions.data(), bytes.data(), bytes.size());
  if (!positions.allFinite()) Fields::refuse("poses", "hold what is no number");
  return positions;
}

SavedSession session_of(const Fields& f, const std::vector<ArchiveEntry>& entries) {
  SavedSession session;
  const json& lanes = f.at("lanes");
  if (!lanes.is_array() || lanes.size() > 4) Fields::refuse("lanes", "has the wrong length");
  for (const json& lane : lanes) {
    if (!lane.is_string()) Fields::refuse("lanes", "holds something else than text");
    session.lanes.push_back(lane.get<std::string>());
  }
  session.truth = f.integer("truth", 0, 3);
  const json& hands = f.at("hands");
  if (!hands.is_array() || hands.size() > 1000) Fields::refuse("hands", "has the wrong length");
  for (const json& hand : hands) {
    if (!hand.is_object()) Fields::refuse("hands", "holds something else than hands");
    session.hands.push_back(read_hand(Fields(hand)));
  }
  const json& poses = f.at("poses");
  if (!poses.is_array() || poses.size() > kMostSavedPoses) {
    Fields::refuse("poses", "has the wrong length");
  }
  for (const json& pose : poses) {
    if (!pose.is_object()) Fields::refuse("poses", "holds something else than poses");
    const Fields fields(pose);
    session.poses.push_back({fields.text("name", 100), fields.number("time", 0, kLongest),
                             pose_of(bytes_of(entries, pose_name(session.poses.size())))});
  }
  session.looping = f.boolean("looping");
  session.modes = f.integer("modes", 1, 1000);
  session.curves = read_curves(f);
  if (f.has("takes")) session.takes = read_takes(f.at("takes"), entries);
  session.view = f.at("view").dump();
  if (session.view.size() > kLongestView) Fields::refuse("view", "is too long");
  return session;
}

json parsed_object(const std::string& text, const char* what) {
  json object = json::parse(text, nullptr, false);
  if (!object.is_object()) Fields::refuse(what, "is no JSON object");
  return object;
}

}  // namespace

std::string write_project(const SavedScene& scene, const SavedSession& session) {
  std::vector<ArchiveEntry> entries;
  json header = header_of(scene, session);
  entries.push_back({"project.json", ""});
  entries.push_back({"scene.json", scene.scene});
  for (const auto& [name, path] : scene.files) {
    entries.push_back({name, std::string(FileBytes(path).text())});
  }
  for (std::size_t k = 0; k < session.poses.size(); ++k) {
    const Positions& positions = session.poses[k].positions;
    const auto size = static_cast<std::size_t>(positions.size()) * sizeof(double);
    entries.push_back({pose_name(k), std::string(size, '\0')});
    std::memcpy(entries.back().bytes.data(), positions.data(), size);
  }
  header["takes"] = write_takes(session.takes, entries);
  entries.front().bytes = header.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  std::string file = write_archive(entries);
  if (file.size() > kMostProjectBytes) {
    throw Error(fmt::format("the project would have {} MB, and the studio opens up to {}",
                            file.size() >> 20, kMostProjectBytes >> 20),
                "project", "delete some takes", Error::Kind::work_failed);
  }
  return file;
}

Project read_project(std::string_view bytes, const std::string& name) {
  std::vector<ArchiveEntry> entries = read_archive(bytes, name);
  try {
    const json header = parsed_object(bytes_of(entries, "project.json"), "project.json");
    const Fields fields(header);
    if (fields.integer("limberproj", 0, 1000) != kVersion) {
      Fields::refuse("limberproj", "is of another version");
    }
    Project project;
    project.title = fields.text("title", 200);
    project.scene = parsed_object(bytes_of(entries, "scene.json"), "scene.json").dump();
    project.session = session_of(fields, entries);
    for (ArchiveEntry& one : entries) {
      if (one.name.starts_with("files/")) project.files.push_back(std::move(one));
    }
    return project;
  } catch (const Error& error) {
    throw Error(error.problem(), name, "save it again, or open another copy of it");
  }
}

namespace {

/// What stands behind a keyword at the start of lines.
std::vector<std::string> named_after(std::string_view keyword, const std::filesystem::path& file) {
  std::vector<std::string> names;
  const FileBytes bytes(file);
  std::string_view rest = bytes.text();
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.size() <= keyword.size() + 1 || !line.starts_with(keyword)) continue;
    line.remove_prefix(keyword.size());
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin > 0 && begin != std::string_view::npos) names.emplace_back(line.substr(begin));
  }
  return names;
}

}  // namespace

std::vector<std::filesystem::path> with_companions(const std::filesystem::path& mesh) {
  std::vector<std::filesystem::path> found{mesh.filename()};
  if (mesh.extension() != ".obj") return found;
  const std::filesystem::path folder = mesh.parent_path();
  const auto add = [&](const std::filesystem::path& named) {
    const std::filesystem::path inner = named.lexically_normal();
    if (!is_inner_name(inner.generic_string())) return false;
    if (!std::filesystem::is_regular_file(folder / inner)) return false;
    if (std::find(found.begin(), found.end(), inner) == found.end()) found.push_back(inner);
    return true;
  };
  for (const std::string& library : named_after("mtllib", mesh)) {
    if (!add(library)) continue;
    const std::filesystem::path place = std::filesystem::path(library).parent_path();
    for (const std::string& picture : named_after("map_Kd", folder / library)) add(place / picture);
  }
  return found;
}

}  // namespace limber::studio
