// limber study: a perceptual study in the browser, and what came of one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "commands/commands.h"
#include "limber/core/error.h"
#include "limber/core/file.h"
#include "limber/core/output_unit.h"
#include "limber/scene/json_writer.h"
#include "limber/study/analysis.h"
#include "limber/study/interval_chart.h"
#include "study/study_server.h"

namespace limber {

namespace {

struct StudyArguments {
  std::vector<std::filesystem::path> what;
  studio::StudyOptions server;
  std::filesystem::path output;
  bool analyse = false;
};

void analyse_study(const StudyArguments& options) {
  const std::vector<study::ExperimentAnswers> experiments = study::read_answers(options.what);
  std::error_code failed;
  std::filesystem::create_directories(options.output, failed);
  if (failed)
    throw Error("the folder cannot be made", options.output.string(), "name another with -o");
  OutputUnit unit({}, options.what);
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::string page = "# What the study found\n";
  for (const study::ExperimentAnswers& experiment : experiments) {
    if (experiment.answers.empty()) {
      page += fmt::format("\n## {}\n\nNobody has answered it yet.\n", experiment.name);
      continue;
    }
    const study::Analysis analysis = study::analyse(experiment);
    all.push_back(study::analysis_json(analysis));
    page += "\n" + study::analysis_page(analysis);
    study::write_interval_chart(analysis, options.output / analysis.name);
  }
  const std::filesystem::path json = options.output / "analysis.json";
  write_file(json, json_text({{"experiments", all}}, json.string()) + "\n");
  write_file(options.output / "README.md", page);
  unit.commit();
  fmt::print("{}\nwrote {}\n", page, options.output.string());
}

void run(const StudyArguments& options, const Session& session) {
  if (options.analyse) {
    if (options.output.empty()) throw Error("nowhere to write", "--analyse", "add -o FOLDER");
    return analyse_study(options);
  }
  if (options.what.size() != 1) throw Error("several plans", "study", "name one");
  if (!options.output.empty()) throw Error("-o is for --analyse", "study", "say --out");
  studio::StudyOptions server = options.server;
  server.plan = options.what.front();
  if (server.out.empty()) server.out = server.plan.stem().string() + "-answers";
  studio::run_study(server, session.progress(), [&](const std::string& address) {
    fmt::print("The study is at {} (Ctrl+C ends it), answers go to {}\n", address,
               server.out.string());
    std::fflush(stdout);
  });
}

}  // namespace

void add_study(CLI::App& app, const Session& session) {
  CLI::App& command =
      add_command(app, "study", "A perceptual study in the browser, and its statistics",
                  "limber study examples/study/garcia-2-passive.json --out answers\n"
                  "  limber study --analyse answers -o analysis");
  const auto options = std::make_shared<StudyArguments>();
  command
      .add_option("WHAT", options->what,
                  "Plan file; with --analyse: folders or participants' files")
      ->required();
  command.add_flag("--analyse", options->analyse, "Statistics and plots of the answers");
  command.add_option("-o,--output", options->output, "Folder for what --analyse finds");
  command.add_option("--out", options->server.out,
                     "Folder for answers; PLAN-answers when left out");
  command.add_option("--host", options->server.host, "Address to listen at")->capture_default_str();
  command.add_option("--port", options->server.port, "Port to listen at; 0 takes a free one")
      ->capture_default_str();
  command.callback([options, &session] { run(*options, session); });
}

}  // namespace limber
