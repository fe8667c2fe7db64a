// Makes reads and writes shorter than asked for, as a system may: for Tools/torture, by LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/types.h>

// At least one byte, else a random part of what was asked for.
static size_t part(size_t count) { return count > 1 ? 1 + (size_t)rand() % count : count; }

__attribute__((constructor)) static void seed(void) {
  const char *text = getenv("SHORTIO_SEED");
  srand(text ? (unsigned)atoi(text) : 1);
}

ssize_t read(int file, void *bytes, size_t count) {
  ssize_t (*next)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
  return next(file, bytes, part(count));
}

ssize_t write(int file, const void *bytes, size_t count) {
  ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  return next(file, bytes, part(count));
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");
  return next(file, bytes, part(count), offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
  return next(file, bytes, part(count), offset);
}

ssize_t pread64(int file, void *bytes, size_t count, off_t offset) {
  return pread(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
  return pwrite(file, bytes, count, offset);
}
