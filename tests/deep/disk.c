// Preloaded, it changes the file systems that the program sees, so that kills can hit what is rare or over in no time:
//   TEST_SLOW_DISK=MICROSECONDS  so long a pause after each call that opens, writes, names or flushes a file
//   TEST_NO_UNNAMED_FILES=1      no file without a name (O_TMPFILE), as on NFS and FAT
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static void pause_if_slow(void) {
  const int error = errno;
  const char* slow = getenv("TEST_SLOW_DISK");
  if (slow != NULL) usleep((useconds_t)atoi(slow));
  errno = error;
}

static int open_as(const char* name, const char* path, int flags, int mode) {
  if ((flags & O_TMPFILE) == O_TMPFILE && getenv("TEST_NO_UNNAMED_FILES") != NULL) {
    errno = EOPNOTSUPP;
    return -1;
  }
  const int out = ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, name))(path, flags, mode);
  if ((flags & O_ACCMODE) != O_RDONLY) pause_if_slow();
  return out;
}

#define OPEN(name)                             \
  int name(const char* path, int flags, ...) { \
    va_list more;                              \
    va_start(more, flags);                     \
    const int mode = va_arg(more, int);        \
    va_end(more);                              \
    return open_as(#name, path, flags, mode);  \
  }
OPEN(open)
OPEN(open64)

#define SLOW(type, name, parameters, ...)                                        \
  type name parameters {                                                         \
    const type out = ((type(*) parameters)dlsym(RTLD_NEXT, #name))(__VA_ARGS__); \
    pause_if_slow();                                                             \
    return out;                                                                  \
  }
SLOW(ssize_t, write, (int file, const void* bytes, size_t count), file, bytes, count)
SLOW(int, fsync, (int file), file)
SLOW(int, fdatasync, (int file), file)
SLOW(int, rename, (const char* from, const char* to), from, to)
SLOW(int, linkat, (int from, const char* old, int to, const char* fresh, int flags), from, old, to, fresh, flags)
