/* Limber from C: elastic bodies, baked by `limber bake`, that are held, hit, thrown and drawn.
 *
 *   limber_model* model;  limber_world* world;  limber_body body;
 *   limber_model_open("dino.limber", &model);
 *   limber_world_new(NULL, &world);
 *   limber_world_add(world, model, NULL, &body);
 *   limber_world_step(world, 1.0 / 60);
 *   limber_body_surface(world, body, LIMBER_IN_WORLD, &positions, &normals);
 *
 * Units are SI (m, kg, s, rad), coordinates right-handed, quaternions x y z w. docs/c-interface.md
 * tells the rest.
 *
 * Results. Every function that can fail returns a limber_result; LIMBER_OK is zero. limber_error()
 * has the text of the last failure of this thread. A call that fails changes nothing, if its
 * comment does not say otherwise. Null pointers, numbers that are not finite, ids of what is gone
 * and damaged files are refused; nothing that is passed in brings the process down, except pointers
 * to memory that is not the caller's.
 *
 * Structures begin with their size: `limber_body_options options = {sizeof options};` and zero is
 * the default of every other member. Later versions add members at the end; a library takes older,
 * smaller ones, and larger ones as long as what it does not know is zero.
 *
 * Threads. One world is used by one thread at a time; different worlds by different threads at
 * once, and they do not wait for each other. Models never change: any number of threads and worlds
 * share one. limber_set_allocator() and limber_set_log() come before everything else. Log and
 * allocator functions are called on whatever thread the work is done on.
 */
#ifndef LIMBER_LIMBER_H
#define LIMBER_LIMBER_H

#include <stddef.h>
#include <stdint.h>

#define LIMBER_VERSION_MAJOR 0
#define LIMBER_VERSION_MINOR 2
#define LIMBER_VERSION_PATCH 0

#if defined(__GNUC__)
#define LIMBER_API __attribute__((visibility("default")))
#else
#define LIMBER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results, hooks ------------------------------------------------------------------------- */

typedef int32_t limber_result;
enum {
  LIMBER_OK = 0,
  LIMBER_BAD_INPUT = 1, /* an argument or a file is wrong */
  LIMBER_WORK_FAILED =
      2, /* the input was fine, the work was not: a body that was stopped, no equilibrium */
  LIMBER_NO_MEMORY = 3,
  LIMBER_TOO_SMALL = 4, /* the caller's buffer; the size that it needs is told */
  LIMBER_INTERNAL = 5   /* a bug of Limber's */
};

/* major·10000 + minor·100 + patch of the library, whatever header the caller has. */
LIMBER_API uint32_t limber_version(void);

/* The last failure of this thread in one line, "WHAT (WHERE): REMEDY"; empty before the first.
 * Valid until the thread's next call that fails. */
LIMBER_API const char* limber_error(void);

typedef int32_t limber_log_level;
enum { LIMBER_LOG_ERROR = 1, LIMBER_LOG_WARNING = 2 };
/* Errors: calls that fail. Warnings: bodies that are stopped. Null: nothing is said. The function
 * must not call Limber. */
typedef void (*limber_log_function)(limber_log_level level, const char* text, void* user);
LIMBER_API void limber_set_log(limber_log_function log, void* user);

typedef struct limber_allocator {
  uint32_t size;
  /* 16-byte aligned memory or null. Must be callable from several threads at once. */
  void* (*allocate)(size_t bytes, void* user);
  void (*release)(void* memory, void* user);
  void* user;
} limber_allocator;
/* For all memory taken from now on; null: malloc and free. Every block goes back to where it came
 * from, also when the hook was changed meanwhile. A hook that gives null makes the call fail with
 * LIMBER_NO_MEMORY, except in limber_world_step(), which never stops half-way and takes what it is
 * refused from malloc. Files are read into pages of the system. */
LIMBER_API limber_result limber_set_allocator(const limber_allocator* allocator);

/* ---- Models: baked bodies ------------------------------------------------------------------- */

typedef struct limber_model limber_model;

/* A file that is cut short, damaged or of another version is refused. */
LIMBER_API limber_result limber_model_open(const char* path, limber_model** model);
/* The bytes of such a file; they are copied. */
LIMBER_API limber_result limber_model_from_memory(const void* bytes, size_t size,
                                                  limber_model** model);
/* At any time: worlds keep what they use. Null is allowed. */
LIMBER_API void limber_model_free(limber_model* model);

typedef struct limber_model_info {
  uint32_t size;
  int32_t nodes;
  int32_t modes;
  int32_t vertices;  /* of the surface */
  int32_t triangles; /* of the surface */
  int32_t is_free;   /* no fixed nodes: it flies */
  double mass;       /* kg */
} limber_model_info;
LIMBER_API limber_result limber_model_get_info(const limber_model* model, limber_model_info* info);

/* Numbers for each of `count` vertices, the next `stride` bytes behind the one before; stride 0:
 * close together. For positions, normals and modes three floats, for texture coordinates two. */
typedef struct limber_stream {
  float* data;
  size_t stride;
  size_t count;
} limber_stream;

/* Three vertices a triangle, counter-clockwise from outside; `count` = 3·triangles numbers. */
LIMBER_API limber_result limber_model_triangles(const limber_model* model, uint32_t* indices,
                                                size_t count);
/* Streams may be null. Models without texture coordinates refuse `uv`. */
LIMBER_API limber_result limber_model_surface(const limber_model* model,
                                              const limber_stream* positions,
                                              const limber_stream* normals,
                                              const limber_stream* uv);
/* Red, green and blue of each vertex, linear, 0 to 1. Models without paint refuse. */
LIMBER_API limber_result limber_model_colours(const limber_model* model,
                                              const limber_stream* colours);
/* For vertex shaders that warp: Φ and Ψ of one mode at every vertex. With q of limber_body_modal(),
 * u = Σ q·Φ, w = Σ q·Ψ, and the vertex goes to X + R~(w) u (Choi & Ko 2005, eq. 22, appendix II).
 */
LIMBER_API limber_result limber_model_mode(const limber_model* model, int32_t mode,
                                           const limber_stream* phi, const limber_stream* psi);
/* rad²/s², ascending; `count` = modes. */
LIMBER_API limber_result limber_model_eigenvalues(const limber_model* model, double* eigenvalues,
                                                  size_t count);

/* A point of a body: Σ weights·nodes, the weights summing to one. */
typedef struct limber_point {
  int32_t nodes[4];
  double weights[4];
} limber_point;
LIMBER_API limber_point limber_node(int32_t node);
/* A vertex of the surface. */
LIMBER_API limber_result limber_model_vertex(const limber_model* model, int32_t vertex,
                                             limber_point* point);
/* The node nearest to a place at rest that a hand can hold: not a fixed one. */
LIMBER_API limber_result limber_model_nearest(const limber_model* model, const double place[3],
                                              limber_point* point);

/* ---- Worlds --------------------------------------------------------------------------------- */

typedef struct limber_world limber_world;
/* Names a body of a world for as long as the world lives; never used again. Zero is none. */
typedef uint64_t limber_body;

typedef struct limber_world_options {
  uint32_t size;
  int32_t no_gravity; /* 0: `gravity` counts, and all zero means 9.81 m/s² down, along −y */
  double gravity[3];  /* m/s² */
  int32_t substeps;   /* of bodies that touch; 0: sixteen */
  int32_t no_sleep;   /* 0: what lies still is left out of steps until something wakes it */
} limber_world_options;
/* `options` may be null. */
LIMBER_API limber_result limber_world_new(const limber_world_options* options,
                                          limber_world** world);
/* Null is allowed. */
LIMBER_API void limber_world_free(limber_world* world);

/* How something touches others. */
typedef struct limber_touch {
  int32_t none;         /* 1: it touches nothing */
  int32_t has_friction; /* 0: a pair has the other's, or a half */
  double friction;      /* Coulomb's; a pair has the geometric mean */
  double restitution;   /* 0 to 1; a pair has the larger one */
  uint32_t groups;      /* that it is in; 0: the first */
  uint32_t meets;       /* groups that it meets; 0: all */
} limber_touch;

enum { LIMBER_MODAL_WARPING = 0, LIMBER_LINEAR_MODAL = 1 };              /* method */
enum { LIMBER_EXACT = 0, LIMBER_SEMI_IMPLICIT = 1, LIMBER_NEWMARK = 2 }; /* integrator */

typedef struct limber_body_options {
  uint32_t size;
  int32_t method;
  int32_t integrator;
  int32_t fast;        /* 1: sums over nodes by few of them, within 1 %; for bodies of many nodes */
  const char* name;    /* for messages; null: made up */
  double mass_damping; /* Rayleigh's, 1/s */
  double stiffness_damping; /* s */
  double position[3];       /* of the rest coordinates' origin */
  double rotation[4];       /* all zero: not turned */
  double velocity[3];       /* of the mass centre; free bodies only, as the next */
  double angular_velocity[3];
  limber_touch touch;
} limber_body_options;
/* `options` may be null. */
LIMBER_API limber_result limber_world_add(limber_world* world, const limber_model* model,
                                          const limber_body_options* options, limber_body* body);
LIMBER_API limber_result limber_world_remove(limber_world* world, limber_body body);
LIMBER_API limber_result limber_world_set_gravity(limber_world* world, const double gravity[3]);

/* What a step may cost, by a model of what bodies cost: those that are seen least get fewer modes,
 * local nodes and forces, and nothing jumps. */
typedef struct limber_budget_options {
  uint32_t size;
  int32_t has_view;    /* 1: the next three hold; 0: all bodies are as far away */
  double microseconds; /* a step; 0: no budget */
  double machine;      /* how many times slower than the model's; 0: as fast */
  double eye[3];
  double towards[3]; /* any length; zero: everything is in sight */
  double angle;      /* rad across the picture */
} limber_budget_options;
/* Call it again when the view moves. */
LIMBER_API limber_result limber_world_set_budget(limber_world* world,
                                                 const limber_budget_options* options);
/* 1 is as the body is seen, 2 as if it were twice as large. */
LIMBER_API limber_result limber_body_set_importance(limber_world* world, limber_body body,
                                                    double importance);

/* All bodies on by `seconds`. LIMBER_WORK_FAILED: a body could not go on and was stopped where it
 * is (limber_error() says which and why, limber_body_resume() lets it go on); the others have
 * moved. */
LIMBER_API limber_result limber_world_step(limber_world* world, double seconds);
/* All bodies to their equilibrium. */
LIMBER_API limber_result limber_world_settle(limber_world* world);
LIMBER_API limber_result limber_world_time(const limber_world* world, double* seconds);

/* Bytes that a snapshot takes now; more handles, more bytes. */
LIMBER_API limber_result limber_world_snapshot_size(const limber_world* world, size_t* bytes);
/* Everything that later steps depend on, into the caller's buffer. `used` (may be null): the bytes
 * written or, with LIMBER_TOO_SMALL, needed. */
LIMBER_API limber_result limber_world_save(const limber_world* world, void* buffer, size_t capacity,
                                           size_t* used);
/* Bit for bit. Refused, and nothing is changed: damaged snapshots, and those of another world or
 * from before a body came or went. */
LIMBER_API limber_result limber_world_restore(limber_world* world, const void* snapshot,
                                              size_t size);

/* ---- Bodies --------------------------------------------------------------------------------- */

typedef struct limber_body_state {
  uint32_t size;
  int32_t stopped; /* 1: could not go on; the numbers below are then those it stopped with */
  int32_t asleep;
  int32_t contacts;   /* points that touch */
  double position[3]; /* of the rest coordinates' origin */
  double rotation[4];
  double momentum[3];         /* kg m/s */
  double angular_momentum[3]; /* kg m²/s, about the world's origin */
  double kinetic_energy;      /* J */
  double elastic_energy;      /* J */
  double contact_force[3];    /* N, the sum over the last step */
} limber_body_state;
LIMBER_API limber_result limber_body_get_state(const limber_world* world, limber_body body,
                                               limber_body_state* state);

/* Free bodies only. Velocities are of the mass centre and about it. */
LIMBER_API limber_result limber_body_place(limber_world* world, limber_body body,
                                           const double position[3], const double rotation[4]);
LIMBER_API limber_result limber_body_set_velocity(limber_world* world, limber_body body,
                                                  const double velocity[3],
                                                  const double angular_velocity[3]);
/* Bodies with fixed nodes only: how the frame that those hang on moves from now on, smoothly
 * through keys whose times ascend. One key: it goes there at once and stays. */
typedef struct limber_key {
  double time; /* of the world, s */
  double position[3];
  double rotation[4];
} limber_key;
LIMBER_API limber_result limber_body_set_support(limber_world* world, limber_body body,
                                                 const limber_key* keys, size_t count);
/* N s, world coordinates, at once. */
LIMBER_API limber_result limber_body_impulse(limber_world* world, limber_body body,
                                             const limber_point* point, const double impulse[3]);
/* Where a point is and how it moves, world coordinates; either may be null. */
LIMBER_API limber_result limber_body_point(const limber_world* world, limber_body body,
                                           const limber_point* point, double position[3],
                                           double velocity[3]);
/* Modal amplitudes, each at once; `velocities` may be null for none. `count` = modes. */
LIMBER_API limber_result limber_body_set_modal(limber_world* world, limber_body body,
                                               const double* amplitudes, const double* velocities,
                                               size_t count);
/* A body that was stopped may go on: after what stopped it is gone. */
LIMBER_API limber_result limber_body_resume(limber_world* world, limber_body body);

/* Handles: what a person holds. */
enum {
  LIMBER_POSITION = 0,     /* target: where the point is, m */
  LIMBER_ORIENTATION = 1,  /* rotation vector of the point since rest, rad */
  LIMBER_VELOCITY = 2,     /* m/s */
  LIMBER_ACCELERATION = 3, /* m/s² */
  LIMBER_SPRING = 4        /* where a spring and damper pull the point, m */
};
enum { LIMBER_PREVIOUS = 0, LIMBER_PREDICTED = 1, LIMBER_NEWTON = 2 }; /* treatment */

/* Targets of free bodies are in world coordinates, of others in their support's frame. */
typedef struct limber_handle_options {
  uint32_t size;
  int32_t kind;
  int32_t treatment;
  int32_t reserved; /* zero */
  limber_point point;
  double target[3];
  double stiffness; /* springs: N/m */
  double damping;   /* springs: N s/m */
} limber_handle_options;
/* `handle` is a number of the body's. */
LIMBER_API limber_result limber_body_hold(limber_world* world, limber_body body,
                                          const limber_handle_options* options, int32_t* handle);
LIMBER_API limber_result limber_body_move_handle(limber_world* world, limber_body body,
                                                 int32_t handle, const double target[3]);
LIMBER_API limber_result limber_body_release(limber_world* world, limber_body body, int32_t handle);
/* How far handles are from what they ask for, the largest of each kind; either may be null. */
LIMBER_API limber_result limber_body_handle_errors(const limber_world* world, limber_body body,
                                                   double* metres, double* radians);

/* ---- Obstacles, rigid bodies, joints ----------------------------------------------------------
 */

/* Names an obstacle of a world, as limber_body does a body; the two are never equal. */
typedef uint64_t limber_obstacle;

enum {
  LIMBER_PLANE = 0,   /* solid below y = 0 of its own coordinates */
  LIMBER_SPHERE = 1,  /* dimensions: radius */
  LIMBER_BOX = 2,     /* edges x, y, z */
  LIMBER_CAPSULE = 3, /* radius, length between the centres of its ends, along y */
  LIMBER_MESH = 4     /* triangles, open or closed */
};
typedef struct limber_shape {
  int32_t kind;
  int32_t reserved; /* zero */
  double dimensions[3];
  const double* vertices; /* meshes: x y z each; copied, as the triangles */
  size_t vertex_count;
  const uint32_t* triangles; /* three vertices each, counter-clockwise from outside */
  size_t triangle_count;
} limber_shape;

/* All zero but the size: the ground, y <= 0. */
typedef struct limber_obstacle_options {
  uint32_t size;
  int32_t reserved; /* zero */
  const char* name; /* for messages; null: made up */
  limber_shape shape;
  limber_touch touch;
  double position[3];
  double rotation[4];
  const limber_key* path; /* moves it, in the place of position and rotation; copied */
  size_t path_count;
} limber_obstacle_options;
LIMBER_API limber_result limber_world_add_obstacle(limber_world* world,
                                                   const limber_obstacle_options* options,
                                                   limber_obstacle* obstacle);
LIMBER_API limber_result limber_world_remove_obstacle(limber_world* world,
                                                      limber_obstacle obstacle);

/* A body that moves and never deforms: a sphere, box, capsule or closed mesh, filled evenly. It has
 * no surface and no modes; limber_body_matrix() draws its shape. */
typedef struct limber_rigid_options {
  uint32_t size;
  int32_t reserved; /* zero */
  const char* name;
  limber_shape shape;
  limber_touch touch;
  double mass; /* kg */
  double position[3];
  double rotation[4];
  double velocity[3]; /* of the mass centre */
  double angular_velocity[3];
} limber_rigid_options;
LIMBER_API limber_result limber_world_add_rigid(limber_world* world,
                                                const limber_rigid_options* options,
                                                limber_body* body);

typedef uint64_t limber_joint;
enum {
  LIMBER_BALL = 0,
  LIMBER_HINGE = 1, /* turns about its axis */
  LIMBER_WELD = 2,
  LIMBER_SLIDER = 3,  /* moves along its axis */
  LIMBER_DISTANCE = 4 /* a rod between `at` on a and `at_b` on b */
};
typedef struct limber_joint_options {
  uint32_t size;
  int32_t kind;
  uint64_t a, b;  /* bodies or obstacles that touch; zero: the world. One of them is a body. */
  double at[3];   /* world coordinates now, as the next three */
  double axis[3]; /* hinges and sliders; all zero: z */
  double at_b[3]; /* distances */
  int32_t has_limits;
  int32_t collide; /* 1: the two still touch each other */
  double lowest;   /* hinges: rad since it was made; sliders: m along the axis; distances: m */
  double highest;
  double motor_speed;  /* hinges: rad/s of a against b */
  double motor_torque; /* the most, N m; 0: no motor */
  double break_force;  /* N; 0: never */
  double radius;       /* m between what holds; 0: a quarter of the smaller body */
} limber_joint_options;
LIMBER_API limber_result limber_world_add_joint(limber_world* world,
                                                const limber_joint_options* options,
                                                limber_joint* joint);
LIMBER_API limber_result limber_world_remove_joint(limber_world* world, limber_joint joint);
LIMBER_API limber_result limber_joint_set_motor(limber_world* world, limber_joint joint,
                                                double speed, double torque);

typedef struct limber_joint_state {
  uint32_t size;
  int32_t broken;
  double error; /* m */
  double force; /* N */
  double angle; /* hinges: rad; sliders: m */
} limber_joint_state;
LIMBER_API limber_result limber_joint_get_state(const limber_world* world, limber_joint joint,
                                                limber_joint_state* state);

/* ---- Contacts, events, queries --------------------------------------------------------------- */

typedef struct limber_contact {
  uint64_t a, b;     /* bodies or obstacles; zero: removed since */
  double point[3];   /* world coordinates */
  double normal[3];  /* from b to a */
  double impulse[3]; /* on a over the step, N s */
  double depth;      /* m, negative where there is a gap */
} limber_contact;
/* Of the last step. `count` is how many there are; LIMBER_TOO_SMALL: more than `capacity`, and the
 * first ones are written. `contacts` may be null with no capacity. */
LIMBER_API limber_result limber_world_contacts(const limber_world* world, limber_contact* contacts,
                                               size_t capacity, size_t* count);

enum { LIMBER_TOUCH_BEGINS = 0, LIMBER_TOUCH_ENDS = 1 };
typedef struct limber_event {
  int32_t kind;
  int32_t reserved;
  uint64_t a, b;
} limber_event;
/* Pairs that began or ceased to touch in the last step; as limber_world_contacts(). */
LIMBER_API limber_result limber_world_events(const limber_world* world, limber_event* events,
                                             size_t capacity, size_t* count);

typedef struct limber_hit {
  uint32_t size;
  int32_t hit;     /* 0: nothing is in the way */
  uint64_t who;    /* body or obstacle */
  double distance; /* m, of the ray's start or of the ball's centre to where it touches */
  double point[3];
  double normal[3]; /* out of what was hit */
} limber_hit;
/* What a ray (radius 0) or a ball that flies along it meets first within `longest` metres.
 * `direction` has any length but zero. `groups`: only what is in one of them; 0: all. */
LIMBER_API limber_result limber_world_cast(limber_world* world, const double from[3],
                                           const double direction[3], double longest, double radius,
                                           uint32_t groups, limber_hit* hit);

/* ---- Drawing -------------------------------------------------------------------------------- */

enum {
  LIMBER_IN_WORLD = 0,
  LIMBER_IN_BODY = 1 /* the body's frame: limber_body_matrix() is the model matrix */
};
/* Positions and normals of the surface as it is now; streams may be null. */
LIMBER_API limber_result limber_body_surface(limber_world* world, limber_body body, int32_t space,
                                             const limber_stream* positions,
                                             const limber_stream* normals);
/* From the body's frame to the world: four columns of four, as OpenGL and Vulkan take it. */
LIMBER_API limber_result limber_body_matrix(const limber_world* world, limber_body body,
                                            float matrix[16]);
/* q, for a shader that warps by itself; `count` = modes. */
LIMBER_API limber_result limber_body_modal(const limber_world* world, limber_body body, float* q,
                                           size_t count);

#ifdef __cplusplus
}
#endif

#endif
