/*
 * The functions of glibc and libstdc++ that the library would otherwise need in the versions of the system
 * it is built on. Each is taken here by its oldest version, under its own name and for this library alone,
 * so that what is built on Debian 12 runs on Debian 11. Tools/tests/doors_test.py reads what is needed.
 */
#include <stddef.h>

#if defined(__linux__) && defined(__x86_64__)

#define HIDDEN __attribute__((visibility("hidden")))

/* Each result, name, parameters and arguments; all are in the first version of glibc for x86-64. */
#define OLD_FUNCTIONS(OLD)                                                                              \
  OLD(double, exp, (double x), (x))                                                                     \
  OLD(double, exp2, (double x), (x))                                                                    \
  OLD(double, log, (double x), (x))                                                                     \
  OLD(double, log2, (double x), (x))                                                                    \
  OLD(double, pow, (double x, double y), (x, y))                                                        \
  OLD(float, expf, (float x), (x))                                                                      \
  OLD(float, exp2f, (float x), (x))                                                                     \
  OLD(float, logf, (float x), (x))                                                                      \
  OLD(float, log2f, (float x), (x))                                                                     \
  OLD(float, powf, (float x, float y), (x, y))                                                          \
  OLD(float, hypotf, (float x, float y), (x, y))                                                        \
  OLD(int, dladdr, (const void *address, void *found), (address, found))                                \
  OLD(void *, dlopen, (const char *path, int mode), (path, mode))                                       \
  OLD(void *, dlsym, (void *library, const char *name), (library, name))                                \
  OLD(char *, dlerror, (void), ())                                                                      \
  OLD(int, pthread_join, (unsigned long thread, void **result), (thread, result))                       \
  OLD(int, pthread_once, (int *once, void (*start)(void)), (once, start))                               \
  OLD(int, pthread_create,                                                                              \
      (unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument),          \
      (thread, attributes, start, argument))

#define DEFINE(RESULT, NAME, PARAMETERS, ARGUMENTS)                                                     \
  RESULT old_##NAME PARAMETERS;                                                                         \
  __asm__(".symver old_" #NAME "," #NAME "@GLIBC_2.2.5");                                               \
  HIDDEN RESULT NAME PARAMETERS { return old_##NAME ARGUMENTS; }

OLD_FUNCTIONS(DEFINE)

/* These were macros over functions with the version of the struct, 1 on x86-64. */
#define DEFINE_STATUS(NAME, OLD_NAME, FIRST)                                                            \
  int OLD_NAME(int version, FIRST, void *status);                                                       \
  __asm__(".symver " #OLD_NAME "," #OLD_NAME "@GLIBC_2.2.5");                                           \
  HIDDEN int NAME(FIRST, void *status) { return OLD_NAME(1, file, status); }

DEFINE_STATUS(stat, __xstat, const char *file)
DEFINE_STATUS(lstat, __lxstat, const char *file)
DEFINE_STATUS(fstat, __fxstat, int file)

/* It takes two more arguments where it makes a semaphore, and looks at them only there. */
void *old_sem_open(const char *name, int flags, ...);
__asm__(".symver old_sem_open,sem_open@GLIBC_2.2.5");
HIDDEN void *sem_open(const char *name, int flags, unsigned mode, unsigned value) {
  return old_sem_open(name, flags, mode, value);
}

/* std::__throw_bad_array_new_length(), of GCC 11: nothing catches what it throws. */
__attribute__((noreturn)) void abort(void);
HIDDEN __attribute__((noreturn)) void bad_length(void) __asm__("_ZSt28__throw_bad_array_new_lengthv");
void bad_length(void) { abort(); }

#endif
