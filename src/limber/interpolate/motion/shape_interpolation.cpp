#include "limber/interpolate/motion/shape_interpolation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/core/error.h"
#include "limber/core/rotation.h"
#include "limber/interpolate/reconstruction/rotation_fit.h"
#include "limber/interpolate/trajectories/key_weights.h"

namespace limber {

namespace {

void check_times(const std::vector<double>& times, const char* where) {
  if (times.size() < 2) {
    throw Error(fmt::format("{} poses", times.size()), where, "give at least two");
  }
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k])) {
      throw Error(fmt::format("the time of pose {} is not finite", k), where, "give seconds");
    }
    if (k > 0 && !(times[k] > times[k - 1])) {
      throw Error(fmt::format("pose {} at {:g} s is not later than pose {} at {:g} s", k, times[k],
                              k - 1, times[k - 1]),
                  where, "let the times rise");
    }
  }
}

RotationStrain difference(const RotationStrain& a, const RotationStrain& b) {
  RotationStrain result = a;
  result.w -= b.w;
  for (std::size_t k = 0; k < result.S.size(); ++k) result.S[k] -= b.S[k];
  return result;
}

std::optional<PoseRanges> ranges_of_poses(const InterpolationOptions& options,
                                          const Elements& elements) {
  if (!options.within_poses || !follows_poses(options)) return std::nullopt;
  std::vector<int> held;
  for (const PositionConstraint& constraint : options.positions) held.push_back(constraint.node);
  return PoseRanges(elements, held);
}

/// Rᵀ x for every node.
Positions turned_back(const Positions& pose, const Mat3& R) { return pose * R; }

}  // namespace

bool follows_poses(const InterpolationOptions& options) {
  const auto keyed = [](const PositionConstraint& constraint) { return !constraint.path; };
  return options.orientations.empty() && !options.quasi_static &&
         std::all_of(options.positions.begin(), options.positions.end(), keyed);
}

ShapeInterpolation::ShapeInterpolation(std::shared_ptr<const PoseModes> modes,
                                       const std::vector<KeyPose>& keys,
                                       InterpolationOptions options)
    : modes_(std::move(modes)), options_(std::move(options)) {
  const Elements& elements = *modes_->elements();
  for (const KeyPose& key : keys) times_.push_back(key.time);
  check_keys(keys);
  std::vector<Positions> poses;
  for (const KeyPose& key : keys) poses.push_back(key.pose);
  const bool given = options_.quasi_static.has_value();
  const std::vector<double>& guide_times = given ? options_.quasi_static->times : times_;
  const std::vector<Positions>& guide_poses = given ? options_.quasi_static->poses : poses;
  guide_ = RigidGuide(elements, guide_times, guide_poses, modes_->rigid_rotations(),
                      options_.barycentre);
  constraints_ = KeyedConstraints(elements, guide_times, guide_poses, options_.positions,
                                  options_.orientations);
  reconstruction_.emplace(modes_->elements(), constraints_.reconstruction());
  kernel_.emplace(*reconstruction_);
  all_times_ = times_;
  for (int node = 0; node < elements.node_count(); ++node) {
    if (elements.parts[node] >= 0) continue;
    std::vector<Vec3> places;
    for (const Positions& pose : guide_poses) places.emplace_back(pose.row(node).transpose());
    strays_.push_back({node, Path(guide_times, places)});
  }
  add_keys(keys);
  if (given) add_sequence();
  make_room();
  set_controls(options_.controls);
  if (options_.residuals == Residuals::positions) find_position_residuals(keys);
  ranges_ = ranges_of_poses(options_, elements);
  for (const KeyPose& key : keys) {
    if (ranges_) ranges_->add_pose(key.time, key.pose);
  }
}

void ShapeInterpolation::check_keys(const std::vector<KeyPose>& keys) const {
  const Elements& elements = *modes_->elements();
  check_times(times_, "key poses");
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::string where = fmt::format("pose {}", k);
    check_pose(elements, keys[k].pose, where);
    if (keys[k].velocity) check_pose(elements, *keys[k].velocity, where + ", velocity");
  }
  if (options_.fits < 0) {
    throw Error(fmt::format("{} rounds of fitting", options_.fits), "interpolation",
                "give zero or more");
  }
  if (options_.seed >= elements.element_count()) {
    throw Error(
        fmt::format("seed {} where there are {} elements", options_.seed, elements.element_count()),
        "interpolation", "give the number of an element, counted from 0");
  }
  if (!options_.quasi_static) return;
  const QuasiStatic& given = *options_.quasi_static;
  if (given.times.size() != given.poses.size()) {
    throw Error(fmt::format("{} times for {} poses", given.times.size(), given.poses.size()),
                "given motion", "give one time a pose");
  }
  check_times(given.times, "given motion");
  for (std::size_t k = 0; k < given.poses.size(); ++k) {
    check_pose(elements, given.poses[k], fmt::format("given motion, pose {}", k));
  }
  if (!(given.gamma >= 0 && given.gamma <= 1)) {
    throw Error(fmt::format("gamma is {:g}", given.gamma), "given motion", "keep it from 0 to 1");
  }
  if (keys.size() != 2 || keys.front().pose != given.poses.front() ||
      keys.back().pose != given.poses.back() || times_.front() != given.times.front() ||
      times_.back() != given.times.back()) {
    throw Error("the keys are not its first and last pose", "given motion",
                "use just those two as keys");
  }
}

void ShapeInterpolation::add_keys(const std::vector<KeyPose>& keys) {
  const Elements& elements = *modes_->elements();
  std::optional<RotationStrain> previous;
  std::vector<Vec3> turns;
  std::vector<RotationStrain> residuals;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const Mat3 frame = guide_.rotation(times_[k]);
    UnwrapOptions unwrapping;
    unwrapping.seed = options_.seed;
    unwrapping.near = previous ? &*previous : nullptr;
    PoseNotes note;
    RotationStrain coordinates = rotation_strain(elements, turned_back(keys[k].pose, frame),
                                                 unwrapping, &note, fmt::format("pose {}", k));
    notes_.push_back(note);
    if (!options_.quasi_static) constraints_.add_turns(elements, frame, coordinates);
    modal_.push_back(modes_->project(coordinates));
    turns.push_back(modal_.back().rotation);
    if (options_.residuals == Residuals::coordinates) {
      residuals.push_back(difference(coordinates, modes_->coordinates(modal_.back())));
    }
    modal_velocities_.emplace_back();
    if (keys[k].velocity) {
      // Central differences through T: with h·velocity a millionth of the body, the error is 1e-12.
      const double size =
          (elements.rest.colwise().maxCoeff() - elements.rest.colwise().minCoeff()).maxCoeff();
      const double h = 1e-6 * size / std::max(1e-300, keys[k].velocity->cwiseAbs().maxCoeff());
      const Positions step = h * *keys[k].velocity;
      const ModalPose ahead = modes_->project(
          rotation_strain_after(elements, turned_back(keys[k].pose + step, frame), coordinates));
      const ModalPose back = modes_->project(
          rotation_strain_after(elements, turned_back(keys[k].pose - step, frame), coordinates));
      modal_velocities_.back() = (ahead.z - back.z) / (2 * h);
    }
    previous = std::move(coordinates);
  }
  turning_ = Path(times_, turns);
  if (!residuals.empty()) residuals_ = KeyedFields(times_, residuals, *kernel_);
}

void ShapeInterpolation::add_sequence() {
  const QuasiStatic& given = *options_.quasi_static;
  std::optional<RotationStrain> previous;
  for (std::size_t k = 0; k < given.poses.size(); ++k) {
    const Mat3 frame = guide_.rotation(given.times[k]);
    const Positions pose = turned_back(given.poses[k], frame);
    if (previous) {
      previous = rotation_strain_after(*modes_->elements(), pose, *previous);
    } else {
      UnwrapOptions unwrapping;
      unwrapping.seed = options_.seed;
      previous = rotation_strain(*modes_->elements(), pose, unwrapping);
    }
    sequence_.push_back(kernel_->field(*previous));
    constraints_.add_turns(*modes_->elements(), frame, *previous);
  }
}

void ShapeInterpolation::make_room() {
  const Elements& elements = *modes_->elements();
  z_.resize(modes_->mode_count());
  u_.resize(modes_->modes().padded_rows());
  targets_ = reconstruction_->targets_at(elements.rest);
  terms_.reserve(KeyedFields::kMostTerms + 4 + 2);
  std::size_t most = 0;
  for (const auto& region : constraints_.regions()) most = std::max(most, region.elements.size());
  region_turns_.resize(constraints_.regions().size());
  if (options_.fits > 0) {
    gradients_.resize(elements.element_count());
    turned_.reserve(elements.element_count());
  }
  for (const auto& region : constraints_.regions()) {
    stiff_.resize(elements.element_count(), 0);
    for (const int element : region.elements) stiff_[element] = 1;
  }
  region_w_.reserve(most);
  region_S_.reserve(most);
}

void ShapeInterpolation::set_controls(const MotionControls& controls) {
  ModalKeys keys;
  keys.times = times_;
  for (const ModalPose& pose : modal_) keys.z.push_back(pose.z);
  keys.velocities = modal_velocities_;
  // Who adds vibrations to a motion that is there already wants them.
  const bool vibrate = options_.quasi_static && options_.trajectory == Trajectory::automatic;
  motion_ = ModalMotion(modes_->eigenvalues(), keys, controls,
                        vibrate ? Trajectory::free : options_.trajectory);
  options_.controls = controls;
}

void ShapeInterpolation::find_position_residuals(const std::vector<KeyPose>& keys) {
  std::vector<Positions> found;
  for (const KeyPose& key : keys) found.push_back(key.pose - evaluate(key.time));
  position_residuals_ = std::move(found);
}

void ShapeInterpolation::insert_key(double time, const Positions& pose) {
  check_pose(*modes_->elements(), pose, "inserted key");
  if (!(time > start() && time < end())) {
    throw Error(fmt::format("{:g} s is not between {:g} and {:g} s", time, start(), end()),
                "inserted key", "insert keys between the first and the last pose");
  }
  if (std::find(all_times_.begin(), all_times_.end(), time) != all_times_.end()) {
    throw Error(fmt::format("there is a key at {:g} s already", time), "inserted key",
                "remove it first, or choose another time");
  }
  std::vector<InsertedKey> others = std::move(inserted_);
  inserted_.clear();
  const RotationStrain now = coordinates_at(time);
  set_targets(time, Mat3::Identity());
  inserted_ = std::move(others);

  // Deviates: the printed Δ̂ = T(key) − T(X(t)) misses the key, since T(T⁻¹(X̂)) ≠ X̂; and what is
  // added as positions must be taken off before.
  Positions aim = pose;
  if (!position_residuals_.empty()) {
    Positions residual = Positions::Zero(pose.rows(), 3);
    add_position_residuals(time, residual);
    aim -= residual;
  }
  InsertedKey key{time, {}, {}, {}};
  const RotationStrain wanted =
      rotation_strain_after(*modes_->elements(), turned_back(aim, frame_), now);
  key.correction = kernel_->field(difference(wanted, now));
  const ReconstructionTargets there = reconstruction_->targets_at(aim);
  key.barycentres = there.barycentres - targets_.barycentres;
  key.held = there.held - targets_.held;
  for (Eigen::Index k = 0; k < key.held.rows(); ++k) {
    if (!constraints_.follows_keys(static_cast<int>(k))) key.held.row(k).setZero();
  }
  const auto later = [](const InsertedKey& a, const InsertedKey& b) { return a.time < b.time; };
  inserted_.insert(std::upper_bound(inserted_.begin(), inserted_.end(), key, later),
                   std::move(key));
  all_times_.insert(std::upper_bound(all_times_.begin(), all_times_.end(), time), time);
  if (ranges_) ranges_->add_pose(time, pose);
}

void ShapeInterpolation::remove_inserted_keys() {
  for (const InsertedKey& key : inserted_) {
    if (ranges_) ranges_->remove_pose(key.time);
  }
  inserted_.clear();
  all_times_ = times_;
}

double ShapeInterpolation::bump(std::size_t inserted, double t) const {
  const double here = inserted_[inserted].time;
  const auto at = std::lower_bound(all_times_.begin(), all_times_.end(), here);
  return key_bump(*(at - 1), here, *(at + 1), t);
}

void ShapeInterpolation::add_sequence_terms(double t) {
  const double gamma = options_.quasi_static->gamma;
  for (FieldTerm& term : terms_) term.coefficient *= gamma;
  z_ *= gamma;
  turn_ *= gamma;
  for (const KeyWeight& weight : key_weights(options_.quasi_static->times, t)) {
    if (weight.weight == 0) continue;
    terms_.push_back({&sequence_[weight.key], (1 - gamma) * weight.weight});
  }
}

void ShapeInterpolation::add_terms(double t) {
  terms_.clear();
  if (!residuals_.empty()) residuals_.add_terms(t, 1, terms_);
  if (!sequence_.empty()) add_sequence_terms(t);
  for (std::size_t k = 0; k < inserted_.size(); ++k) {
    const double weight = bump(k, t);
    if (weight != 0) terms_.push_back({&inserted_[k].correction, weight});
  }
}

void ShapeInterpolation::prepare(double t) {
  motion_.at(t, z_);
  frame_ = guide_.rotation(t);
  turn_ = turning_.at(t).value;
  add_terms(t);
  modes_->modes().multiply(z_.data(), u_.data());
}

void ShapeInterpolation::set_targets(double t, const Mat3& frame) {
  guide_.barycentres(t, targets_.barycentres);
  constraints_.held_targets(t, frame_, targets_.held);
  for (std::size_t k = 0; k < inserted_.size(); ++k) {
    const double weight = bump(k, t);
    if (weight == 0) continue;
    targets_.barycentres += weight * inserted_[k].barycentres;
    targets_.held += weight * inserted_[k].held;
  }
  for (Eigen::Index k = 0; k < targets_.barycentres.rows(); ++k) {
    targets_.barycentres.row(k) = (targets_.barycentres.row(k) * frame).eval();
  }
  for (Eigen::Index k = 0; k < targets_.held.rows(); ++k) {
    targets_.held.row(k) = (targets_.held.row(k) * frame).eval();
  }
}

/// Turns each orientation-constrained region as a whole, so that its mean rotation is the target.
void ShapeInterpolation::turn_regions(double t) {
  const Elements& elements = *modes_->elements();
  for (std::size_t number = 0; number < constraints_.regions().size(); ++number) {
    const KeyedConstraints::Region& region = constraints_.regions()[number];
    region_w_.clear();
    region_S_.clear();
    for (const int element : region.elements) {
      const ElementCoordinates c = coordinates_of(element);
      region_w_.push_back(c.w);
      region_S_.push_back(c.S);
    }
    const Mat3 mean = mean_rotation_of(elements, region.elements, region_w_);
    region_turns_[number] = frame_.transpose() * region.target(t) * mean.transpose();
    const Mat3 change = region_turns_[number] - Mat3::Identity();
    for (std::size_t k = 0; k < region.elements.size(); ++k) {
      const int element = region.elements[k];
      const Mat3 added = reconstruction_->element_weight(element) * change *
                         rotation_exp(region_w_[k]) * (Mat3::Identity() + region_S_[k]);
      for (int corner = 0; corner < elements.corner_count(); ++corner) {
        const int row = reconstruction_->row_of(elements.corners(element, corner));
        Eigen::Map<Vec3>(reconstruction_->rows() + NodalFactor::kRowSize * row) +=
            added * elements.gradient(element, corner);
      }
    }
  }
}

void ShapeInterpolation::add_position_residuals(double t, Positions& positions) const {
  if (position_residuals_.empty()) return;
  for (const KeyWeight& weight : key_weights(times_, t)) {
    if (weight.weight != 0) positions += weight.weight * position_residuals_[weight.key];
  }
}

void ShapeInterpolation::evaluate(double t, Positions& positions) {
  prepare(t);
  reconstruction_->clear();
  kernel_->accumulate(u_.data(), turn_, terms_, reconstruction_->rows());
  turn_regions(t);
  set_targets(t, frame_);
  reconstruction_->finish(targets_, positions);
  if (options_.fits > 0) fit(positions);
  for (Eigen::Index node = 0; node < positions.rows(); ++node) {
    positions.row(node) = (positions.row(node) * frame_.transpose()).eval();
  }
  place_strays(t, positions);
  add_position_residuals(t, positions);
  if (ranges_ && motion_.calm() && t > start() && t < end()) keep_within_poses(t, positions);
}

/// Bodies that nothing holds keep their barycentre where the guide has it.
void ShapeInterpolation::keep_within_poses(double t, Positions& positions) {
  const Vector& weights = modes_->elements()->node_weights;
  const auto centre = [&] { return Vec3(positions.transpose() * weights / weights.sum()); };
  const Vec3 before = centre();
  ranges_->apply(t, positions);
  if (options_.positions.empty()) positions.rowwise() += (before - centre()).transpose();
}

void ShapeInterpolation::fit(Positions& positions) {
  for (int element = 0; element < modes_->elements()->element_count(); ++element) {
    const ElementCoordinates c = coordinates_of(element);
    gradients_[element] = rotation_exp(c.w) * (Mat3::Identity() + c.S);
  }
  for (std::size_t k = 0; k < constraints_.regions().size(); ++k) {
    for (const int element : constraints_.regions()[k].elements) {
      gradients_[element] = region_turns_[k] * gradients_[element];
    }
  }
  fit_rotations(*reconstruction_, gradients_, stiff_, targets_, options_.fits, turned_, positions);
}

void ShapeInterpolation::place_strays(double t, Positions& positions) const {
  for (const Stray& stray : strays_) {
    positions.row(stray.node) = stray.path.at(t).value.transpose();
  }
}

ElementCoordinates ShapeInterpolation::coordinates_of(int element) const {
  return kernel_->coordinates_of(element, u_.data(), turn_, terms_);
}

Mat3 ShapeInterpolation::rotation_of(int element) const {
  return frame_ * rotation_exp(coordinates_of(element).w);
}

Positions ShapeInterpolation::evaluate(double t) {
  Positions positions;
  evaluate(t, positions);
  return positions;
}

RotationStrain ShapeInterpolation::coordinates_at(double t) {
  prepare(t);
  RotationStrain result;
  const int count = modes_->elements()->element_count();
  result.w.resize(count, 3);
  result.S.resize(count);
  for (int element = 0; element < count; ++element) {
    const ElementCoordinates c = coordinates_of(element);
    result.w.row(element) = c.w.transpose();
    result.S[element] = c.S;
  }
  return result;
}

}  // namespace limber
