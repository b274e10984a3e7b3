// How the structures of limber.h lie in memory, for JavaScript, which fills and reads them by name.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "limber/limber.h"

namespace {

enum Kind : std::int32_t { end = 0, whole = 1, i32 = 2, u64 = 3, f64 = 4, pointer = 5, record = 6 };

template <class Member>
constexpr Kind kind_of() {
  using T = std::remove_all_extents_t<Member>;
  if constexpr (std::is_pointer_v<T>) {
    return pointer;
  } else if constexpr (std::is_class_v<T>) {
    return record;
  } else if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) == 8);
    return f64;
  } else {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    return sizeof(T) == 8 ? u64 : i32;
  }
}

template <class Member>
constexpr std::int32_t count_of() {
  if constexpr (std::is_array_v<Member>) return std::extent_v<Member>;
  return 1;
}

/// `whole` begins a structure: its name and its bytes. The members that follow are its own.
struct Entry {
  const char* name;
  Kind kind;
  std::int32_t offset;
  std::int32_t count;
};

#define WHOLE(type) \
  Entry { #type, whole, static_cast < std::int32_t>(sizeof(type)), 1 }
#define MEMBER(type, member)                                                                      \
  Entry {                                                                                         \
#member, kind_of < decltype(type::member)>(),                                                 \
        static_cast < std::int32_t>(offsetof(type, member)), count_of < decltype(type::member)>() \
  }

constexpr Entry kRecords[] = {
    WHOLE(limber_model_info),
    MEMBER(limber_model_info, size),
    MEMBER(limber_model_info, nodes),
    MEMBER(limber_model_info, modes),
    MEMBER(limber_model_info, vertices),
    MEMBER(limber_model_info, triangles),
    MEMBER(limber_model_info, is_free),
    MEMBER(limber_model_info, mass),
    WHOLE(limber_stream),
    MEMBER(limber_stream, data),
    MEMBER(limber_stream, stride),
    MEMBER(limber_stream, count),
    WHOLE(limber_point),
    MEMBER(limber_point, nodes),
    MEMBER(limber_point, weights),
    WHOLE(limber_world_options),
    MEMBER(limber_world_options, size),
    MEMBER(limber_world_options, no_gravity),
    MEMBER(limber_world_options, gravity),
    MEMBER(limber_world_options, substeps),
    MEMBER(limber_world_options, no_sleep),
    WHOLE(limber_touch),
    MEMBER(limber_touch, none),
    MEMBER(limber_touch, has_friction),
    MEMBER(limber_touch, friction),
    MEMBER(limber_touch, restitution),
    MEMBER(limber_touch, groups),
    MEMBER(limber_touch, meets),
    WHOLE(limber_body_options),
    MEMBER(limber_body_options, size),
    MEMBER(limber_body_options, method),
    MEMBER(limber_body_options, integrator),
    MEMBER(limber_body_options, fast),
    MEMBER(limber_body_options, name),
    MEMBER(limber_body_options, mass_damping),
    MEMBER(limber_body_options, stiffness_damping),
    MEMBER(limber_body_options, position),
    MEMBER(limber_body_options, rotation),
    MEMBER(limber_body_options, velocity),
    MEMBER(limber_body_options, angular_velocity),
    MEMBER(limber_body_options, touch),
    WHOLE(limber_body_state),
    MEMBER(limber_body_state, size),
    MEMBER(limber_body_state, stopped),
    MEMBER(limber_body_state, asleep),
    MEMBER(limber_body_state, contacts),
    MEMBER(limber_body_state, position),
    MEMBER(limber_body_state, rotation),
    MEMBER(limber_body_state, momentum),
    MEMBER(limber_body_state, angular_momentum),
    MEMBER(limber_body_state, kinetic_energy),
    MEMBER(limber_body_state, elastic_energy),
    MEMBER(limber_body_state, contact_force),
    WHOLE(limber_handle_options),
    MEMBER(limber_handle_options, size),
    MEMBER(limber_handle_options, kind),
    MEMBER(limber_handle_options, treatment),
    MEMBER(limber_handle_options, point),
    MEMBER(limber_handle_options, target),
    MEMBER(limber_handle_options, stiffness),
    MEMBER(limber_handle_options, damping),
    WHOLE(limber_shape),
    MEMBER(limber_shape, kind),
    MEMBER(limber_shape, dimensions),
    WHOLE(limber_obstacle_options),
    MEMBER(limber_obstacle_options, size),
    MEMBER(limber_obstacle_options, name),
    MEMBER(limber_obstacle_options, shape),
    MEMBER(limber_obstacle_options, touch),
    MEMBER(limber_obstacle_options, position),
    MEMBER(limber_obstacle_options, rotation),
    WHOLE(limber_contact),
    MEMBER(limber_contact, a),
    MEMBER(limber_contact, b),
    MEMBER(limber_contact, point),
    MEMBER(limber_contact, normal),
    MEMBER(limber_contact, impulse),
    MEMBER(limber_contact, depth),
    WHOLE(limber_hit),
    MEMBER(limber_hit, size),
    MEMBER(limber_hit, hit),
    MEMBER(limber_hit, who),
    MEMBER(limber_hit, distance),
    MEMBER(limber_hit, point),
    MEMBER(limber_hit, normal),
    Entry{nullptr, end, 0, 0},
};

}  // namespace

extern "C" {

/// The entries, up to one of kind `end`.
const Entry* limber_records() { return kRecords; }

}  // extern "C"
