/* interface BODY.limber FREE.limber: what the C interface promises, checked. Compiled by a C compiler with
 * -Wall -Wextra -pedantic -Werror; run with the release library and under the sanitizers. */
#include <limber/limber.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                      \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      fprintf(stderr, "%s:%d: %s (%s)\n", __func__, __LINE__, #condition, limber_error());     \
      ++failures;                                                                              \
    }                                                                                          \
  } while (0)
#define OK(call) EXPECT((call) == LIMBER_OK)
#define REFUSED(call) EXPECT((call) == LIMBER_BAD_INPUT && limber_error()[0] != 0)

static const double zero[3] = {0, 0, 0};
static const double unturned[4] = {0, 0, 0, 1};
static const double above[3] = {0, 1e3, 0};

static limber_model* open_model(const char* path) {
  limber_model* model = NULL;
  OK(limber_model_open(path, &model));
  return model;
}

static limber_world* new_world(void) {
  limber_world* world = NULL;
  OK(limber_world_new(NULL, &world));
  return world;
}

static limber_body add(limber_world* world, const limber_model* model) {
  limber_body body = 0;
  limber_body_options options = {0};
  options.size = sizeof options;
  options.stiffness_damping = 0.001;
  OK(limber_world_add(world, model, &options, &body));
  return body;
}

static limber_model_info info_of(const limber_model* model) {
  limber_model_info info = {0};
  info.size = sizeof info;
  OK(limber_model_get_info(model, &info));
  return info;
}

/* ABI: sizes that may only grow with a new version. */
static void structures_have_their_sizes(void) {
  EXPECT(sizeof(limber_allocator) == 32);
  EXPECT(sizeof(limber_model_info) == 32);
  EXPECT(sizeof(limber_stream) == 24);
  EXPECT(sizeof(limber_point) == 48);
  EXPECT(sizeof(limber_world_options) == 40);
  EXPECT(sizeof(limber_touch) == 32);
  EXPECT(sizeof(limber_body_options) == 176);
  EXPECT(sizeof(limber_body_state) == 160);
  EXPECT(sizeof(limber_shape) == 64);
  EXPECT(sizeof(limber_obstacle_options) == 184);
  EXPECT(sizeof(limber_rigid_options) == 224);
  EXPECT(sizeof(limber_joint_options) == 152);
  EXPECT(sizeof(limber_joint_state) == 32);
  EXPECT(sizeof(limber_contact) == 96);
  EXPECT(sizeof(limber_event) == 24);
  EXPECT(sizeof(limber_hit) == 72);
  EXPECT(sizeof(limber_key) == 64);
  EXPECT(sizeof(limber_handle_options) == 104);
  EXPECT(limber_version() ==
         LIMBER_VERSION_MAJOR * 10000 + LIMBER_VERSION_MINOR * 100 + LIMBER_VERSION_PATCH);
}

static void structures_of_other_versions_are_taken(const limber_model* model) {
  struct {
    limber_world_options known;
    double later;
  } newer = {{0}, 0};
  limber_world* world = NULL;
  limber_model_info info = {0};
  newer.known.size = sizeof newer;
  OK(limber_world_new(&newer.known, &world));
  limber_world_free(world);
  newer.later = 1;
  REFUSED(limber_world_new(&newer.known, &world));
  newer.known.size = 0;
  REFUSED(limber_world_new(&newer.known, &world));
  info.size = offsetof(limber_model_info, vertices); /* older: fewer members */
  info.vertices = -7;
  OK(limber_model_get_info(model, &info));
  EXPECT(info.nodes > 0 && info.modes > 0 && info.vertices == -7);
}

static void null_pointers_are_refused(const limber_model* model) {
  limber_world* world = new_world();
  const limber_body body = add(world, model);
  limber_body other = 0;
  limber_model* opened = NULL;
  limber_point point = limber_node(0);
  double place[3] = {0, 0, 0};
  size_t bytes = 0;
  int32_t handle = 0;
  float q[64] = {0};
  REFUSED(limber_model_open(NULL, &opened));
  REFUSED(limber_model_open("x", NULL));
  REFUSED(limber_model_from_memory(NULL, 3, &opened));
  REFUSED(limber_model_get_info(NULL, NULL));
  REFUSED(limber_model_get_info(model, NULL));
  REFUSED(limber_model_triangles(model, NULL, 0));
  REFUSED(limber_model_surface(NULL, NULL, NULL, NULL));
  REFUSED(limber_model_colours(NULL, NULL));
  REFUSED(limber_model_colours(model, NULL));
  REFUSED(limber_model_mode(NULL, 0, NULL, NULL));
  REFUSED(limber_model_eigenvalues(model, NULL, 0));
  REFUSED(limber_model_vertex(model, 0, NULL));
  REFUSED(limber_model_nearest(model, NULL, &point));
  REFUSED(limber_world_new(NULL, NULL));
  REFUSED(limber_world_add(NULL, model, NULL, &other));
  REFUSED(limber_world_add(world, NULL, NULL, &other));
  REFUSED(limber_world_add(world, model, NULL, NULL));
  REFUSED(limber_world_remove(NULL, body));
  REFUSED(limber_world_set_gravity(world, NULL));
  REFUSED(limber_world_set_budget(world, NULL));
  REFUSED(limber_world_step(NULL, 0.01));
  REFUSED(limber_world_settle(NULL));
  REFUSED(limber_world_time(world, NULL));
  REFUSED(limber_world_snapshot_size(NULL, &bytes));
  REFUSED(limber_world_save(world, NULL, 0, NULL));
  REFUSED(limber_world_restore(world, NULL, 0));
  REFUSED(limber_body_get_state(world, body, NULL));
  REFUSED(limber_body_place(NULL, body, zero, unturned));
  REFUSED(limber_body_set_velocity(world, body, NULL, NULL));
  REFUSED(limber_body_set_support(world, body, NULL, 1));
  REFUSED(limber_body_impulse(world, body, NULL, zero));
  REFUSED(limber_body_point(NULL, body, &point, place, NULL));
  REFUSED(limber_body_set_modal(world, body, NULL, NULL, 0));
  REFUSED(limber_body_resume(NULL, body));
  REFUSED(limber_body_hold(world, body, NULL, &handle));
  REFUSED(limber_body_move_handle(world, body, 0, NULL));
  REFUSED(limber_body_release(NULL, body, 0));
  REFUSED(limber_body_handle_errors(NULL, body, NULL, NULL));
  REFUSED(limber_body_surface(NULL, body, LIMBER_IN_WORLD, NULL, NULL));
  REFUSED(limber_body_matrix(world, body, NULL));
  REFUSED(limber_body_modal(world, body, NULL, 3));
  REFUSED(limber_body_modal(world, 0, q, 3));
  REFUSED(limber_world_add_obstacle(world, NULL, &other));
  REFUSED(limber_world_remove_obstacle(NULL, 1));
  REFUSED(limber_world_add_rigid(NULL, NULL, &other));
  REFUSED(limber_world_add_joint(world, NULL, &other));
  REFUSED(limber_world_remove_joint(NULL, 1));
  REFUSED(limber_joint_set_motor(NULL, 1, 0, 0));
  REFUSED(limber_joint_get_state(NULL, 1, NULL));
  REFUSED(limber_world_contacts(world, NULL, 0, NULL));
  REFUSED(limber_world_events(NULL, NULL, 0, &bytes));
  REFUSED(limber_world_cast(world, zero, NULL, 1, 0, 0, NULL));
  limber_world_free(NULL);
  limber_model_free(NULL);
  limber_world_free(world);
}

static void bad_numbers_are_refused(const limber_model* model) {
  limber_world* world = new_world();
  limber_body body = add(world, model);
  const double bad[4] = {0, NAN, 0, 0};
  const double huge[4] = {INFINITY, 0, 0, 0};
  limber_body_options options = {0};
  limber_handle_options hand = {0};
  limber_point point = limber_node(-1);
  limber_body other = 0;
  int32_t handle = 0;
  double q[64];
  int k;
  for (k = 0; k < 64; ++k) q[k] = NAN;
  REFUSED(limber_world_step(world, NAN));
  REFUSED(limber_world_step(world, 0));
  REFUSED(limber_world_step(world, -1));
  REFUSED(limber_world_step(world, INFINITY));
  REFUSED(limber_world_set_gravity(world, bad));
  REFUSED(limber_body_impulse(world, body, &point, zero));
  point = limber_node(1 << 30);
  REFUSED(limber_body_point(world, body, &point, q, q));
  point = limber_node(0);
  point.weights[0] = NAN;
  REFUSED(limber_body_impulse(world, body, &point, zero));
  OK(limber_model_nearest(model, above, &point));
  REFUSED(limber_body_impulse(world, body, &point, huge));
  REFUSED(limber_body_set_modal(world, body, q, NULL, (size_t)info_of(model).modes));
  REFUSED(limber_body_set_modal(world, body, q, NULL, 1000));
  REFUSED(limber_model_mode(model, -1, NULL, NULL));
  REFUSED(limber_model_mode(model, 1000000, NULL, NULL));
  REFUSED(limber_model_vertex(model, -1, &point));
  options.size = sizeof options;
  options.mass_damping = -1;
  REFUSED(limber_world_add(world, model, &options, &other));
  options.mass_damping = NAN;
  REFUSED(limber_world_add(world, model, &options, &other));
  options.mass_damping = 0;
  options.method = 17;
  REFUSED(limber_world_add(world, model, &options, &other));
  options.method = 0;
  options.fast = 2;
  REFUSED(limber_world_add(world, model, &options, &other));
  options.fast = 0;
  options.rotation[2] = NAN;
  REFUSED(limber_world_add(world, model, &options, &other));
  hand.size = sizeof hand;
  OK(limber_model_nearest(model, above, &hand.point));
  hand.kind = 99;
  REFUSED(limber_body_hold(world, body, &hand, &handle));
  hand.kind = LIMBER_SPRING; /* without a stiffness */
  REFUSED(limber_body_hold(world, body, &hand, &handle));
  hand.kind = LIMBER_POSITION;
  hand.target[1] = NAN;
  REFUSED(limber_body_hold(world, body, &hand, &handle));
  REFUSED(limber_body_move_handle(world, body, 77, zero));
  REFUSED(limber_body_release(world, body, 77));
  OK(limber_world_remove(world, body));
  REFUSED(limber_world_remove(world, body));
  REFUSED(limber_body_resume(world, body));
  limber_world_free(world);
}

/* `fast` is another rule for the same sums: close, but not the same bits. */
static void fast_bodies_move_as_exact_ones_do(const limber_model* model) {
  limber_world* world = new_world();
  limber_body bodies[2];
  limber_body_options options = {0};
  const double down[3] = {0, -9.81, 0};
  const size_t modes = (size_t)info_of(model).modes;
  float q[2][64], largest = 0, apart = 0;
  size_t k;
  int step;
  EXPECT(modes <= 64);
  options.size = sizeof options;
  for (options.fast = 0; options.fast < 2; ++options.fast)
    OK(limber_world_add(world, model, &options, &bodies[options.fast]));
  OK(limber_world_set_gravity(world, down));
  for (step = 0; step < 60; ++step) OK(limber_world_step(world, 1.0 / 240));
  for (k = 0; k < 2; ++k) OK(limber_body_modal(world, bodies[k], q[k], modes));
  for (k = 0; k < modes; ++k) {
    largest = fmaxf(largest, fabsf(q[0][k]));
    apart = fmaxf(apart, fabsf(q[1][k] - q[0][k]));
  }
  EXPECT(largest > 0 && apart > 0 && apart < 0.01F * largest);
  limber_world_free(world);
}

static void a_budget_is_taken_or_refused(limber_model* model) {
  limber_world* world = new_world();
  limber_budget_options budget = {0};
  limber_body body;
  OK(limber_world_add(world, model, NULL, &body));
  budget.size = sizeof budget;
  budget.microseconds = -1;
  REFUSED(limber_world_set_budget(world, &budget));
  budget.microseconds = 500;
  budget.has_view = 1;
  OK(limber_world_set_budget(world, &budget));
  OK(limber_body_set_importance(world, body, 2));
  REFUSED(limber_body_set_importance(world, body, 0));
  OK(limber_world_step(world, 1.0 / 60));
  limber_world_free(world);
}

static void broken_files_are_refused(const char* path) {
  limber_model* model = NULL;
  FILE* file = fopen(path, "rb");
  char* bytes = NULL;
  long size = 0, k = 0;
  EXPECT(file != NULL);
  if (file == NULL) return;
  fseek(file, 0, SEEK_END);
  size = ftell(file);
  rewind(file);
  bytes = malloc((size_t)size);
  EXPECT(bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size);
  fclose(file);
  OK(limber_model_from_memory(bytes, (size_t)size, &model));
  limber_model_free(model);
  REFUSED(limber_model_open("no such file.limber", &model));
  EXPECT(strstr(limber_error(), "no such file.limber") != NULL);
  REFUSED(limber_model_from_memory(bytes, 0, &model));
  REFUSED(limber_model_from_memory(bytes, 63, &model));
  REFUSED(limber_model_from_memory(bytes, (size_t)size - 1, &model));
  for (k = 0; k < size; k += 1 + size / 50) { /* header, table and arrays alike */
    if (k >= 32 && k < 64) continue;          /* unused bytes of the header */
    bytes[k] ^= 0x5A;
    REFUSED(limber_model_from_memory(bytes, (size_t)size, &model));
    bytes[k] ^= 0x5A;
  }
  free(bytes);
}

static void surfaces_go_into_strided_buffers(const limber_model* model) {
  limber_world* world = new_world();
  const limber_body body = add(world, model);
  const size_t count = (size_t)info_of(model).vertices;
  float* dense = malloc(count * 3 * sizeof(float));
  float* wide = malloc(count * 8 * sizeof(float));
  limber_stream positions, normals;
  float matrix[16];
  size_t k;
  int c;
  EXPECT(dense != NULL && wide != NULL);
  for (k = 0; k < 8 * count; ++k) wide[k] = 7;
  OK(limber_world_step(world, 0.02));
  positions.data = dense;
  positions.stride = 0;
  positions.count = count;
  OK(limber_body_surface(world, body, LIMBER_IN_WORLD, &positions, NULL));
  positions.data = wide;
  positions.stride = 8 * sizeof(float);
  normals = positions;
  normals.data = wide + 4;
  OK(limber_body_surface(world, body, LIMBER_IN_WORLD, &positions, &normals));
  for (k = 0; k < count; ++k) {
    const float* item = wide + 8 * k;
    EXPECT(memcmp(item, dense + 3 * k, 3 * sizeof(float)) == 0);
    EXPECT(item[3] == 7 && item[7] == 7); /* gaps are left alone */
    EXPECT(fabsf(item[4] * item[4] + item[5] * item[5] + item[6] * item[6] - 1) < 1e-4F);
  }
  /* The model matrix takes the body's frame to the world. Floats: 1e-6 of metres. */
  OK(limber_body_surface(world, body, LIMBER_IN_BODY, &positions, NULL));
  OK(limber_body_matrix(world, body, matrix));
  for (k = 0; k < count; ++k) {
    const float* item = wide + 8 * k;
    for (c = 0; c < 3; ++c) {
      const float moved = matrix[c] * item[0] + matrix[4 + c] * item[1] + matrix[8 + c] * item[2] + matrix[12 + c];
      EXPECT(fabsf(moved - dense[3 * k + (size_t)c]) < 2e-6F * (1 + fabsf(moved)));
    }
  }
  positions.stride = 8;
  REFUSED(limber_body_surface(world, body, LIMBER_IN_WORLD, &positions, NULL));
  positions.stride = 0;
  positions.count = count - 1;
  REFUSED(limber_body_surface(world, body, LIMBER_IN_WORLD, &positions, NULL));
  REFUSED(limber_body_surface(world, body, 5, NULL, NULL));
  free(dense);
  free(wide);
  limber_world_free(world);
}

/* What a vertex shader would do for linear modes, X + Σ q·Φ, is what the library draws. */
static void a_shader_can_do_it_itself(const limber_model* model) {
  limber_world* world = new_world();
  limber_body body = 0;
  limber_body_options options = {0};
  const limber_model_info info = info_of(model);
  const size_t count = (size_t)info.vertices, modes = (size_t)info.modes;
  float* drawn = malloc(3 * count * sizeof(float));
  float* sum = malloc(3 * count * sizeof(float));
  float* phi = malloc(3 * count * sizeof(float));
  float* q = malloc(modes * sizeof(float));
  limber_stream stream = {NULL, 0, 0};
  size_t m, k;
  options.size = sizeof options;
  options.method = LIMBER_LINEAR_MODAL;
  OK(limber_world_add(world, model, &options, &body));
  for (k = 0; k < 20; ++k) OK(limber_world_step(world, 0.01));
  stream.count = count;
  stream.data = drawn;
  OK(limber_body_surface(world, body, LIMBER_IN_BODY, &stream, NULL));
  OK(limber_body_modal(world, body, q, modes));
  stream.data = sum;
  OK(limber_model_surface(model, &stream, NULL, NULL));
  stream.data = phi;
  REFUSED(limber_model_colours(model, &stream)); /* a bar without paint */
  for (m = 0; m < modes; ++m) {
    OK(limber_model_mode(model, (int32_t)m, &stream, NULL));
    for (k = 0; k < 3 * count; ++k) sum[k] += q[m] * phi[k];
  }
  for (k = 0; k < 3 * count; ++k) EXPECT(fabsf(sum[k] - drawn[k]) < 1e-5F);
  free(drawn);
  free(sum);
  free(phi);
  free(q);
  limber_world_free(world);
}

static void handles_hold(const limber_model* model) {
  limber_world* world = new_world();
  const limber_body body = add(world, model);
  limber_handle_options hand = {0};
  double at[3], error = 1;
  int32_t handle = -1;
  int k;
  hand.size = sizeof hand;
  OK(limber_model_nearest(model, above, &hand.point));
  OK(limber_body_point(world, body, &hand.point, hand.target, NULL));
  OK(limber_body_hold(world, body, &hand, &handle));
  hand.target[0] += 0.02;
  OK(limber_body_move_handle(world, body, handle, hand.target));
  for (k = 0; k < 120; ++k) OK(limber_world_step(world, 1.0 / 60));
  OK(limber_body_point(world, body, &hand.point, at, NULL));
  OK(limber_body_handle_errors(world, body, &error, NULL));
  /* A hard handle with treatment `previous` has no offset at rest; two seconds damp the rest. */
  EXPECT(error < 1e-4 && fabs(at[0] - hand.target[0]) < 1e-4);
  OK(limber_body_release(world, body, handle));
  REFUSED(limber_body_release(world, body, handle));
  limber_world_free(world);
}

typedef struct run {
  const limber_model* model;
  uint64_t bits;
} run;

static uint64_t add_bits(uint64_t sum, const void* numbers, size_t bytes) {
  size_t k;
  for (k = 0; k < bytes; ++k) sum = (sum ^ ((const unsigned char*)numbers)[k]) * 1099511628211ULL;
  return sum;
}

/* A hash of all that can be seen of a body. */
static uint64_t bits_of(limber_world* world, limber_body body, const limber_model* model) {
  const size_t count = (size_t)info_of(model).vertices;
  float* positions = malloc(3 * count * sizeof(float));
  limber_stream stream = {NULL, 0, 0};
  limber_body_state state = {0};
  uint64_t sum = 14695981039346656037ULL;
  state.size = sizeof state;
  stream.data = positions;
  stream.count = count;
  OK(limber_body_get_state(world, body, &state));
  OK(limber_body_surface(world, body, LIMBER_IN_WORLD, &stream, NULL));
  sum = add_bits(sum, &state, sizeof state);
  sum = add_bits(sum, positions, 3 * count * sizeof(float));
  free(positions);
  return sum;
}

static void* play(void* given) {
  run* mine = given;
  limber_world* world = new_world();
  const limber_body body = add(world, mine->model);
  limber_point top;
  const double push[3] = {0.1, 0.02, 0};
  int k;
  OK(limber_model_nearest(mine->model, above, &top));
  OK(limber_body_impulse(world, body, &top, push));
  for (k = 0; k < 200; ++k) OK(limber_world_step(world, 0.005));
  mine->bits = bits_of(world, body, mine->model);
  limber_world_free(world);
  return NULL;
}

static void two_threads_give_the_bits_of_one(const limber_model* model) {
  run alone = {NULL, 0}, first = {NULL, 0}, second = {NULL, 0};
  pthread_t threads[2];
  alone.model = first.model = second.model = model;
  play(&alone);
  EXPECT(pthread_create(&threads[0], NULL, play, &first) == 0);
  EXPECT(pthread_create(&threads[1], NULL, play, &second) == 0);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  EXPECT(alone.bits == first.bits && alone.bits == second.bits);
}

static void snapshots_bring_every_bit_back(const limber_model* model) {
  limber_world* world = new_world();
  limber_world* stranger = new_world();
  const limber_body body = add(world, model);
  size_t bytes = 0, used = 0;
  char* snapshot = NULL;
  uint64_t later = 0;
  int k;
  add(stranger, model);
  for (k = 0; k < 10; ++k) OK(limber_world_step(world, 0.01));
  OK(limber_world_snapshot_size(world, &bytes));
  snapshot = malloc(bytes);
  EXPECT(limber_world_save(world, snapshot, bytes - 1, &used) == LIMBER_TOO_SMALL && used == bytes);
  OK(limber_world_save(world, snapshot, bytes, &used));
  for (k = 0; k < 10; ++k) OK(limber_world_step(world, 0.01));
  later = bits_of(world, body, model);
  OK(limber_world_restore(world, snapshot, used));
  EXPECT(bits_of(world, body, model) != later);
  for (k = 0; k < 10; ++k) OK(limber_world_step(world, 0.01));
  EXPECT(bits_of(world, body, model) == later);
  REFUSED(limber_world_restore(stranger, snapshot, used));
  REFUSED(limber_world_restore(world, snapshot, used - 1));
  REFUSED(limber_world_restore(world, snapshot, 5));
  snapshot[used - 3] ^= 1;
  REFUSED(limber_world_restore(world, snapshot, used));
  EXPECT(bits_of(world, body, model) == later);
  free(snapshot);
  limber_world_free(world);
  limber_world_free(stranger);
}

static limber_obstacle add_ground(limber_world* world) {
  limber_obstacle_options options = {0};
  limber_obstacle ground = 0;
  options.size = sizeof options;
  OK(limber_world_add_obstacle(world, &options, &ground));
  return ground;
}

static limber_body add_ball(limber_world* world, double x, double y) {
  limber_rigid_options options = {0};
  limber_body ball = 0;
  options.size = sizeof options;
  options.shape.kind = LIMBER_SPHERE;
  options.shape.dimensions[0] = 0.1;
  options.mass = 2;
  options.position[0] = x;
  options.position[1] = y;
  OK(limber_world_add_rigid(world, &options, &ball));
  return ball;
}

static limber_body_state state_of(const limber_world* world, limber_body body) {
  limber_body_state state = {0};
  state.size = sizeof state;
  OK(limber_body_get_state(world, body, &state));
  return state;
}

static void a_ball_lies_on_the_ground(void) {
  limber_world* world = new_world();
  const limber_obstacle ground = add_ground(world);
  const limber_body ball = add_ball(world, 0, 0.5);
  limber_contact contacts[8];
  limber_event events[8];
  limber_hit hit = {0};
  const double from[3] = {0, 2, 0}, down[3] = {0, -3, 0}, up[3] = {0, 1, 0};
  size_t count = 0, k;
  int frame, began = 0;
  for (frame = 0; frame < 120; ++frame) {
    OK(limber_world_step(world, 1.0 / 60));
    OK(limber_world_events(world, events, 8, &count));
    for (k = 0; k < count; ++k) {
      began += events[k].kind == LIMBER_TOUCH_BEGINS;
      EXPECT((events[k].a == ball && events[k].b == ground) || (events[k].b == ball && events[k].a == ground));
    }
  }
  EXPECT(began >= 1);
  /* The slop of a contact is half a thousandth of the body's size. */
  EXPECT(fabs(state_of(world, ball).position[1] - 0.1) < 1e-3);
  EXPECT(state_of(world, ball).contacts == 1);
  OK(limber_world_contacts(world, contacts, 8, &count));
  EXPECT(count == 1 && (contacts[0].a == ball || contacts[0].b == ball));
  EXPECT(limber_world_contacts(world, NULL, 0, &count) == LIMBER_TOO_SMALL && count == 1);
  hit.size = sizeof hit;
  OK(limber_world_cast(world, from, down, 10, 0, 0, &hit));
  EXPECT(hit.hit == 1 && hit.who == ball && fabs(hit.distance - 1.8) < 2e-3 && hit.normal[1] > 0.99);
  OK(limber_world_cast(world, from, down, 10, 0.05, 0, &hit));
  EXPECT(hit.hit == 1 && fabs(hit.distance - 1.75) < 2e-3);
  OK(limber_world_cast(world, from, up, 10, 0, 0, &hit));
  EXPECT(hit.hit == 0);
  REFUSED(limber_world_cast(world, from, zero, 10, 0, 0, &hit));
  REFUSED(limber_world_cast(world, from, up, NAN, 0, 0, &hit));
  REFUSED(limber_body_surface(world, ball, LIMBER_IN_WORLD, NULL, NULL)); /* rigid */
  OK(limber_world_remove_obstacle(world, ground));
  REFUSED(limber_world_remove_obstacle(world, ground));
  for (frame = 0; frame < 30; ++frame) OK(limber_world_step(world, 1.0 / 60));
  EXPECT(state_of(world, ball).position[1] < -0.5); /* nothing holds it any more */
  limber_world_free(world);
}

static void a_soft_body_lands(const limber_model* free_model) {
  limber_world* world = new_world();
  limber_body_options options = {0};
  limber_body body = 0;
  limber_body_state state;
  const size_t count = (size_t)info_of(free_model).vertices;
  float* positions = malloc(3 * count * sizeof(float));
  limber_stream stream = {NULL, 0, 0};
  size_t k;
  int frame;
  stream.data = positions;
  stream.count = count;
  add_ground(world);
  options.size = sizeof options;
  options.position[1] = 0.3;
  options.stiffness_damping = 0.002;
  options.touch.has_friction = 1;
  options.touch.friction = 0.6;
  OK(limber_world_add(world, free_model, &options, &body));
  for (frame = 0; frame < 120; ++frame) OK(limber_world_step(world, 1.0 / 60));
  state = state_of(world, body);
  EXPECT(state.contacts > 0 || state.asleep == 1);
  OK(limber_body_surface(world, body, LIMBER_IN_WORLD, &stream, NULL));
  for (k = 0; k < count; ++k) EXPECT(positions[3 * k + 1] > -0.02F); /* its height is a metre */
  options.touch.friction = -1;
  REFUSED(limber_world_add(world, free_model, &options, &body));
  free(positions);
  limber_world_free(world);
}

static void a_joint_holds_two_balls(void) {
  limber_world* world = new_world();
  const limber_body first = add_ball(world, 0, 1), second = add_ball(world, 0.4, 1);
  limber_joint_options options = {0};
  limber_joint_state state = {0};
  limber_joint rod = 0, pivot = 0;
  double apart = 0;
  int frame, k;
  options.size = sizeof options;
  options.kind = LIMBER_BALL;
  options.a = first; /* b: the world */
  options.at[1] = 1;
  OK(limber_world_add_joint(world, &options, &pivot));
  options.kind = LIMBER_DISTANCE;
  options.b = second;
  options.at_b[0] = 0.4;
  options.at_b[1] = 1;
  OK(limber_world_add_joint(world, &options, &rod));
  for (frame = 0; frame < 60; ++frame) OK(limber_world_step(world, 1.0 / 60));
  for (k = 0; k < 3; ++k) apart += pow(state_of(world, first).position[k] - state_of(world, second).position[k], 2);
  EXPECT(fabs(sqrt(apart) - 0.4) < 5e-3);
  state.size = sizeof state;
  OK(limber_joint_get_state(world, rod, &state));
  EXPECT(state.broken == 0 && state.error < 5e-3);
  options.a = options.b = 0;
  REFUSED(limber_world_add_joint(world, &options, &rod));
  options.a = 12345;
  REFUSED(limber_world_add_joint(world, &options, &rod));
  OK(limber_world_remove(world, second));
  REFUSED(limber_joint_get_state(world, rod, &state)); /* went with the body */
  REFUSED(limber_world_remove_joint(world, rod));
  OK(limber_world_remove_joint(world, pivot));
  REFUSED(limber_joint_set_motor(world, pivot, 1, 1));
  limber_world_free(world);
}

/* An allocator that counts, and fails when told. */
typedef struct counter {
  long live, calls, fail_at;
} counter;

static void* counted_allocate(size_t bytes, void* user) {
  counter* count = user;
  void* memory = NULL;
  if (++count->calls == count->fail_at) return NULL;
  memory = malloc(bytes);
  if (memory != NULL) ++count->live;
  return memory;
}

static void counted_release(void* memory, void* user) {
  --((counter*)user)->live;
  free(memory);
}

/* Everything that a small program does; stops at the first failure. */
static limber_result whole_program(const char* path) {
  limber_model* model = NULL;
  limber_world* world = NULL;
  limber_body body = 0;
  limber_handle_options hand = {0};
  limber_result result = limber_model_open(path, &model);
  int32_t handle = 0;
  size_t bytes = 0;
  char snapshot[1];
  hand.size = sizeof hand;
  if (result == LIMBER_OK) result = limber_model_nearest(model, above, &hand.point);
  if (result == LIMBER_OK) result = limber_world_new(NULL, &world);
  if (result == LIMBER_OK) result = limber_world_add(world, model, NULL, &body);
  if (result == LIMBER_OK) result = limber_body_point(world, body, &hand.point, hand.target, NULL);
  if (result == LIMBER_OK) result = limber_body_hold(world, body, &hand, &handle);
  if (result == LIMBER_OK) result = limber_world_step(world, 0.01);
  if (result == LIMBER_OK) result = limber_body_impulse(world, body, &hand.point, zero);
  if (result == LIMBER_OK) {
    result = limber_world_save(world, snapshot, 1, &bytes);
    if (result == LIMBER_TOO_SMALL) result = LIMBER_OK;
  }
  limber_world_free(world);
  limber_model_free(model);
  return result;
}

static void all_memory_comes_through_the_hook(const char* path) {
  counter count = {0, 0, 0};
  limber_allocator hook = {0};
  limber_model* model = NULL;
  limber_world* world = NULL;
  long needed, before, k, refused = 0;
  hook.size = sizeof hook;
  hook.allocate = counted_allocate;
  REFUSED(limber_set_allocator(&hook)); /* who would release? */
  hook.release = counted_release;
  hook.user = &count;
  OK(limber_set_allocator(&hook));
  OK(whole_program(path));
  needed = count.calls;
  EXPECT(needed > 20);
  /* Each allocation fails once: the call says so, and what was taken goes back. */
  before = count.live;
  for (k = 1; k <= needed; ++k) {
    limber_result result;
    count.calls = 0;
    count.fail_at = k;
    result = whole_program(path);
    EXPECT(result == LIMBER_OK || result == LIMBER_NO_MEMORY);
    refused += result == LIMBER_NO_MEMORY;
    EXPECT(count.live == before);
  }
  EXPECT(refused > needed / 2); /* steps take from malloc what the hook refuses */
  /* A step takes no memory. */
  count.fail_at = 0;
  model = open_model(path);
  world = new_world();
  add(world, model);
  OK(limber_world_step(world, 0.01));
  count.calls = 0;
  for (k = 0; k < 20; ++k) OK(limber_world_step(world, 0.01));
  EXPECT(count.calls == 0);
  OK(limber_set_allocator(NULL)); /* blocks still go back to where they came from */
  limber_world_free(world);
  limber_model_free(model);
  EXPECT(count.live == before);
}

static void remember(limber_log_level level, const char* text, void* user) {
  snprintf(user, 200, "%d %s", (int)level, text);
}

static void the_log_hears_of_failures_and_stopped_bodies(const limber_model* model) {
  char heard[200] = "";
  limber_world* world = new_world();
  const limber_body body = add(world, model);
  const limber_model_info info = info_of(model);
  double* q = calloc((size_t)info.modes, sizeof(double));
  limber_body_state state = {0};
  limber_set_log(remember, heard);
  REFUSED(limber_world_step(world, -1));
  EXPECT(heard[0] == '1' && strstr(heard, limber_error()) != NULL);
  q[0] = 1e12; /* far beyond its size */
  OK(limber_body_set_modal(world, body, q, NULL, (size_t)info.modes));
  EXPECT(limber_world_step(world, 0.01) == LIMBER_WORK_FAILED);
  state.size = sizeof state;
  OK(limber_body_get_state(world, body, &state));
  EXPECT(state.stopped == 1);
  OK(limber_world_step(world, 0.01)); /* told once */
  q[0] = 0;
  OK(limber_body_set_modal(world, body, q, NULL, (size_t)info.modes));
  OK(limber_body_resume(world, body));
  OK(limber_world_step(world, 0.01));
  limber_set_log(NULL, NULL);
  free(q);
  limber_world_free(world);
}

int main(int argc, char** argv) {
  limber_model *model = NULL, *free_model = NULL;
  if (argc != 3) return 2;
  EXPECT(limber_error()[0] == 0);
  structures_have_their_sizes();
  model = open_model(argv[1]);
  free_model = open_model(argv[2]);
  if (model == NULL || free_model == NULL) return 1;
  structures_of_other_versions_are_taken(model);
  null_pointers_are_refused(model);
  bad_numbers_are_refused(model);
  fast_bodies_move_as_exact_ones_do(model);
  broken_files_are_refused(argv[1]);
  surfaces_go_into_strided_buffers(model);
  a_shader_can_do_it_itself(model);
  handles_hold(model);
  two_threads_give_the_bits_of_one(model);
  snapshots_bring_every_bit_back(model);
  the_log_hears_of_failures_and_stopped_bodies(model);
  a_ball_lies_on_the_ground();
  a_soft_body_lands(free_model);
  a_joint_holds_two_balls();
  a_budget_is_taken_or_refused(model);
  limber_model_free(model);
  limber_model_free(free_model);
  all_memory_comes_through_the_hook(argv[1]);
  if (failures == 0) printf("all well\n");
  return failures == 0 ? 0 : 1;
}
