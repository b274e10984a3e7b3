// Pictures in a row as a film, through the ffmpeg program.
#pragma once

#include <sys/types.h>

#include <filesystem>

#include "limber/core/output_target.h"
#include "limber/core/temporary.h"
#include "limber/plot/canvas.h"

namespace limber {

class Film {
 public:
  /// Throws Error when ffmpeg is not installed or the file cannot be made.
  Film(const std::filesystem::path& target, double frame_rate);
  /// Without finish() nothing is left behind.
  ~Film();
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  /// All of one size. Throws Error when ffmpeg gave up.
  void add(const Image& image);
  void finish();

 private:
  void start(int width, int height);
  void close_pipe();
  [[noreturn]] void fail() const;

  std::filesystem::path program_;
  OutputTarget target_;
  Temporary temporary_;
  double frame_rate_;
  pid_t child_ = -1;
  int pipe_ = -1;
};

/// Whether the name ends as a film does: .mp4, .webm, .mkv, .mov or .gif.
[[nodiscard]] bool is_film(const std::filesystem::path& path);

}  // namespace limber
