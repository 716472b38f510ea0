// cli/before_libraries.cpp -- what must be asked before any library begins. OpenBLAS takes 128 MB for each thread
// while it is being loaded, and where a limit on address space (ulimit -v) leaves no room for that it tries again for
// ever: main() would never be reached. So this runs first of all, and either starts the program again with fewer
// threads or says what is wrong. Nothing is set up yet: only system calls are made here, and no memory is asked for.
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>

namespace {

constexpr long megabyte = 1L << 20;
constexpr long of_a_thread = 144 * megabyte;  // its buffer, its stack
constexpr long besides = 152 * megabyte;      // a buffer for the first call, and something to work with

// The address space in use, in bytes; 0: not known.
long mapped() {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[64] = {};
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  long pages = 0;
  for (ssize_t k = 0; k < got && text[k] >= '0' && text[k] <= '9'; ++k) pages = 10 * pages + (text[k] - '0');
  return pages * sysconf(_SC_PAGESIZE);
}

// A whole number from the environment; 0: none.
long number_of(char** environment, const char* name) {
  const std::size_t length = std::strlen(name);
  for (; *environment != nullptr; ++environment) {
    if (std::strncmp(*environment, name, length) != 0 || (*environment)[length] != '=') continue;
    long value = 0;
    for (const char* at = *environment + length + 1; *at >= '0' && *at <= '9' && value < 100000; ++at)
      value = 10 * value + (*at - '0');
    return value;
  }
  return 0;
}

long processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

char* write_number(char* at, long value) {
  char digits[24];
  int n = 0;
  do digits[n++] = char('0' + value % 10);
  while ((value /= 10) > 0);
  while (n > 0) *at++ = digits[--n];
  *at = '\0';
  return at;
}

void refuse(long bound, long needed) {
  char text[256] = "lacuna: the limit on address space (ulimit -v) is ";
  char* at = write_number(text + std::strlen(text), bound / megabyte);
  std::strcpy(at, " MB, and about ");
  at = write_number(at + std::strlen(at), needed / megabyte);
  std::strcpy(at, " MB are needed with one thread; raise the limit\n");
  (void)!write(STDERR_FILENO, text, std::strlen(text));
  _exit(3);
}

// The program once more, with so many threads: the libraries read this when they are loaded.
void start_again(char** argv, char** environment, long threads) {
  static char words[3][40];
  const char* names[] = {"OMP_NUM_THREADS=", "OPENBLAS_NUM_THREADS=", "OMP_THREAD_LIMIT="};
  constexpr std::size_t most = 4096;
  static char* fresh[most + 4];
  std::size_t n = 0;
  for (; *environment != nullptr && n < most; ++environment) {
    bool ours = false;
    for (const char* name : names) ours = ours || std::strncmp(*environment, name, std::strlen(name)) == 0;
    if (!ours) fresh[n++] = *environment;
  }
  for (int k = 0; k < 3; ++k) {
    std::strcpy(words[k], names[k]);
    write_number(words[k] + std::strlen(words[k]), threads);
    fresh[n++] = words[k];
  }
  fresh[n] = nullptr;
  execve("/proc/self/exe", argv, fresh);
}

void before_libraries(int, char** argv, char** environment) {
  rlimit bound = {};
  if (getrlimit(RLIMIT_AS, &bound) != 0 || bound.rlim_cur == RLIM_INFINITY || long(bound.rlim_cur) < 0) return;
  const long used = mapped(), room = (long(bound.rlim_cur) - used - besides) / of_a_thread;
  if (long(bound.rlim_cur) < used + besides + of_a_thread) refuse(long(bound.rlim_cur), used + besides + of_a_thread);
  long threads = number_of(environment, "OMP_NUM_THREADS");
  if (threads == 0) threads = number_of(environment, "OPENBLAS_NUM_THREADS");
  if (threads == 0) threads = processors();
  if (room < threads) start_again(argv, environment, room);
}

}  // namespace

// Functions here run before the first library's.
__attribute__((section(".preinit_array"), used)) static void (*const first_of_all)(int, char**,
                                                                                   char**) = before_libraries;
