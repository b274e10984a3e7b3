#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/mesh/boundary.h"
#include "limber/mesh/sample_shapes.h"
#include "limber/mesh/write_mesh.h"
#include "server/project.h"
#include "server/scene_library.h"
#include "server/temporary_folder.h"

namespace limber::studio {
namespace {

const Progress no_progress = [](std::string_view, double) {};

const std::vector<ArchiveEntry> kEntries{
    {"a.txt", "hello"}, {"files/0/big", std::string(100000, 'x')}, {"empty", ""}};

TEST(Archive, GivesBackWhatWasPutIn) {
  const std::string bytes = write_archive(kEntries);
  EXPECT_LT(bytes.size(), 2000U);  // a hundred thousand equal letters
  EXPECT_EQ(bytes, write_archive(kEntries));
  const std::vector<ArchiveEntry> read = read_archive(bytes, "a.zip");
  ASSERT_EQ(read.size(), kEntries.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].name, kEntries[i].name);
    EXPECT_EQ(read[i].bytes, kEntries[i].bytes);
  }
}

TEST(Archive, RefusesEveryCutAndEveryChangedByteOfItsContents) {
  const std::string whole = write_archive({kEntries.data(), 1});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW((void)read_archive(whole.substr(0, size), "a.zip"), Error) << size;
  }
  // The local header's time and the versions say nothing; what is stored and its sum do.
  for (std::size_t at = 30 + 5; at < 30 + 5 + 5; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_THROW((void)read_archive(damaged, "a.zip"), Error) << at;
  }
}

TEST(Archive, RefusesNamesThatLeaveAFolder) {
  for (const char* name :
       {"", "/etc/passwd", "../up", "a/../b", "a//b", ".hidden", "a/.b", "c:\\d", "a\nb", "a/"}) {
    EXPECT_FALSE(is_inner_name(name)) << name;
    const std::vector<ArchiveEntry> one{{name, "x"}};
    EXPECT_THROW((void)read_archive(write_archive(one), "a.zip"), Error) << name;
  }
  EXPECT_TRUE(is_inner_name("files/0/my bunny.obj"));
}

Take some_take() {
  auto recording = std::make_shared<Recording>();
  const TriMesh box = boundary_surface(bar({1, 1, 1}, {1, 1, 1})).surface;
  recording->bodies = {{"box", box.F, box.V}};
  for (int frame = 0; frame < 4; ++frame) {
    recording->times.push_back(frame * kFrameTime);
    const Positions moved = box.V.array() + 0.1 * frame;
    recording->surfaces.push_back({{moved.data(), moved.data() + moved.size()}});
    recording->obstacles.push_back({{Vec3(0, 0.1 * frame, 0), {0, 0, 0, 1}}});
    recording->bytes += sizeof(float) * static_cast<std::size_t>(moved.size());
  }
  return {5, "Fall", recording, 1, 2};
}

SavedSession some_session() {
  SavedSession session;
  session.lanes = {"modal-warping", "corotational"};
  session.truth = 1;
  Hand hand;
  hand.id = 7;
  hand.vertex = 3;
  hand.kind = Hand::Kind::both;
  hand.target = {0.1, 0.2, 0.3};
  hand.pinned = true;
  session.hands = {hand};
  Positions pose = Positions::Random(5, 3);
  session.poses = {{"up", 0.5, pose}};
  session.looping = false;
  session.modes = 12;
  session.curves.damping = {{0, 0.5, 1}, {0.1, -0.2, 0.3}};
  session.takes = {some_take()};
  session.view = R"({"eye":[1,2,3]})";
  return session;
}

TEST(Project, GivesBackWhatWasSaved) {
  const SavedSession saved = some_session();
  const std::string bytes = write_project({"My body", "{\"limber\": 1}", {}}, saved);
  const Project project = read_project(bytes, "p.limberproj");
  EXPECT_EQ(project.title, "My body");
  EXPECT_EQ(nlohmann::json::parse(project.scene), (nlohmann::json{{"limber", 1}}));
  EXPECT_EQ(project.session.lanes, saved.lanes);
  EXPECT_EQ(project.session.truth, 1);
  ASSERT_EQ(project.session.hands.size(), 1U);
  EXPECT_EQ(project.session.hands[0].target, saved.hands[0].target);
  EXPECT_EQ(project.session.hands[0].kind, Hand::Kind::both);
  ASSERT_EQ(project.session.poses.size(), 1U);
  EXPECT_EQ(project.session.poses[0].positions, saved.poses[0].positions);  // to the bit
  EXPECT_EQ(project.session.curves.damping.value, saved.curves.damping.value);
  EXPECT_EQ(project.session.view, saved.view);
}

TEST(Project, GivesBackItsTakesToTheBit) {
  const SavedSession saved = some_session();
  const std::string bytes = write_project({"t", "{}", {}}, saved);
  EXPECT_EQ(bytes, write_project({"t", "{}", {}}, saved)) << "packed once, the same each time";
  const Project project = read_project(bytes, "p.limberproj");
  ASSERT_EQ(project.session.takes.size(), 1U);
  const Take& take = project.session.takes[0];
  const Recording &now = *take.recording, &then = *saved.takes[0].recording;
  EXPECT_EQ(take.name, "Fall");
  EXPECT_EQ(take.from, 1U);
  EXPECT_EQ(take.to, 2U);
  EXPECT_EQ(now.times, then.times);
  EXPECT_EQ(now.surfaces, then.surfaces);
  EXPECT_EQ(now.bytes, then.bytes);
  EXPECT_EQ(now.bodies[0].name, "box");
  EXPECT_EQ(now.bodies[0].triangles, then.bodies[0].triangles);
  EXPECT_EQ(now.bodies[0].rest_positions, then.bodies[0].rest_positions);
  EXPECT_EQ(now.obstacles[3][0].position, then.obstacles[3][0].position);
}

TEST(Project, RefusesTakesThatDoNotFitTogether) {
  const std::vector<ArchiveEntry> good =
      read_archive(write_project({"t", "{}", {}}, some_session()), "p.limberproj");
  const auto opened_with = [&](const std::function<void(nlohmann::json&)>& damage) {
    std::vector<ArchiveEntry> entries = good;
    nlohmann::json header = nlohmann::json::parse(entries[0].bytes);
    damage(header["takes"][0]);
    entries[0].bytes = header.dump();
    return read_project(write_archive(entries), "p.limberproj");
  };
  EXPECT_NO_THROW((void)opened_with([](nlohmann::json&) {}));
  EXPECT_THROW((void)opened_with([](nlohmann::json& t) { t["frames"] = 5; }), Error);
  EXPECT_THROW((void)opened_with([](nlohmann::json& t) { t["frames"] = 4000000; }), Error);
  EXPECT_THROW((void)opened_with([](nlohmann::json& t) { t["to"] = 4; }), Error);
  EXPECT_THROW((void)opened_with([](nlohmann::json& t) { t["from"] = 3; }), Error)
      << "behind its end";
  EXPECT_THROW((void)opened_with([](nlohmann::json& t) { t["obstacles"] = 2; }), Error);
  EXPECT_THROW((void)opened_with([](nlohmann::json& t) { t["bodies"][0]["vertices"] = 7; }), Error);
  EXPECT_THROW((void)opened_with([](nlohmann::json& t) { t["bodies"] = 1; }), Error);
  EXPECT_THROW((void)opened_with([](nlohmann::json& t) { t.erase("name"); }), Error);
  std::vector<ArchiveEntry> lacking = good;
  std::erase_if(lacking, [](const ArchiveEntry& one) { return one.name == "takes/0.f32"; });
  EXPECT_THROW((void)read_project(write_archive(lacking), "p.limberproj"), Error);
}

TEST(Project, SaysInOneLineWhatIsWrong) {
  const std::vector<ArchiveEntry> no_scene{{"project.json", R"({"limberproj": 1, "title": "t"})"}};
  const std::vector<ArchiveEntry> newer{{"project.json", R"({"limberproj": 2})"}};
  const std::vector<ArchiveEntry> text{{"project.json", "hello"}};
  const std::vector<ArchiveEntry> other{{"readme.txt", "hello"}};
  for (const auto& entries : {no_scene, newer, text, other}) {
    try {
      (void)read_project(write_archive(entries), "p.limberproj");
      ADD_FAILURE() << entries[0].bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.where(), "p.limberproj");
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

const char* const kTetrahedron =
    "mtllib looks/paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl red\n"
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TEST(Project, TakesTheMaterialsAndPicturesOfAMeshAlong) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "looks");
  write_file(folder.path() / "body.obj", kTetrahedron);
  write_file(folder.path() / "looks" / "paint.mtl",
             "newmtl red\nKd 1 0 0\nmap_Kd skin.png\nmap_Kd ../../secret.png\nmap_Kd gone.png\n");
  write_file(folder.path() / "looks" / "skin.png", "picture");
  const std::vector<std::filesystem::path> all = with_companions(folder.path() / "body.obj");
  EXPECT_EQ(all,
            (std::vector<std::filesystem::path>{"body.obj", "looks/paint.mtl", "looks/skin.png"}));
}

TEST(Project, OpensAnImportedMeshAgainAfterItsFileIsGone) {
  SceneLibrary library;
  std::string bytes;
  std::string rest;
  {
    const auto folder = std::make_shared<TemporaryFolder>();
    write_tet_mesh(folder->path() / "box.msh", bar({1, 1, 1}, {2, 2, 2}));
    const std::unique_ptr<Simulation> opened =
        library.open_upload(folder->path() / "box.msh", no_progress);
    opened->keep(folder);
    opened->set_gravity({0, -1, 0});
    opened->set_damping(0, 0.5, 0.25);
    bytes = write_project(opened->saved_scene(), some_session());
    rest = opened->model();
  }
  const TemporaryFolder other;
  write_file(other.path() / "box.limberproj", bytes);
  const std::unique_ptr<Simulation> again =
      library.open_upload(other.path() / "box.limberproj", no_progress);
  EXPECT_EQ(again->model(), rest);  // the same modes, to the bit
  EXPECT_EQ(again->title(), "box.msh");
  EXPECT_EQ(again->gravity(), Vec3(0, -1, 0));
  EXPECT_EQ(again->bodies()[0].damping_stiffness, 0.25);
  EXPECT_EQ(again->lanes(), (std::vector<std::string>{"modal-warping", "corotational"}));
  const std::optional<SavedSession> session = again->take_saved_session();
  ASSERT_TRUE(session);
  EXPECT_EQ(session->modes, 12);
  EXPECT_FALSE(again->take_saved_session()) << "once";
}

TEST(Project, LetsNoSceneReachOutOfIt) {
  SceneLibrary library;
  const TemporaryFolder folder;
  const SavedScene bad{
      "t", R"({"limber": 1, "bodies": [{"name": "b", "mesh": "/etc/hostname"}]})", {}};
  write_file(folder.path() / "bad.limberproj", write_project(bad, {}));
  EXPECT_THROW((void)library.open_upload(folder.path() / "bad.limberproj", no_progress), Error);
}

}  // namespace
}  // namespace limber::studio
