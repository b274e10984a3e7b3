#include "server/fields.h"
#include "server/protocol.h"

namespace limber::studio {

namespace {

json encode(const std::vector<Hand>& hands) {
  json list = json::array();
  for (const Hand& hand : hands) list.push_back(as_json(hand));
  return list;
}

json encode(const BodyState& body) {
  return {
      {"name", body.name},
      {"nodes", body.nodes},
      {"tets", body.tets},
      {"vertices", body.vertices},
      {"mass", body.mass},
      {"modes", body.modes},
      {"modes_available", body.modes_available},
      {"young", body.young},
      {"poisson", body.poisson},
      {"density", body.density},
      {"free", body.free},
      {"filled", body.filled},
      {"cells", body.cells},
      {"start",
       {{"position", as_json(body.start_position)},
        {"rotation", std::vector<double>(body.start_rotation.begin(), body.start_rotation.end())}}},
      {"damping", {{"mass", body.damping_mass}, {"stiffness", body.damping_stiffness}}},
      {"frequencies_hz", body.frequencies_hz}};
}

json encode(const ObstacleState& obstacle) {
  json result{{"name", obstacle.name},
              {"shape", obstacle.shape},
              {"size", obstacle.size},
              {"position", as_json(obstacle.position)},
              {"rotation", std::vector<double>(obstacle.rotation.begin(), obstacle.rotation.end())},
              {"mass", nullptr},
              {"keyed", obstacle.keyed}};
  if (obstacle.mass) result["mass"] = *obstacle.mass;
  return result;
}

json encode(const JointState& joint) {
  json result{{"kind", joint.kind},     {"bodies", json::array()}, {"at", as_json(joint.at)},
              {"to", nullptr},          {"axis", nullptr},         {"radius", joint.radius},
              {"break_force", nullptr}, {"limits", nullptr},       {"collide", joint.collide}};
  for (const std::string& body : joint.bodies) {
    result["bodies"].push_back(body.empty() ? json(nullptr) : json(body));
  }
  if (joint.to) result["to"] = as_json(*joint.to);
  if (joint.axis) result["axis"] = as_json(*joint.axis);
  if (joint.break_force) result["break_force"] = *joint.break_force;
  if (joint.limits) result["limits"] = *joint.limits;
  return result;
}

json encode(const FilmState& film) {
  return {{"number", film.number}, {"take", film.take},       {"done", film.done},
          {"total", film.total},   {"running", film.running}, {"ready", film.ready},
          {"error", film.error}};
}

json encode(const LaneFault& fault) {
  return {
      {"lane", fault.lane}, {"body", fault.body}, {"time", fault.time}, {"message", fault.message}};
}

json encode(const InterpolationState& state) {
  json poses = json::array();
  for (const KeyPose& pose : state.poses) {
    poses.push_back({{"id", pose.id}, {"name", pose.name}, {"time", pose.time}});
  }
  return {{"poses", poses},
          {"active", state.active},
          {"time", state.time},
          {"duration", state.duration},
          {"looping", state.looping},
          {"modes", state.modes},
          {"frequency", as_json(state.curves.frequency)},
          {"damping", as_json(state.curves.damping)},
          {"weight", as_json(state.curves.weight)},
          {"share", as_json(state.curves.share)},
          {"obstacle", state.obstacle}};
}

/// File names may hold bytes that are no UTF-8: they are replaced rather than refused.
std::string text_of(const json& message) {
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string encode_state(const StudioState& state) {
  json samples = json::array();
  for (const Sample& sample : state.samples) {
    samples.push_back({{"name", sample.name}, {"title", sample.title}, {"text", sample.text}});
  }
  json bodies = json::array();
  for (const BodyState& body : state.bodies) bodies.push_back(encode(body));
  json faults = json::array();
  for (const LaneFault& fault : state.faults) faults.push_back(encode(fault));
  json takes = json::array();
  for (const TakeState& take : state.takes) {
    takes.push_back({{"id", take.id},
                     {"name", take.name},
                     {"duration", take.duration},
                     {"from", take.from},
                     {"to", take.to},
                     {"fits", take.fits}});
  }
  json obstacles = json::array();
  for (const ObstacleState& obstacle : state.obstacles) obstacles.push_back(encode(obstacle));
  json joints = json::array();
  for (const JointState& joint : state.joints) joints.push_back(encode(joint));
  return text_of({{"type", "state"},
                  {"generation", state.generation},
                  {"title", state.title},
                  {"samples", samples},
                  {"playing", state.playing},
                  {"speed", state.speed},
                  {"time_step", state.time_step},
                  {"time", state.time},
                  {"gravity", as_json(state.gravity)},
                  {"bodies", bodies},
                  {"methods", state.methods},
                  {"lanes", state.lanes},
                  {"wanted_lanes", state.wanted_lanes},
                  {"truth", state.truth},
                  {"faults", faults},
                  {"upload_limit", kUploadLimit},
                  {"handles", encode(state.hands)},
                  {"obstacles", obstacles},
                  {"joints", joints},
                  {"ground", state.ground ? json(*state.ground) : json(nullptr)},
                  {"contacts_shown", state.contacts_shown},
                  {"stress_shown", state.stress_shown},
                  {"undo", state.undo},
                  {"redo", state.redo},
                  {"recording", state.recording},
                  {"recorded_frames", state.recorded_frames},
                  {"formats", state.formats},
                  {"takes", takes},
                  {"takes_kept", state.takes_kept},
                  {"take", state.take},
                  {"take_time", state.take_time},
                  {"take_looping", state.take_looping},
                  {"film", encode(state.film)},
                  {"view", json::parse(state.view, nullptr, false)},
                  {"opened", state.opened},
                  {"kept", state.kept},
                  {"offer", state.offer},
                  {"interpolation", encode(state.interpolation)}});
}

std::string encode_hands(const std::vector<Hand>& hands) {
  return text_of({{"type", "handles"}, {"handles", encode(hands)}});
}

std::string encode_cage(const Cage& cage) {
  return text_of({{"type", "cage"},
                  {"body", cage.body},
                  {"cells", cage.cells},
                  {"nodes", cage.nodes},
                  {"tets", cage.tets},
                  {"positions", cage.positions},
                  {"edges", cage.edges}});
}

std::string encode_error(std::string_view message) {
  return text_of({{"type", "error"}, {"message", message}});
}

std::string encode_progress(std::string_view stage, double fraction) {
  return text_of({{"type", "progress"}, {"stage", stage}, {"fraction", fraction}});
}

std::string encode_idle() { return text_of({{"type", "idle"}}); }

std::string encode_curve(int mode, const std::vector<double>& times,
                         const std::vector<double>& values, const std::vector<double>& keys) {
  return text_of(
      {{"type", "curve"}, {"mode", mode}, {"times", times}, {"values", values}, {"keys", keys}});
}

}  // namespace limber::studio
