// Motions as bytes for the page (apps/studio/web/study/src/film.ts reads them), little-endian:
//   uint32 length of the header, the header (JSON, padded with blanks to a multiple of 4),
//   uint32 faces (F×3), then for each picture uint16 vertices (V×3, in steps of span / 65535 above
//   low), padded to a multiple of 4 bytes, and float32 balls (B×3).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "limber/core/error.h"
#include "limber/scene/json_reader.h"
#include "limber/scene/json_writer.h"
#include "limber/study/shooting.h"

namespace limber::study {

namespace {

static_assert(std::endian::native == std::endian::little,
              "films are written as they lie in memory");

template <class Value>
void append(std::string& bytes, Value value) {
  std::array<char, sizeof(Value)> raw;
  std::memcpy(raw.data(), &value, sizeof value);
  bytes.append(raw.data(), raw.size());
}

nlohmann::ordered_json listed(const Vec3& v) { return {v[0], v[1], v[2]}; }

nlohmann::ordered_json camera_json(const CameraPath& camera) {
  nlohmann::ordered_json json{{"target", listed(camera.target)},
                              {"field_of_view", camera.field_of_view}};
  if (!camera.orbit) {
    json["eye"] = listed(camera.eye);
    return json;
  }
  json["orbit"] = {{"radii", {camera.radius_x, camera.radius_z}},
                   {"height", camera.height},
                   {"from", camera.from},
                   {"to", camera.to},
                   {"period", camera.period},
                   {"back_and_forth", camera.back_and_forth}};
  return json;
}

nlohmann::ordered_json header_of(const Shooting& shooting, int pictures) {
  const Stimulus& stimulus = shooting.stimulus();
  nlohmann::ordered_json shots = nlohmann::ordered_json::array();
  for (const Shot& shot : stimulus.shots) {
    shots.push_back({{"time", shot.time},
                     {"muzzle", listed(shot.muzzle)},
                     {"direction", listed(shot.velocity.normalized())}});
  }
  return {{"pictures", pictures},
          {"frame_rate", shooting.frame_rate()},
          {"duration", stimulus.scene.duration},
          {"vertices", shooting.surface().V.rows()},
          {"faces", shooting.surface().F.rows()},
          {"radius", stimulus.ball_radius},
          {"shots", shots},
          {"camera", camera_json(stimulus.camera)}};
}

std::string with_header(nlohmann::ordered_json header, const Shooting& shooting) {
  std::string text = json_text(header, "film", -1);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
  const auto& F = shooting.surface().F;
  for (Eigen::Index f = 0; f < F.rows(); ++f) {
    for (int k = 0; k < 3; ++k) append(bytes, static_cast<std::uint32_t>(F(f, k)));
  }
  return bytes;
}

void append_floats(std::string& bytes, const Positions& positions) {
  for (Eigen::Index r = 0; r < positions.rows(); ++r) {
    for (int k = 0; k < 3; ++k) append(bytes, static_cast<float>(positions(r, k)));
  }
}

}  // namespace

std::string film_bytes(Stimulus stimulus, const Progress& progress) {
  Shooting shooting(std::move(stimulus));
  const int count = shooting.picture_count();
  std::vector<Positions> vertices, balls;
  for (int picture = 0; picture < count; ++picture) {
    if (picture > 0) shooting.advance();
    vertices.push_back(shooting.surface_positions());
    balls.push_back(shooting.ball_positions());
    report(progress, "films", static_cast<double>(picture) / count);
  }
  Vec3 low = vertices[0].colwise().minCoeff(), high = vertices[0].colwise().maxCoeff();
  for (const Positions& one : vertices) {
    low = low.cwiseMin(Vec3(one.colwise().minCoeff()));
    high = high.cwiseMax(Vec3(one.colwise().maxCoeff()));
  }
  const double span = std::max((high - low).maxCoeff(), 1e-9);
  if (!std::isfinite(span)) {
    throw Error("the body flies apart", "film", "change the stimulus", Error::Kind::work_failed);
  }
  nlohmann::ordered_json header = header_of(shooting, count);
  header["low"] = listed(low);
  header["span"] = span;
  header["contacts"] = nlohmann::ordered_json::array();
  for (const BallHit& hit : shooting.hits()) {
    header["contacts"].push_back({{"time", hit.time}, {"ball", hit.ball}});
  }
  std::string bytes = with_header(header, shooting);
  for (std::size_t picture = 0; picture < vertices.size(); ++picture) {
    const Positions& V = vertices[picture];
    for (Eigen::Index r = 0; r < V.rows(); ++r) {
      for (int k = 0; k < 3; ++k) {
        append(bytes, static_cast<std::uint16_t>(std::lround((V(r, k) - low[k]) / span * 65535)));
      }
    }
    bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
    append_floats(bytes, balls[picture]);
  }
  return bytes;
}

std::string game_bytes(const Shooting& shooting) {
  return with_header(header_of(shooting, 0), shooting);
}

std::string picture_bytes(const Shooting& shooting) {
  std::string bytes;
  append(bytes, static_cast<float>(shooting.time()));
  append(bytes, static_cast<float>(shooting.hits().size()));
  append(bytes, shooting.over() ? 1.0F : 0.0F);
  append_floats(bytes, shooting.surface_positions());
  append_floats(bytes, shooting.ball_positions());
  return bytes;
}

std::vector<double> contacts_of_film(std::string_view film) {
  std::uint32_t length = 0;
  if (film.size() >= sizeof length) std::memcpy(&length, film.data(), sizeof length);
  if (length == 0 || film.size() < sizeof length + length) {
    throw Error("not a film", "study", "remove the folder of films", Error::Kind::work_failed);
  }
  const nlohmann::json header = parse_json(film.substr(sizeof length, length), "film");
  std::vector<double> times;
  for (const nlohmann::json& contact : header.at("contacts")) times.push_back(contact.at("time"));
  return times;
}

}  // namespace limber::study
