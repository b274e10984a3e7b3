/* frames BODY.limber FOLDER [COUNT]: an engine's loop without an engine. Each frame steps a world of two
 * bodies, fills one vertex buffer of positions and normals side by side, as a GPU would get it, and
 * draws it into FOLDER/0000.ppm, 0001.ppm, … by a small rasteriser. */
#include <limber/limber.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 320, HEIGHT = 240, BODIES = 2 };

typedef struct vertex {
  float position[3];
  float normal[3];
} vertex;

typedef struct picture {
  unsigned char pixels[HEIGHT][WIDTH][3];
  float depth[HEIGHT][WIDTH];
} picture;

static void check(limber_result result) {
  if (result == LIMBER_OK) return;
  fprintf(stderr, "frames: %s\n", limber_error());
  exit(1);
}

static void* memory(size_t bytes) {
  void* result = malloc(bytes);
  if (result == NULL) exit(1);
  return result;
}

static void clear(picture* image) {
  int x, y;
  for (y = 0; y < HEIGHT; ++y) {
    for (x = 0; x < WIDTH; ++x) {
      const unsigned char shade = (unsigned char)(60 + 60 * y / HEIGHT);
      image->pixels[y][x][0] = shade;
      image->pixels[y][x][1] = shade;
      image->pixels[y][x][2] = (unsigned char)(shade + 20);
      image->depth[y][x] = -1e30F;
    }
  }
}

/* Looks along −z; `scale` pixels a metre about the centre. */
typedef struct view {
  float centre[3];
  float scale;
} view;

static void draw_triangle(picture* image, const view* camera, const vertex* const corners[3],
                          const unsigned char colour[3]) {
  float x[3], y[3], area;
  int k, row, column, left = WIDTH, right = -1, top = HEIGHT, bottom = -1;
  for (k = 0; k < 3; ++k) {
    x[k] = WIDTH / 2 + camera->scale * (corners[k]->position[0] - camera->centre[0]);
    y[k] = HEIGHT / 2 - camera->scale * (corners[k]->position[1] - camera->centre[1]);
    if (!(fabsf(x[k]) < 1e4F && fabsf(y[k]) < 1e4F)) return;
    left = x[k] < left ? (int)x[k] : left;
    right = x[k] > right ? (int)x[k] + 1 : right;
    top = y[k] < top ? (int)y[k] : top;
    bottom = y[k] > bottom ? (int)y[k] + 1 : bottom;
  }
  area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
  if (area == 0) return;
  for (row = top < 0 ? 0 : top; row <= bottom && row < HEIGHT; ++row) {
    for (column = left < 0 ? 0 : left; column <= right && column < WIDTH; ++column) {
      const float px = (float)column + 0.5F, py = (float)row + 0.5F;
      const float b = ((px - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (py - y[0])) / area;
      const float c = ((x[1] - x[0]) * (py - y[0]) - (px - x[0]) * (y[1] - y[0])) / area;
      const float a = 1 - b - c;
      float depth, light;
      if (a < 0 || b < 0 || c < 0) continue;
      depth = a * corners[0]->position[2] + b * corners[1]->position[2] + c * corners[2]->position[2];
      if (depth <= image->depth[row][column]) continue;
      image->depth[row][column] = depth;
      light = 0;
      for (k = 0; k < 3; ++k) {
        static const float lamp[3] = {0.4F, 0.6F, 0.7F};
        light += lamp[k] * (a * corners[0]->normal[k] + b * corners[1]->normal[k] + c * corners[2]->normal[k]);
      }
      light = 0.25F + 0.75F * (light > 0 ? light : 0);
      for (k = 0; k < 3; ++k) {
        const float value = light * (float)colour[k];
        image->pixels[row][column][k] = (unsigned char)(value > 255 ? 255 : value);
      }
    }
  }
}

static void write_picture(const picture* image, const char* folder, int number) {
  char path[1024];
  FILE* file = NULL;
  snprintf(path, sizeof path, "%s/%04d.ppm", folder, number);
  file = fopen(path, "wb");
  if (file == NULL) {
    fprintf(stderr, "frames: cannot write %s\n", path);
    exit(1);
  }
  fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
  fwrite(image->pixels, 1, sizeof image->pixels, file);
  fclose(file);
}

/* A view of both bodies at rest with room to move. */
static view look_at(const vertex* vertices, size_t count) {
  float low[3] = {1e30F, 1e30F, 1e30F}, high[3] = {-1e30F, -1e30F, -1e30F};
  view result;
  size_t v;
  int k;
  for (v = 0; v < count; ++v) {
    for (k = 0; k < 3; ++k) {
      if (vertices[v].position[k] < low[k]) low[k] = vertices[v].position[k];
      if (vertices[v].position[k] > high[k]) high[k] = vertices[v].position[k];
    }
  }
  for (k = 0; k < 3; ++k) result.centre[k] = (low[k] + high[k]) / 2;
  result.scale = 0.7F * HEIGHT / (high[1] - low[1]);
  if (result.scale * (high[0] - low[0]) > 0.8F * WIDTH) result.scale = 0.8F * WIDTH / (high[0] - low[0]);
  return result;
}

int main(int argc, char** argv) {
  static const unsigned char colours[BODIES][3] = {{120, 200, 120}, {230, 150, 90}};
  const double above[3] = {0, 1e3, 0};
  double push[3] = {0, 0, 0};
  limber_model* model = NULL;
  limber_world* world = NULL;
  limber_body bodies[BODIES];
  limber_point top;
  limber_model_info info = {sizeof info, 0, 0, 0, 0, 0, 0};
  picture* image = memory(sizeof *image);
  vertex* vertices = NULL;
  uint32_t* triangles = NULL;
  view camera;
  int frame, b, count;
  size_t t;

  if (argc < 3) {
    fprintf(stderr, "usage: frames BODY.limber FOLDER [COUNT]\n");
    return 2;
  }
  count = argc > 3 ? atoi(argv[3]) : 60;
  check(limber_model_open(argv[1], &model));
  check(limber_model_get_info(model, &info));
  vertices = memory(BODIES * (size_t)info.vertices * sizeof *vertices);
  triangles = memory(3 * (size_t)info.triangles * sizeof *triangles);
  check(limber_model_triangles(model, triangles, 3 * (size_t)info.triangles));
  check(limber_model_nearest(model, above, &top));
  check(limber_world_new(NULL, &world));
  push[0] = 0.6 * info.mass; /* N s */

  for (b = 0; b < BODIES; ++b) {
    limber_body_options options = {0};
    options.size = sizeof options;
    options.position[0] = 1.2 * b;
    options.stiffness_damping = 0.001;
    options.method = b == 0 ? LIMBER_MODAL_WARPING : LIMBER_LINEAR_MODAL;
    check(limber_world_add(world, model, &options, &bodies[b]));
    check(limber_body_impulse(world, bodies[b], &top, push));
  }

  for (frame = 0; frame < count; ++frame) {
    clear(image);
    for (b = 0; b < BODIES; ++b) {
      vertex* first = vertices + (size_t)b * (size_t)info.vertices;
      const limber_stream positions = {first->position, sizeof *first, (size_t)info.vertices};
      const limber_stream normals = {first->normal, sizeof *first, (size_t)info.vertices};
      check(limber_body_surface(world, bodies[b], LIMBER_IN_WORLD, &positions, &normals));
    }
    if (frame == 0) camera = look_at(vertices, BODIES * (size_t)info.vertices);
    for (b = 0; b < BODIES; ++b) {
      const vertex* first = vertices + (size_t)b * (size_t)info.vertices;
      for (t = 0; t < (size_t)info.triangles; ++t) {
        const vertex* const corners[3] = {first + triangles[3 * t], first + triangles[3 * t + 1],
                                          first + triangles[3 * t + 2]};
        draw_triangle(image, &camera, corners, colours[b]);
      }
    }
    write_picture(image, argv[2], frame);
    check(limber_world_step(world, 1.0 / 60));
  }
  printf("%d frames of %d vertices\n", count, BODIES * info.vertices);
  limber_world_free(world);
  limber_model_free(model);
  free(triangles);
  free(vertices);
  free(image);
  return 0;
}
