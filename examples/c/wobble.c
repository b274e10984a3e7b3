/* wobble BODY.limber: a body is held, pulled, let go and hit; prints where a point of it is. */
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

static void check(limber_result result) {
  if (result == LIMBER_OK) return;
  fprintf(stderr, "wobble: %s\n", limber_error());
  exit(1);
}

int main(int argc, char** argv) {
  limber_model* model = NULL;
  limber_world* world = NULL;
  limber_body body = 0;
  limber_model_info info = {sizeof info, 0, 0, 0, 0, 0, 0};
  limber_body_options options = {0};
  limber_handle_options hand = {0};
  const double above[3] = {0, 1e3, 0};
  const double push[3] = {0.05, 0, 0.02};
  double place[3];
  int32_t handle = 0;
  size_t bytes = 0;
  void* snapshot = NULL;
  int frame = 0;

  if (argc != 2) {
    fprintf(stderr, "usage: wobble BODY.limber\n");
    return 2;
  }
  check(limber_model_open(argv[1], &model));
  check(limber_model_get_info(model, &info));
  check(limber_world_new(NULL, &world));
  options.size = sizeof options;
  options.name = "wobble";
  options.stiffness_damping = 0.002;
  check(limber_world_add(world, model, &options, &body));

  hand.size = sizeof hand;
  check(limber_model_nearest(model, above, &hand.point)); /* its highest node */
  check(limber_body_point(world, body, &hand.point, hand.target, NULL));
  check(limber_body_hold(world, body, &hand, &handle));
  limber_model_free(model); /* the world keeps what it needs */

  for (frame = 0; frame < 60; ++frame) {
    hand.target[0] += 0.002;
    check(limber_body_move_handle(world, body, handle, hand.target));
    check(limber_world_step(world, 1.0 / 60));
  }
  check(limber_body_release(world, body, handle));
  check(limber_body_impulse(world, body, &hand.point, push));

  check(limber_world_snapshot_size(world, &bytes));
  snapshot = malloc(bytes);
  if (snapshot == NULL) return 1;
  check(limber_world_save(world, snapshot, bytes, NULL));
  for (frame = 0; frame < 30; ++frame) check(limber_world_step(world, 1.0 / 60));
  check(limber_world_restore(world, snapshot, bytes)); /* as if those had not been */
  free(snapshot);

  for (frame = 0; frame < 60; ++frame) {
    check(limber_world_step(world, 1.0 / 60));
    if (frame % 10 != 9) continue;
    check(limber_body_point(world, body, &hand.point, place, NULL));
    printf("%.4f %.4f %.4f\n", place[0], place[1], place[2]);
  }
  limber_world_free(world);
  return 0;
}
