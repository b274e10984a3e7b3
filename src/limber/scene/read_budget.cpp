#include "limber/scene/read_budget.h"

#include <cmath>
#include <numbers>

#include "limber/scene/scene_file.h"

namespace limber {

namespace {

DetailView read_view(const JsonReader& json) {
  json.only({"eye", "at", "angle"});
  DetailView view;
  view.given = true;
  view.eye = json.at("eye").vector3();
  json.optional("at", [&](const JsonReader& value) {
    view.towards = value.vector3() - view.eye;
    if (view.towards.isZero(0)) value.refuse("is where the eye is", "look at another place");
  });
  json.optional("angle", [&](const JsonReader& value) {
    if (!json.has("at")) value.refuse("an angle needs a direction", "give \"at\" too");
    const double degrees = value.positive();
    if (degrees > 360) value.refuse("is more than a full turn", "give degrees up to 360");
    view.half_angle = degrees / 2 * std::numbers::pi / 180;
  });
  return view;
}

}  // namespace

DetailBudget read_budget(const JsonReader& json) {
  DetailBudget budget;
  if (!json.is_object()) {
    budget.microseconds = json.positive();
    return budget;
  }
  json.only({"microseconds", "machine", "view"});
  budget.microseconds = json.at("microseconds").positive();
  json.optional("machine", [&](const JsonReader& value) {
    budget.costs.machine = value.is_string() && value.choice({"measure"}) == 0 ? calibrate_machine()
                                                                               : value.positive();
  });
  json.optional("view", [&](const JsonReader& value) { budget.view = read_view(value); });
  return budget;
}

DetailBudget parse_budget(const std::string& text) {
  const nlohmann::json document = parse_json(text, "budget");
  return read_budget(JsonReader(document, "budget"));
}

}  // namespace limber
