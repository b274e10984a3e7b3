/* The scene of native.test.ts through the native library: `reference dino.limber` prints, after each
 * step, a line a body: its contacts, where it is, and its modal amplitudes, with all digits. */
#include <stdio.h>
#include <stdlib.h>

#include "limber/limber.h"

enum { kBodies = 4, kSteps = 40, kHit = 5 };

static void ok(limber_result result) {
  if (result == LIMBER_OK) return;
  fprintf(stderr, "reference: %s\n", limber_error());
  exit(1);
}

static void print_bodies(const limber_world* world, const limber_body* bodies, int modes) {
  float q[64];
  for (int b = 0; b < kBodies; ++b) {
    limber_body_state state = {sizeof state};
    ok(limber_body_get_state(world, bodies[b], &state));
    ok(limber_body_modal(world, bodies[b], q, (size_t)modes));
    printf("%d", state.contacts);
    for (int k = 0; k < 3; ++k) printf(" %.17g", state.position[k]);
    for (int k = 0; k < 4; ++k) printf(" %.17g", state.rotation[k]);
    for (int k = 0; k < modes; ++k) printf(" %.9g", q[k]);
    printf("\n");
  }
}

int main(int count, char** arguments) {
  limber_model* model = NULL;
  limber_world* world = NULL;
  limber_obstacle ground = 0;
  limber_body bodies[kBodies];
  limber_model_info info = {sizeof info};
  limber_obstacle_options flat = {sizeof flat};
  limber_point point;
  const double impulse[3] = {0.5, 1, 0.25};
  if (count != 2) return 2;
  ok(limber_model_open(arguments[1], &model));
  ok(limber_model_get_info(model, &info));
  ok(limber_world_new(NULL, &world));
  flat.touch.has_friction = 1;
  flat.touch.friction = 0.5;
  ok(limber_world_add_obstacle(world, &flat, &ground));
  for (int b = 0; b < kBodies; ++b) {
    limber_body_options options = {sizeof options};
    options.stiffness_damping = 0.004;
    options.position[0] = 0.0625 * b;
    options.position[1] = 0.5 + 0.75 * b;
    options.rotation[1] = 0.6 * b;
    options.rotation[3] = 1 - 0.2 * b;
    ok(limber_world_add(world, model, &options, &bodies[b]));
  }
  ok(limber_model_vertex(model, 7, &point));
  for (int step = 1; step <= kSteps; ++step) {
    if (step == kHit) ok(limber_body_impulse(world, bodies[0], &point, impulse));
    ok(limber_world_step(world, 1.0 / 60));
    print_bodies(world, bodies, info.modes);
  }
  limber_world_free(world);
  limber_model_free(model);
  return 0;
}
