// Words over a picture: which colour is what, a colour scale, the time.
#pragma once

#include <vector>

#include "limber/plot/canvas.h"
#include "limber/render/stage.h"

namespace limber {

struct Labels {
  std::vector<Cast::Entry> legend;
  Paint paint = Paint::plain;
  double most = 0;      // the scale's end
  std::string caption;  // lower left
};

/// The nearest camera in this view whose picture, of this many pixels, shows all points (n×3)
/// beside or below its legend or colour scale, not behind it. A zoomed view is left as it is.
[[nodiscard]] Camera frame_clear_of_labels(const Positions& points, const View& view, int width,
                                           int height, const Labels& labels);

/// The picture with its labels, sized after its height.
[[nodiscard]] Image draw_labels(const Image& image, const Labels& labels);

}  // namespace limber
