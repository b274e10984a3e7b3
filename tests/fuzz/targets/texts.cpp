// What people and programs write: scenes, selections, the studio's messages and requests.
#include <algorithm>
#include <filesystem>

#include "fuzz/target.h"
#include "limber/core/file.h"
#include "limber/mesh/select.h"
#include "limber/scene/scene_file.h"
#include "server/access.h"
#include "server/project.h"
#include "server/protocol.h"

namespace limber::fuzz {
namespace {

/// The scenes of the repository.
std::vector<std::string> scene_texts() {
  std::vector<std::string> texts;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(LIMBER_SOURCE_DIR) / "scenes")) {
    if (entry.path().extension() != ".json") continue;
    texts.emplace_back(FileBytes(entry.path()).text());
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

const Register kScene({"scene",
                       [](std::string_view bytes) {
                         const SceneDescription scene =
                             parse_scene(std::string(bytes), "folder", "scene.json");
                         if (scene.bodies.empty() || !(scene.time_step > 0)) {
                           throw std::logic_error("a scene without body or time");
                         }
                       },
                       scene_texts});

const Register kSelect(
    {"select", [](std::string_view bytes) { (void)select_points(bytes)(Vec3(0.5, 0.25, 0.125)); },
     [] {
       return std::vector<std::string>{"x<=0.001", "box:0,0,0,1,1,1 && y>0.5",
                                       "sphere:0,0.1,0,0.02", "x>=-1e-3&&z<2"};
     }});

const Register kMessages(
    {"messages",
     [](std::string_view bytes) { (void)studio::is_input(studio::parse_command(bytes)); },
     [] {
       return std::vector<std::string>{
           R"({"do": "open", "sample": "bar"})",
           R"({"do": "scrub", "time": 0.5})",
           R"({"do": "pose_add", "time": 1, "name": "up"})",
           R"({"do": "interpolation", "active": true, "looping": false, "modes": 20})",
           R"({"do": "pose_time", "id": 3, "time": 2.5})",
           R"({"do": "curve", "mode": 3})"};
     }});

const Register kProject({"project",
                         [](std::string_view bytes) {
                           const studio::Project project =
                               studio::read_project(bytes, "p.limberproj");
                           for (const studio::ArchiveEntry& file : project.files) {
                             if (!studio::is_inner_name(file.name))
                               throw std::logic_error("a name that leaves");
                           }
                         },
                         [] {
                           studio::SavedSession session;
                           session.lanes = {"modal-warping"};
                           session.poses = {{"up", 0.5, Positions::Ones(4, 3)}};
                           const studio::SavedScene scene{"t", R"({"limber": 1})", {}};
                           return std::vector<std::string>{studio::write_project(scene, session)};
                         }});

const Register kRequests(
    {"requests",
     [](std::string_view bytes) {
       const studio::Target target = studio::parse_target(bytes);
       const std::string name = studio::safe_file_name(target.parameter("name"));
       const auto control = [](unsigned char c) { return c < 32 || c == 127; };
       if (name.find('/') != std::string::npos || name == ".." ||
           std::any_of(name.begin(), name.end(), control)) {
         throw std::logic_error("a name that leaves its folder or drives a terminal");
       }
       (void)studio::host_allowed(bytes, true);
       (void)studio::host_allowed(bytes, false);
       (void)studio::origin_allowed(bytes, "127.0.0.1:8080");
     },
     [] {
       return std::vector<std::string>{"/upload?name=bunny%20one.obj&x=1", "127.0.0.1:8080",
                                       "[::1]:80", "http://localhost:8080", "/model?generation=3"};
     }});

}  // namespace
}  // namespace limber::fuzz
