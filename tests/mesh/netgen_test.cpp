// Netgen as a second mesher: its file and every way it can fail, by stand-ins for the program; the
// program itself where it is installed.
#include "limber/mesh/netgen/netgen.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "limber/core/error.h"
#include "limber/mesh/checks.h"
#include "limber/mesh/netgen/child_process.h"
#include "limber/mesh/netgen/volume_file.h"
#include "limber/modes/modal_analysis.h"
#include "mesh/surfaces.h"

namespace limber {
namespace {

/// Two tets on one face, the first as Netgen turns them, and a point of none.
constexpr const char* kVolume = R"(mesh3d
dimension
3
geomtype
11

# surfnr    bcnr   domin  domout      np      p1      p2      p3
surfaceelementsgi
1
 2 1 1 0 3 1 2 3 6 6 14

#  matnr      np      p1      p2      p3      p4
volumeelements
2
1 4 1 2 3 4
2 4 2 3 4 5

points
6
0 0 0
1 0 0
0 1 0
0 0 1
1 1 1
9 9 9
endmesh
)";

TetMesh read(std::string text) {
  ReadNotes notes;
  return read_netgen_volume(text, "volume.vol", notes);
}

std::string replaced(const std::string& what, const std::string& by) {
  std::string text = kVolume;
  return text.replace(text.find(what), what.size(), by);
}

struct Failure {
  std::string line;
  Error::Kind kind = Error::Kind::bad_input;
};

template <typename Action>
Failure failure_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return {error.what(), error.kind()};
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

/// A script that stands for Netgen, gone with the test.
class StandIn {
 public:
  explicit StandIn(const std::string& commands) {
    std::string name = (std::filesystem::temp_directory_path() / "limber-test-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::ofstream(program()) << "#!/bin/sh\n" << commands << "\n";
    std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
  }
  ~StandIn() { std::filesystem::remove_all(folder_); }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
  [[nodiscard]] std::string program() const { return (folder_ / "netgen").string(); }
  [[nodiscard]] Failure failure(const TriMesh& surface, double seconds = 20) const {
    NetgenOptions options;
    options.program = program();
    options.seconds = seconds;
    return failure_of([&] { netgen_mesh(surface, options); });
  }

 private:
  std::filesystem::path folder_;
};

TEST(NetgenVolume, IsReadWithItsMaterials) {
  const TetMesh mesh = read(kVolume);
  EXPECT_EQ(mesh.node_count(), 6);
  ASSERT_EQ(mesh.tet_count(), 2);
  EXPECT_EQ(mesh.regions, (std::vector<int>{1, 2}));
  EXPECT_NO_THROW(check(mesh));
  EXPECT_NEAR(volume(mesh.V, mesh.T), 1.0 / 6 + 1.0 / 3, 1e-15);
}

TEST(NetgenVolume, RefusesDamagedFiles) {
  for (const std::string& text :
       {std::string(), std::string("$MeshFormat"), replaced("endmesh", ""),
        replaced("\n6\n", "\n7\n"), replaced("\n6\n", "\n999999999999\n"),
        replaced("2 4 2 3 4 5", "2 4 2 3 4 7"), replaced("2 4 2 3 4 5", "2 10 2 3 4 5"),
        replaced("1 4 1 2 3 4", "1 4 1 2 3 3"), replaced("0 1 0", "0 nan 0"),
        replaced("volumeelements", "otherelements")}) {
    EXPECT_NE(failure_of([&] { read(text); }).line.find("volume.vol"), std::string::npos) << text;
  }
}

TEST(Netgen, ThatIsNotInstalledIsNamedWithItsPackage) {
  NetgenOptions options;
  options.program = "limber-no-such-program";
  const Failure failure = failure_of([&] { netgen_mesh(ball_surface(1, 4), options); });
  EXPECT_EQ(failure.kind, Error::Kind::work_failed);
  EXPECT_NE(failure.line.find("install the package netgen"), std::string::npos) << failure.line;
}

TEST(Netgen, NeverSeesSurfacesItCannotMesh) {
  const StandIn never("touch \"$0.ran\"");
  const TriMesh ball = ball_surface(1, 4);
  const TriMesh open = without(ball, [](int f) { return f == 0; });
  const TriMesh crossing = together(ball, moved(ball, {0.5, 0.1, 0.2}));
  for (const auto& [surface, word] : {std::pair(&open, "1 hole,"), std::pair(&crossing, "self-")}) {
    const Failure failure = never.failure(*surface);
    EXPECT_EQ(failure.kind, Error::Kind::bad_input);
    EXPECT_NE(failure.line.find(word), std::string::npos) << failure.line;
    EXPECT_NE(failure.line.find("leave --backend out"), std::string::npos) << failure.line;
  }
  EXPECT_FALSE(std::filesystem::exists(never.program() + ".ran"));
}

TEST(Netgen, ThatGivesUpOrWritesNonsenseIsReported) {
  const TriMesh ball = ball_surface(1, 4);
  for (const char* commands :
       {"exit 1", "kill -SEGV $$", "exit 0", "echo mesh3d > volume.vol",
        "printf 'mesh3d volumeelements 0 points 0 endmesh' > volume.vol",
        // One tet of the unit box: far less than the ball.
        "printf 'mesh3d volumeelements 1 1 4 1 2 3 4 points 4 0 0 0 1 0 0 0 1 0 0 0 1 endmesh' > "
        "volume.vol"}) {
    const Failure failure = StandIn(commands).failure(ball);
    EXPECT_EQ(failure.kind, Error::Kind::work_failed) << commands;
    EXPECT_NE(failure.line.find("leave --backend out"), std::string::npos) << failure.line;
  }
}

TEST(Netgen, ThatLacksALibraryNamesItAndThePackage) {
  for (const char* words : {"result = couldn't load file \\\"libgui.so\\\": libgui.so: cannot open "
                            "shared object file: No",
                            "netgen: error while loading shared libraries: libgui.so: cannot open "
                            "shared object file: No",
                            "libgui.so: cannot open shared object file: No"}) {
    const Failure failure =
        StandIn(std::string("echo \"") + words + "\"; exit 1").failure(ball_surface(1, 4));
    EXPECT_EQ(failure.kind, Error::Kind::work_failed);
    EXPECT_NE(failure.line.find("cannot start without libgui.so"), std::string::npos)
        << failure.line;
    EXPECT_NE(failure.line.find("libnglib-dev"), std::string::npos) << failure.line;
  }
}

TEST(Netgen, IsStoppedAtTheTimeLimit) {
  const auto start = std::chrono::steady_clock::now();
  const Failure failure = StandIn("exec sleep 60").failure(ball_surface(1, 4), 0.2);
  EXPECT_NE(failure.line.find("stopped after 0.2 s"), std::string::npos) << failure.line;
  // Far from 60 s, and generous to a busy machine.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Netgen, FillsABallAndBindsItsSurface) {
  const TriMesh ball = moved(ball_surface(0.3, 6), {1000, 0, 0});
  NetgenOptions options;
  options.cells = 8;
  const Tetrahedralized made = netgen_mesh(ball, options);
  EXPECT_NO_THROW(check(made.mesh));
  EXPECT_TRUE(unused_nodes(made.mesh).empty());
  EXPECT_EQ(made.report.pieces, 1);
  // The surface's facets are kept to about the square of an edge over the radius.
  EXPECT_NEAR(made.report.volume, made.report.surface_volume, 0.03 * made.report.surface_volume);
  const Positions bound = embedded_positions(made.embedding, made.mesh.V);
  // Coordinates near 1000 carry 1e-13; barycentric coordinates lose two or three digits.
  EXPECT_LT((bound - ball.V).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Netgen, AgreesWithAConformingMeshOnFrequencies) {
  const auto frequencies = [](const TetMesh& mesh) {
    ModalOptions options;
    options.count = 10;
    return Vector(modal_analysis(mesh, Material{}, {}, options).eigenvalues.cwiseSqrt());
  };
  const TriMesh surface = box_surface({4, 1, 0.7}, {8, 2, 2});
  TetrahedralizeOptions own;
  own.mode = FillMode::conforming;
  own.cells = 32;
  // Linear tets are too stiff by O(h²), and Netgen's are larger at the same longest edge: at 40
  // there are 12 k of them against 20 k, and both are some per cent above the continuum.
  NetgenOptions netgen;
  netgen.cells = 40;
  const Vector a = frequencies(tetrahedralize(surface, own).mesh);
  const Vector b = frequencies(netgen_mesh(surface, netgen).mesh);
  EXPECT_LT(((a - b).array() / b.array()).abs().maxCoeff(), 0.03);
}

}  // namespace
}  // namespace limber
