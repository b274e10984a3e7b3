#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "limber/compare/percent.h"
#include "limber/compare/write_comparison.h"
#include "limber/core/file.h"
#include "limber/plot/chart.h"
#include "limber/render/labels.h"
#include "limber/render/show.h"

namespace limber {

namespace {

/// The method, and when it stopped where it did.
std::string label_of(const MethodRun& run) {
  if (run.motion_failure.empty()) return run.method;
  return fmt::format("{} (stopped at {:.3g} s)", run.method, run.frames.back().time);
}

Series empty_series(const MethodRun& run) {
  return {label_of(run),
          method_colour(run.method),
          method_dashes(run.method),
          {},
          {},
          !run.motion_failure.empty()};
}

Series series_of(const MethodRun& run) {
  Series series = empty_series(run);
  for (const Snapshot& frame : run.frames) series.x.push_back(frame.time);
  return series;
}

template <class Value>
LineChart over_time(const ComparisonPage& page, const std::string& title,
                    const std::string& y_label, const Value& value) {
  LineChart chart{.title = title, .x_label = "time, s", .y_label = y_label, .series = {}};
  for (std::size_t k = 0; k < page.runs.size(); ++k) {
    Series series = series_of(page.runs[k]);
    for (std::size_t f = 0; f < series.x.size(); ++f) series.y.push_back(value(k, f));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// Bars for the methods that have the number.
template <class Value, class Text>
BarChart bars_of(const ComparisonPage& page, const std::string& title, bool with_truth,
                 const Value& value, const Text& text) {
  BarChart chart{.title = title, .bars = {}};
  for (const MethodSummary& summary : page.summaries) {
    const double number = value(summary);
    if (!std::isfinite(number) || (!with_truth && summary.method == page.truth)) continue;
    chart.bars.push_back({summary.method, method_colour(summary.method), number, text(number)});
  }
  return chart;
}

/// The two axes, of x y z, along which a probe moves most; in that order of the alphabet.
std::pair<int, int> plane_of_motion(const ComparisonPage& page, const std::string& probe) {
  Vec3 low = Vec3::Constant(INFINITY), high = -low;
  for (const MethodRun& run : page.runs) {
    for (const Snapshot& frame : run.frames) {
      low = low.cwiseMin(frame.probes.at(probe));
      high = high.cwiseMax(frame.probes.at(probe));
    }
  }
  const Vec3 size = high - low;
  Eigen::Index least = 2;
  size.minCoeff(&least);
  if (size[2] <= size[least]) least = 2;  // x and y where nothing else decides
  return {least == 0 ? 1 : 0, least == 2 ? 1 : 2};
}

LineChart path_chart(const ComparisonPage& page, const std::string& probe) {
  const auto [a, b] = plane_of_motion(page, probe);
  LineChart chart{.title = "Path of " + probe,
                  .x_label = fmt::format("{}, m", "xyz"[a]),
                  .y_label = fmt::format("{}, m", "xyz"[b]),
                  .series = {},
                  .equal_scales = true,
                  .width = 560,
                  .height = 520};
  for (const MethodRun& run : page.runs) {
    Series series = empty_series(run);
    for (const Snapshot& frame : run.frames) {
      series.x.push_back(frame.probes.at(probe)[a]);
      series.y.push_back(frame.probes.at(probe)[b]);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// A name that every file system takes.
std::string file_name(std::string text) {
  for (char& c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '.' && c != '-' && c != '_') c = '_';
  }
  return text;
}

class ChartWriter {
 public:
  explicit ChartWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}

  template <class Chart>
  void write(const Chart& chart, const std::string& name) {
    write_chart(chart, folder_ / name);
    names_.push_back(name);
  }
  [[nodiscard]] std::vector<std::string> names() const { return names_; }

 private:
  std::filesystem::path folder_;
  std::vector<std::string> names_;
};

void write_rest_charts(const ComparisonPage& page, ChartWriter& writer) {
  const BarChart errors = bars_of(
      page, "Displacement error at rest, against " + page.truth, false,
      [](const MethodSummary& s) { return s.rest_error; },
      [](double value) { return percent_text(value); });
  if (!errors.bars.empty()) writer.write(errors, "rest_error");
  const BarChart volumes = bars_of(
      page, "Change of volume at rest", true, [](const MethodSummary& s) { return s.rest_volume; },
      [](double value) { return percent_text(value, Sign::always); });
  if (!volumes.bars.empty()) writer.write(volumes, "rest_volume");
}

void write_motion_charts(const ComparisonPage& page, ChartWriter& writer) {
  if (!page.truth.empty()) {
    writer.write(over_time(page, "Displacement error, of " + page.truth + "'s largest", "error, %",
                           [&](std::size_t k, std::size_t f) {
                             const auto& error = page.summaries[k].error;
                             return f < error.size() ? 100 * error[f] : kUnknown;
                           }),
                 "error");
  }
  writer.write(over_time(page, "Volume", "change, %",
                         [&](std::size_t k, std::size_t f) {
                           return 100 * (page.runs[k].frames[f].volume_ratio - 1);
                         }),
               "volume");
  writer.write(over_time(page, "Kinetic and elastic energy", "energy, J",
                         [&](std::size_t k, std::size_t f) {
                           const Snapshot& frame = page.runs[k].frames[f];
                           return frame.kinetic_energy + frame.elastic_energy;
                         }),
               "energy");
  for (const auto& [probe, position] : page.runs.front().frames.front().probes) {
    writer.write(path_chart(page, probe), "path_" + file_name(probe));
  }
  BarChart steps = bars_of(
      page, "Time of a step (logarithmic)", true,
      [](const MethodSummary& s) { return s.step_seconds; },
      [](double seconds) { return fmt::format("{:.3g} ms", 1e3 * seconds); });
  steps.logarithmic = true;
  if (!steps.bars.empty()) writer.write(steps, "step_time");
}

/// One state of each method, the truth last and solid.
struct Group {
  std::vector<const MethodRun*> runs;
  std::vector<const Snapshot*> states;
  std::vector<Cast::Entry> absent;  // those without such a state, and why

  void add(const MethodRun& run, const Snapshot& state) {
    runs.push_back(&run);
    states.push_back(&state);
  }
};

std::vector<Shape> all_of(std::vector<std::vector<Shape>> methods) {
  std::vector<Shape> shapes;
  for (std::vector<Shape>& method : methods) {
    std::move(method.begin(), method.end(), std::back_inserter(shapes));
  }
  return shapes;
}

/// Of one method's bodies, world coordinates.
std::vector<Positions> surfaces_of(const MethodRun& run, const Snapshot& state) {
  std::vector<Positions> surfaces;
  for (std::size_t b = 0; b < run.world->bodies().size(); ++b) {
    surfaces.push_back(run.world->bodies()[b].surface_positions(state.nodes[b]));
  }
  return surfaces;
}

/// Moves each method's bodies behind the last one's: however fat they are, air stays between them.
void set_apart(const Vec3& gap, std::vector<std::vector<Positions>>& methods) {
  constexpr double kAir = 0.45;  // of the gap that bodies at rest get
  const double distance = gap.norm();
  if (!(distance > 0)) return;
  const Vec3 along = gap / distance;
  double reached = -INFINITY;
  for (std::vector<Positions>& surfaces : methods) {
    double low = INFINITY, high = -INFINITY;
    for (const Positions& surface : surfaces) {
      const Vector places = surface * along;
      low = std::min(low, places.minCoeff());
      high = std::max(high, places.maxCoeff());
    }
    const double shift = std::isfinite(reached) ? reached + kAir * distance - low : 0;
    for (Positions& surface : surfaces) surface.rowwise() += (shift * along).transpose();
    reached = high + shift;
  }
}

Image group_picture(const Group& group, const RenderOptions& options, bool apart,
                    const std::string& caption, const Progress& progress) {
  std::vector<std::vector<Positions>> surfaces;
  for (std::size_t k = 0; k < group.runs.size(); ++k) {
    surfaces.push_back(surfaces_of(*group.runs[k], *group.states[k]));
  }
  if (apart) set_apart(gap_between_methods(*group.runs.front()->world), surfaces);
  std::vector<std::vector<Shape>> methods;
  Labels labels;
  labels.caption = caption;
  MotionExtent extent;
  for (std::size_t k = 0; k < group.runs.size(); ++k) {
    const Colour colour = method_colour(group.runs[k]->method);
    std::vector<Shape> shapes;
    for (std::size_t b = 0; b < surfaces[k].size(); ++b) {
      const TriMesh& surface = group.runs[k]->world->bodies()[b].surface();
      extent.add(surfaces[k][b]);
      shapes.push_back(make_shape(surface, Shading(surface), surfaces[k][b], colour));
    }
    methods.push_back(std::move(shapes));
    labels.legend.push_back({group.runs[k]->method, colour});
  }
  labels.legend.insert(labels.legend.end(), group.absent.begin(), group.absent.end());
  const Vec3 up = up_of(group.runs.front()->world->scene());
  const View view = apart && methods.size() > 1 ? row_view(up) : extent.natural_view(up);
  const Camera camera =
      frame_clear_of_labels(extent.points(), view, options.width, options.height, labels);
  const Image image =
      render(apart ? all_of(std::move(methods)) : overlaid(std::move(methods), extent.radius()),
             camera, floor_of(group.runs.front()->world->scene(), extent), options, progress);
  return draw_labels(image, labels);
}

/// The frame of the first run's (or the truth's) largest displacement.
std::size_t most_telling_frame(const MethodRun& run) {
  std::size_t best = 0;
  double most = -1;
  for (std::size_t f = 0; f < run.frames.size(); ++f) {
    const double norm = displacement_norm(*run.world, run.frames[f]);
    if (norm > most) {
      most = norm;
      best = f;
    }
  }
  return best;
}

}  // namespace

std::vector<std::string> write_charts(const ComparisonPage& page,
                                      const std::filesystem::path& folder) {
  ChartWriter writer(folder);
  write_rest_charts(page, writer);
  if (!page.runs.front().frames.empty()) write_motion_charts(page, writer);
  return writer.names();
}

std::vector<std::string> write_pictures(const ComparisonPage& page,
                                        const std::filesystem::path& folder,
                                        const RenderOptions& options, bool apart,
                                        const Progress& progress) {
  const auto reference =
      std::find_if(page.runs.begin(), page.runs.end(),
                   [&](const MethodRun& run) { return run.method == page.truth; });
  const MethodRun& solid = reference == page.runs.end() ? page.runs.back() : *reference;
  Group rest, moving;
  const std::size_t frame = most_telling_frame(solid);
  const auto add = [&](const MethodRun& run) {
    const Colour colour = method_colour(run.method);
    if (run.rest) {
      rest.add(run, *run.rest);
    } else if (!run.rest_failure.empty()) {
      rest.absent.push_back({run.method + " (no equilibrium), not shown", colour});
    }
    if (frame < run.frames.size()) {
      moving.add(run, run.frames[frame]);
    } else if (!run.frames.empty()) {
      moving.absent.push_back({label_of(run) + ", not shown", colour});
    }
  };
  for (const MethodRun& run : page.runs) {
    if (&run != &solid) add(run);
  }
  add(solid);
  std::vector<std::string> names;
  const auto write = [&](const Group& group, const std::string& name, const std::string& caption) {
    if (group.runs.empty()) return;
    write_file(folder / (name + ".png"),
               encode_png(group_picture(group, options, apart, caption, progress)));
    names.push_back(name);
  };
  write(rest, "shapes_at_rest", "at rest");
  if (!moving.runs.empty()) {
    write(moving, "shapes_in_motion", fmt::format("{:.2f} s", moving.states.front()->time));
  }
  return names;
}

}  // namespace limber
