#include "session.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "limber/core/printable.h"
#include "limber/core/write_all.h"
#include "messages.h"

namespace limber {

namespace {

using Clock = std::chrono::steady_clock;

/// Draws "modes [#####     ] 52 %" over itself, and wipes it when destroyed.
class ProgressBar {
 public:
  ~ProgressBar() {
    if (drawn_) draw("\r\033[K");
  }

  void show(std::string_view stage, double fraction) {
    const auto now = Clock::now();
    if (now - start_ < kPatience || now - last_ < kRedraw) return;
    last_ = now;
    drawn_ = true;
    const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kWidth);
    draw(fmt::format("\r\033[K{:<12} [{}{}] {:3.0f} %", printable(stage), std::string(filled, '#'),
                     std::string(kWidth - filled, ' '), 100 * std::clamp(fraction, 0.0, 1.0)));
  }

 private:
  /// A terminal that has gone away is no reason to end the work.
  static void draw(const std::string& text) { (void)write_all(STDERR_FILENO, text); }

  static constexpr int kWidth = 40;
  static constexpr auto kPatience = std::chrono::seconds(1);
  static constexpr auto kRedraw = std::chrono::milliseconds(50);

  Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};
  bool drawn_ = false;
};

/// A line for every hundredth and at each stage's end.
class ProgressLines {
 public:
  void show(std::string_view stage, double fraction) {
    const int hundredth = static_cast<int>(100 * std::clamp(fraction, 0.0, 1.0));
    if (stage == stage_ && hundredth == hundredth_) return;
    stage_ = stage;
    hundredth_ = hundredth;
    tell(fmt::format("progress: {:.2f} {}", hundredth / 100.0, stage));
  }

 private:
  std::string stage_;
  int hundredth_ = -1;
};

}  // namespace

Progress Session::progress() const {
  if (progress_lines) {
    return [lines = std::make_shared<ProgressLines>()](std::string_view stage, double fraction) {
      lines->show(stage, fraction);
    };
  }
  if (quiet || (!always && isatty(STDERR_FILENO) == 0)) return {};
  return [bar = std::make_shared<ProgressBar>()](std::string_view stage, double fraction) {
    bar->show(stage, fraction);
  };
}

}  // namespace limber
