#include "limber/render/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "limber/core/error.h"
#include "limber/core/output_unit.h"

namespace limber {

namespace {

/// The program in PATH; empty when it is not there.
std::filesystem::path find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path candidate = std::filesystem::path(folder) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

std::vector<std::string> arguments(const std::filesystem::path& output, int width, int height,
                                   double frame_rate) {
  std::vector<std::string> words{"ffmpeg",    "-y",
                                 "-loglevel", "error",
                                 "-f",        "rawvideo",
                                 "-pix_fmt",  "rgb24",
                                 "-s",        fmt::format("{}x{}", width, height),
                                 "-r",        fmt::format("{:.6f}", frame_rate),
                                 "-i",        "-"};
  const auto add = [&words](std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  if (output.extension() == ".gif") {
    add({"-filter_complex", "[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse"});
  } else {
    // Players want even sides and this pixel format.
    add({"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p"});
    if (output.extension() == ".mp4") add({"-crf", "18", "-movflags", "+faststart"});
  }
  words.push_back(output.string());
  return words;
}

}  // namespace

bool is_film(const std::filesystem::path& path) {
  constexpr std::array kEndings{".mp4", ".webm", ".mkv", ".mov", ".gif"};
  return std::find(kEndings.begin(), kEndings.end(), path.extension().string()) != kEndings.end();
}

namespace {

OutputTarget film_target(const std::filesystem::path& path) {
  OutputTarget target = file_target(path);
  if (!target.streamed) return target;
  throw Error("a film cannot go to a device", path.string(), "give the name of a file");
}

std::filesystem::path find_ffmpeg(const std::filesystem::path& target) {
  std::filesystem::path program = find_program("ffmpeg");
  if (!program.empty()) return program;
  throw Error("a film needs ffmpeg, which is not installed", target.string(),
              "install it (apt-get install ffmpeg) or name a .png");
}

}  // namespace

Film::Film(const std::filesystem::path& target, double frame_rate)
    : program_(find_ffmpeg(target)),
      target_(film_target(target)),
      temporary_(target_.real, Temporary::Kind::file),
      frame_rate_(frame_rate) {}

Film::~Film() {
  close_pipe();
  if (child_ > 0) waitpid(child_, nullptr, 0);
}

void Film::start(int width, int height) {
  std::vector<std::string> words = arguments(temporary_.path(), width, height, frame_rate_);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail();
  signal(SIGPIPE, SIG_IGN);  // an ffmpeg that gave up is told by write()
  child_ = fork();
  if (child_ == 0) {
    dup2(ends[0], STDIN_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);  // our error is one line
    execv(program_.c_str(), argv.data());
    _exit(127);
  }
  close(ends[0]);
  pipe_ = ends[1];
  if (child_ < 0) fail();
}

void Film::add(const Image& image) {
  if (child_ < 0) start(image.width, image.height);
  std::size_t done = 0;
  while (done < image.rgb.size()) {
    const ssize_t written = write(pipe_, image.rgb.data() + done, image.rgb.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    done += static_cast<std::size_t>(written);
  }
}

void Film::finish() {
  close_pipe();
  int status = -1;
  if (child_ > 0) waitpid(child_, &status, 0);
  child_ = -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail();
  put_in_place(StagedOutput{target_, std::move(temporary_)});
}

void Film::close_pipe() {
  if (pipe_ >= 0) close(pipe_);
  pipe_ = -1;
}

void Film::fail() const {
  throw Error("ffmpeg could not write the film", target_.named.string(),
              "check the folder and that ffmpeg knows this format", Error::Kind::work_failed);
}

}  // namespace limber
