/* To be preloaded: the n-th call of one kind fails, and so do all after it when FOREVER is set.
 *
 *   LIMBER_FAIL=write:3           kinds: malloc write pwrite fsync rename open thread clock
 *   LIMBER_FAIL_FOREVER=1
 *
 * write, pwrite and fsync are counted on regular files only, so that messages still come through;
 * malloc (and calloc, realloc, aligned memory) fails from 64 bytes on, as a system without memory
 * does to what matters. clock: from the n-th look at it on, the time of day is a year back. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char kind[16];
static long when = 0;
static int forever = 0;
static atomic_long calls = 0;

__attribute__((constructor)) static void read_settings(void) {
  const char* setting = getenv("LIMBER_FAIL");
  forever = getenv("LIMBER_FAIL_FOREVER") != NULL;
  if (setting == NULL) return;
  const char* colon = strchr(setting, ':');
  if (colon == NULL || colon - setting >= (long)sizeof kind) return;
  memcpy(kind, setting, (size_t)(colon - setting));
  when = atol(colon + 1);
}

static int fails(const char* name) {
  if (when == 0 || strcmp(kind, name) != 0) return 0;
  const long now = atomic_fetch_add(&calls, 1) + 1;
  return now == when || (forever && now > when);
}

static int is_file(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int descriptor, const void* bytes, size_t count) {
  if (when != 0 && is_file(descriptor) && fails("write")) {
    errno = ENOSPC;
    return -1;
  }
  return REAL(write)(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  if (when != 0 && is_file(descriptor) && fails("pwrite")) {
    errno = ENOSPC;
    return -1;
  }
  return REAL(pwrite)(descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
  if (when != 0 && is_file(descriptor) && fails("fsync")) {
    errno = EIO;
    return -1;
  }
  return REAL(fsync)(descriptor);
}

int rename(const char* from, const char* to) {
  if (fails("rename")) {
    errno = EIO;
    return -1;
  }
  return REAL(rename)(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (fails("rename")) {
    errno = EIO;
    return -1;
  }
  return REAL(renameat2)(from_folder, from, to_folder, to, flags);
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | __O_TMPFILE)) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
    if (fails("open")) {
      errno = ENOSPC;
      return -1;
    }
  }
  return REAL(open)(path, flags, mode);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (fails("thread")) return EAGAIN;
  return REAL(pthread_create)(thread, attributes, start, argument);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  const int result = REAL(clock_gettime)(clock, now);
  if (clock == CLOCK_REALTIME && fails("clock")) now->tv_sec -= 365L * 24 * 3600;
  return result;
}

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

static int refuses(size_t size) {
  if (size < 64 || !fails("malloc")) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return refuses(size) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
  return refuses(count * size) ? NULL : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) { return refuses(size) ? NULL : __libc_realloc(old, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return refuses(size) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = refuses(size) ? NULL : __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}
