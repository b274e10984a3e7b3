// Plans of studies, and participants' files as the analysis reads them.
#include <nlohmann/json.hpp>

#include "fuzz/target.h"
#include "limber/study/analysis.h"
#include "limber/study/plan.h"

namespace limber::fuzz {
namespace {

using Json = nlohmann::ordered_json;

std::string plan_text() {
  const auto factor = [](const char* name, const char* key, int low, int high) {
    return Json{{"name", name},
                {"levels",
                 {{{"name", "low"}, {"set", {{key, low}}}},
                  {{"name", "high"}, {"text", "more"}, {"set", {{key, high}}}}}}};
  };
  const Json question{
      {"name", "age"}, {"text", "How old?"}, {"type", "number"}, {"least", 18}, {"most", 99}};
  const Json pairs{{"name", "pairs"},
                   {"kind", "film-pairs"},
                   {"text", "Look."},
                   {"question", "Which?"},
                   {"repeats", 2},
                   {"show", "together"},
                   {"compare", {factor("model", "modes", 1, 8)}},
                   {"conditions", {factor("camera", "distance", 1, 4)}},
                   {"shots_vary_with", {"camera"}},
                   {"stimulus", {{"scene", "a.json"}}}};
  const Json clicks{{"name", "clicks"},
                    {"kind", "contacts"},
                    {"text", "Click."},
                    {"question", "When?"},
                    {"conditions", {factor("camera", "distance", 1, 4)}},
                    {"window", {0.1, 1.5}},
                    {"stimulus", Json::object()}};
  return Json{{"limber_study", 1},
              {"title", "T"},
              {"seed", 7},
              {"consent", {"Yes."}},
              {"questions", {question}},
              {"experiments", {pairs, clicks}}}
      .dump();
}

/// One participant's answers to an experiment of a kind, with conditions of two levels.
std::string answers_text(const char* kind, const Json& compare, const Json& shown,
                         const Json& answer) {
  const Json levels{"low", "high"};
  Json trials = Json::array();
  for (const char* level : {"low", "high"}) {
    trials.push_back({{"experiment", "e"},
                      {"condition", {level}},
                      {"repeat", 1},
                      {"shown", shown},
                      {"answer", answer}});
  }
  const Json experiment{{"name", "e"},
                        {"kind", kind},
                        {"repeats", 1},
                        {"compare", compare},
                        {"conditions", {{{"name", "camera"}, {"levels", levels}}}}};
  return Json{{"limber_study", 1},
              {"plan", "0123456789abcdef"},
              {"experiments", {experiment}},
              {"trials", trials}}
      .dump();
}

const Register kPlan({"plan",
                      [](std::string_view bytes) {
                        (void)study::parse_plan(std::string(bytes), "folder", "plan.json");
                      },
                      [] { return std::vector<std::string>{plan_text()}; }});

const Register kAnswers(
    {"answers",
     [](std::string_view bytes) {
       for (const study::ExperimentAnswers& one :
            study::read_answers({file_holding(bytes, ".json")}))
         (void)study::analysis_page(study::analyse(one));
     },
     [] {
       const Json models{{{"name", "model"}, {"levels", {"modes", "local"}}}};
       const Json pair{{"modes"}, {"local"}};
       const Json clicks{{"contacts", {0.5, 1.5}}, {"seen", 1}, {"false_alarms", {0.1}}};
       return std::vector<std::string>{
           answers_text("film-pairs", models, pair, {{"choice", 2}}),
           answers_text("rank", models, pair, {{"ranking", {2, 1}}}),
           answers_text("contacts", Json::array(), Json::array({Json::array()}), clicks)};
     }});

}  // namespace
}  // namespace limber::fuzz
