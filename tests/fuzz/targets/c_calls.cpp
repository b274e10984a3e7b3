// The C interface: the bytes are a list of calls, each an operation and its arguments. Whatever the
// numbers, a call succeeds or says in one line why not, and what can be seen of a world is finite.
#include <limber/limber.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>

#include "fuzz/one_tet.h"
#include "fuzz/target.h"
#include "limber/core/printable.h"

namespace limber::fuzz {
namespace {

constexpr int kMostCalls = 48;

/// Arguments out of bytes; zeros when they end.
class Arguments {
 public:
  explicit Arguments(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  int byte() {
    if (bytes_.empty()) return 0;
    const int value = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return value;
  }
  /// Sixteenths up to eight, what is hard to bear, or any eight bytes.
  double number() {
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();
    static constexpr std::array kHard{0.0,
                                      -0.0,
                                      1e-308,
                                      1e-30,
                                      1e-9,
                                      1e9,
                                      1e30,
                                      1e154,
                                      1e308,
                                      -1e30,
                                      kInfinity,
                                      -kInfinity,
                                      std::numeric_limits<double>::quiet_NaN()};
    const int kind = byte();
    if (kind < 224) return kind / 16.0 - 6;
    if (static_cast<std::size_t>(kind - 224) < kHard.size()) return kHard[kind - 224];
    std::array<char, sizeof(double)> raw{};
    for (char& one : raw) one = static_cast<char>(byte());
    double value = 0;
    std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  template <std::size_t N>
  void numbers(double (&values)[N]) {
    for (double& value : values) value = number();
  }

 private:
  std::string_view bytes_;
};

class Caller {
 public:
  explicit Caller(std::string_view bytes) : given_(bytes) {
    static const std::string file = one_tet_file(Precision::float32);
    take(limber_model_from_memory(file.data(), file.size(), &model_));
    take(limber_world_new(nullptr, &world_));
  }
  ~Caller() {
    limber_world_free(world_);
    limber_model_free(model_);
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  void run() {
    for (int call = 0; call < kMostCalls && !given_.empty(); ++call) {
      this->call(given_.byte() % 16);
      if (body_ != 0) look();
    }
  }

 private:
  template <class T>
  T sized() {
    T options{};
    options.size = sizeof options;
    return options;
  }

  /// Anything but success has a reason in one printable line.
  bool take(limber_result result) {
    if (result == LIMBER_OK) return true;
    const std::string_view words = limber_error();
    if (result == LIMBER_INTERNAL) throw std::logic_error("internal: " + std::string(words));
    if (words.empty() || printable(words) != words) {
      throw std::logic_error("a failure without one printable line");
    }
    return false;
  }

  void call(int operation) {
    switch (operation) {
      case 0:
        return add_body();
      case 1:
        return add_rigid();
      case 2:
        return add_obstacle();
      case 3:
        return add_joint();
      case 4:
        take(limber_world_remove(world_, body_));
        break;
      case 5:
        return hold();
      case 6: {
        double target[3];
        given_.numbers(target);
        take(limber_body_move_handle(world_, body_, handle_, target));
        break;
      }
      case 7:
        take(limber_body_release(world_, body_, given_.byte() - 1));
        break;
      case 8: {
        double at[3], turn[4];
        given_.numbers(at);
        given_.numbers(turn);
        take(limber_body_place(world_, body_, at, turn));
        break;
      }
      case 9: {
        double velocity[3], spin[3];
        given_.numbers(velocity);
        given_.numbers(spin);
        take(limber_body_set_velocity(world_, body_, velocity, spin));
        break;
      }
      case 10: {
        const limber_point point = limber_node(given_.byte() - 1);
        double impulse[3];
        given_.numbers(impulse);
        take(limber_body_impulse(world_, body_, &point, impulse));
        break;
      }
      case 11:
        return restore();
      case 12:
        return cast();
      case 13: {
        double amplitude = given_.number(), velocity = given_.number();
        take(limber_body_set_modal(world_, body_, &amplitude, &velocity, 1));
        break;
      }
      case 14:
        take(limber_body_resume(world_, body_));
        break;
      default:
        take(limber_world_step(world_, given_.number()));
    }
  }

  void add_body() {
    auto options = sized<limber_body_options>();
    options.method = given_.byte() % 3;
    options.integrator = given_.byte() % 4;
    options.mass_damping = given_.number();
    options.stiffness_damping = given_.number();
    given_.numbers(options.position);
    given_.numbers(options.rotation);
    options.touch.friction = given_.number();
    options.touch.has_friction = given_.byte() % 2;
    limber_body added = 0;
    if (take(limber_world_add(world_, model_, &options, &added))) body_ = added;
  }

  void shape(limber_shape& shape) {
    shape.kind = given_.byte() % 6;
    given_.numbers(shape.dimensions);
  }

  void add_rigid() {
    auto options = sized<limber_rigid_options>();
    shape(options.shape);
    options.mass = given_.number();
    given_.numbers(options.position);
    given_.numbers(options.velocity);
    given_.numbers(options.angular_velocity);
    limber_body added = 0;
    if (take(limber_world_add_rigid(world_, &options, &added))) body_ = added;
  }

  void add_obstacle() {
    auto options = sized<limber_obstacle_options>();
    shape(options.shape);
    given_.numbers(options.position);
    take(limber_world_add_obstacle(world_, &options, &obstacle_));
  }

  void add_joint() {
    auto options = sized<limber_joint_options>();
    options.kind = given_.byte() % 6;
    options.a = body_;
    options.b = given_.byte() % 2 == 0 ? obstacle_ : 0;
    given_.numbers(options.at);
    given_.numbers(options.axis);
    options.break_force = given_.number();
    options.motor_torque = given_.number();
    limber_joint joint = 0;
    take(limber_world_add_joint(world_, &options, &joint));
  }

  void hold() {
    auto options = sized<limber_handle_options>();
    options.kind = given_.byte() % 6;
    options.treatment = given_.byte() % 4;
    options.point = limber_node(given_.byte() - 1);
    given_.numbers(options.target);
    options.stiffness = given_.number();
    options.damping = given_.number();
    take(limber_body_hold(world_, body_, &options, &handle_));
  }

  /// The world's own snapshot, or a damaged one, which is refused or changes nothing that shows.
  void restore() {
    std::size_t size = 0;
    if (!take(limber_world_snapshot_size(world_, &size))) return;
    std::string bytes(size, '\0');
    if (!take(limber_world_save(world_, bytes.data(), bytes.size(), &size))) return;
    const int way = given_.byte();
    if (way % 2 == 1 && !bytes.empty()) {
      bytes[static_cast<std::size_t>(way * given_.byte()) % bytes.size()] ^= 16;
      if (take(limber_world_restore(world_, bytes.data(), bytes.size()))) {
        throw std::logic_error("a damaged snapshot was taken");
      }
    } else if (!take(limber_world_restore(world_, bytes.data(), bytes.size()))) {
      throw std::logic_error("the world's own snapshot was refused");
    }
  }

  void cast() {
    double from[3], direction[3];
    given_.numbers(from);
    given_.numbers(direction);
    auto hit = sized<limber_hit>();
    const double longest = given_.number(), radius = given_.number();
    if (!take(limber_world_cast(world_, from, direction, longest, radius, 0, &hit))) return;
    if (hit.hit != 0 && !std::isfinite(hit.distance)) {
      throw std::logic_error("a hit that is nowhere");
    }
  }

  void look() {
    auto state = sized<limber_body_state>();
    if (!take(limber_body_get_state(world_, body_, &state)) || state.stopped == 1) return;
    const auto expect_finite = [](std::span<const double> values) {
      for (const double value : values) {
        if (!std::isfinite(value)) throw std::logic_error("a state that is not finite");
      }
    };
    expect_finite({&state.kinetic_energy, 1});
    expect_finite({&state.elastic_energy, 1});
    for (const auto& triple : {state.position, state.momentum, state.angular_momentum}) {
      expect_finite({triple, 3});
    }
  }

  Arguments given_;
  limber_model* model_ = nullptr;
  limber_world* world_ = nullptr;
  limber_body body_ = 0;
  limber_obstacle obstacle_ = 0;
  std::int32_t handle_ = 0;
};

std::string calls(std::initializer_list<int> bytes) {
  std::string all;
  for (const int byte : bytes) all += static_cast<char>(byte);
  return all;
}

// 96 is the number 0 here, 112 is 1, 97 a sixteenth.
const Register kCalls({"c-calls", [](std::string_view bytes) { Caller(bytes).run(); },
                       [] {
                         return std::vector<std::string>{
                             // a body, three steps, an impulse, its snapshot
                             calls({0,  0,  0,  97, 97, 96, 96, 96, 96, 96, 96, 112, 96, 0, 15,
                                    97, 15, 97, 10, 2,  98, 96, 96, 15, 97, 11, 0,   15, 97}),
                             // a body, and the smallest step that there is
                             calls({0, 0, 0, 97, 97, 96, 96, 96, 96, 96, 96, 112, 96, 0, 15, 255,
                                    1, 0, 0, 0, 0, 0, 0, 0}),
                             // a ball falls on the ground; a ray
                             calls({2,   0,   96, 96,  96, 96,  96, 96, 1,  1,  104, 104,
                                    104, 112, 96, 100, 96, 96,  96, 96, 96, 96, 96,  15,
                                    97,  15,  97, 12,  96, 120, 96, 96, 80, 96, 200, 97}),
                             // a hinge, a handle that jumps
                             calls({0,  0,  0,   97,  97, 96, 96, 96,  96, 96, 96, 112, 96, 0, 3,
                                    1,  1,  96,  96,  96, 96, 96, 112, 97, 97, 5,  0,   0,  2, 96,
                                    97, 96, 112, 112, 15, 97, 6,  120, 96, 96, 15, 97,  7,  1})};
                       }});

}  // namespace
}  // namespace limber::fuzz
