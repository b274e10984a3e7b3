#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "limber/compare/percent.h"
#include "limber/compare/write_comparison.h"
#include "limber/scene/json_writer.h"

namespace limber {

namespace {

using Json = nlohmann::ordered_json;

/// CSV leaves unknown numbers empty, JSON says null.
std::string cell(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : ""; }
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string percent(double value, Sign sign = Sign::only_minus) {
  return std::isfinite(value) ? percent_text(value, sign) : "-";
}
std::string milliseconds(double seconds) {
  return std::isfinite(seconds) ? fmt::format("{:.3g} ms", 1e3 * seconds) : "-";
}

std::string seconds(double value) {
  return std::isfinite(value) ? fmt::format("{:.4g} s", value) : "-";
}
std::string joules(double value) {
  return std::isfinite(value) ? fmt::format("{:.4g} J", value) : "-";
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

Json vector_json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json state_json(const Snapshot& state) {
  Json probes = Json::object();
  for (const auto& [name, position] : state.probes) probes[name] = vector_json(position);
  return {{"time", state.time},
          {"volume_change", state.volume_ratio - 1},
          {"kinetic_energy", state.kinetic_energy},
          {"elastic_energy", state.elastic_energy},
          {"probes", std::move(probes)}};
}

Json method_json(const MethodRun& run, const MethodSummary& summary) {
  Json frames = Json::array();
  for (std::size_t k = 0; k < run.frames.size(); ++k) {
    Json frame = state_json(run.frames[k]);
    frame["error"] = k < summary.error.size() ? number(summary.error[k]) : Json(nullptr);
    frames.push_back(std::move(frame));
  }
  Json rest = nullptr;
  if (run.rest) {
    rest = state_json(*run.rest);
    rest.erase("time");
    rest["error"] = number(summary.rest_error);
  }
  Json result{{"method", run.method}, {"rest", std::move(rest)}};
  result["motion"] = {{"error", number(summary.motion_error)},
                      {"error_until", number(summary.error_until)},
                      {"ran_until", number(summary.ran_until)},
                      {"complete", !summary.stopped},
                      {"first_swing", number(summary.swing)},
                      {"least_volume_change", number(summary.least_volume)},
                      {"most_volume_change", number(summary.most_volume)},
                      {"frames", std::move(frames)}};
  result["seconds"] = {{"setup", run.setup_seconds},
                       {"step", number(run.step_seconds)},
                       {"settle", number(run.settle_seconds)}};
  result["failure"] = summary.failure.empty() ? Json(nullptr) : Json(summary.failure);
  return result;
}

using Row = std::vector<std::string>;

/// Rounding of frame times is forgiven.
bool is_earlier(double until, double end) { return until < (1 - 1e-6) * end; }

std::string motion_error(const MethodSummary& summary, double duration) {
  std::string text = percent(summary.motion_error);
  if (is_earlier(summary.error_until, duration)) {
    text += fmt::format(" to {:.3g} s", summary.error_until);
  }
  return text;
}

std::string ran_until(const MethodSummary& summary, double duration) {
  if (!std::isfinite(summary.ran_until)) return "-";
  if (!summary.stopped) return fmt::format("{:.3g} s", summary.ran_until);
  return fmt::format("{:.3g} of {:.3g} s", summary.ran_until, duration);
}

/// What the numbers do not say by themselves.
std::vector<std::string> remarks(const ComparisonPage& page) {
  std::vector<std::string> lines;
  for (const MethodSummary& s : page.summaries) {
    if (!s.failure.empty()) lines.push_back(fmt::format("{}: {}", s.method, s.failure));
    if (s.stopped && s.method == page.truth) {
      lines.push_back(fmt::format(
          "Errors in motion are those up to {:.3g} s: beyond, there is no {} to compare with",
          s.ran_until, s.method));
    }
  }
  return lines;
}

std::vector<Row> summary_rows(const ComparisonPage& page) {
  std::vector<Row> rows{{"method", "error at rest", "volume at rest", "energy at rest",
                         "error in motion", "volume in motion", "first swing", "ran", "a step"}};
  for (std::size_t k = 0; k < page.summaries.size(); ++k) {
    const MethodSummary& s = page.summaries[k];
    const double duration = page.runs[k].duration;
    const std::string name = s.method + (s.method == page.truth ? " (truth)" : "");
    const std::string range = std::isfinite(s.least_volume)
                                  ? fmt::format("{} to {}", percent(s.least_volume, Sign::always),
                                                percent(s.most_volume, Sign::always))
                                  : "-";
    rows.push_back({name, percent(s.rest_error), percent(s.rest_volume, Sign::always),
                    joules(s.rest_energy), motion_error(s, duration), range, seconds(s.swing),
                    ran_until(s, duration), milliseconds(s.step_seconds)});
  }
  return rows;
}

}  // namespace

std::string summary_csv(const ComparisonPage& page) {
  std::string text =
      "method,rest_error,rest_volume_change,motion_error,least_volume_change,most_volume_change,"
      "step_seconds,settle_seconds,failure,ran_until,error_until,rest_elastic_energy,first_swing\n";
  for (const MethodSummary& s : page.summaries) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", s.method, cell(s.rest_error),
                        cell(s.rest_volume), cell(s.motion_error), cell(s.least_volume),
                        cell(s.most_volume), cell(s.step_seconds), cell(s.settle_seconds),
                        quoted(s.failure), cell(s.ran_until), cell(s.error_until),
                        cell(s.rest_energy), cell(s.swing));
  }
  return text;
}

std::string frames_csv(const ComparisonPage& page) {
  std::string text = "method,time,error,volume_change,kinetic_energy,elastic_energy";
  const MethodRun& first = page.runs.front();
  if (!first.frames.empty()) {
    for (const auto& [name, position] : first.frames.front().probes) {
      for (const char axis : {'x', 'y', 'z'}) {
        text += fmt::format(",{}", quoted(fmt::format("{}.{}", name, axis)));
      }
    }
  }
  text += "\n";
  for (std::size_t k = 0; k < page.runs.size(); ++k) {
    const MethodRun& run = page.runs[k];
    const std::vector<double>& error = page.summaries[k].error;
    for (std::size_t f = 0; f < run.frames.size(); ++f) {
      const Snapshot& frame = run.frames[f];
      text += fmt::format("{},{},{},{},{},{}", run.method, cell(frame.time),
                          f < error.size() ? cell(error[f]) : "", cell(frame.volume_ratio - 1),
                          cell(frame.kinetic_energy), cell(frame.elastic_energy));
      for (const auto& [name, p] : frame.probes) {
        text += fmt::format(",{},{},{}", cell(p.x()), cell(p.y()), cell(p.z()));
      }
      text += "\n";
    }
  }
  return text;
}

std::string comparison_json(const ComparisonPage& page) {
  Json methods = Json::array();
  for (std::size_t k = 0; k < page.runs.size(); ++k) {
    methods.push_back(method_json(page.runs[k], page.summaries[k]));
  }
  const Json result{{"scene", page.scene},
                    {"truth", page.truth.empty() ? Json(nullptr) : Json(page.truth)},
                    {"methods", std::move(methods)}};
  return json_text(result, "comparison.json") + "\n";
}

std::string summary_text(const ComparisonPage& page) {
  const std::vector<Row> rows = summary_rows(page);
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t c = 1; c < row.size(); ++c) text += fmt::format("  {:>{}}", row[c], widths[c]);
    text += "\n";
  }
  for (const std::string& line : remarks(page)) text += line + "\n";
  return text;
}

std::string comparison_page(const ComparisonPage& page, const std::vector<std::string>& images) {
  std::string text = fmt::format("# {} by several methods\n\n", page.scene);
  if (!page.truth.empty()) {
    text += fmt::format("Errors are relative L2 errors of the displacement against {}.\n\n",
                        page.truth);
  }
  const std::vector<Row> rows = summary_rows(page);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += fmt::format("| {} |\n", fmt::join(rows[r], " | "));
    if (r == 0) text += "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  }
  text += "\n";
  for (const std::string& line : remarks(page)) text += fmt::format("- {}\n", line);
  for (const std::string& image : images) text += fmt::format("\n![{0}]({0}.png)\n", image);
  return text;
}

}  // namespace limber
