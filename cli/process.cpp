#include "cli/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <string_view>

#include "cli/program.hpp"
#include "lacuna/model/file.hpp"

namespace lacuna::cli {
namespace {

volatile sig_atomic_t asks = 0, asked = 0, on_terminal = 0;

// Only what a signal handler may call.
void tell(std::string_view text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

void on_signal(int number) {
  if (number == SIGINT && asks && !asked) {
    asked = 1;
    if (on_terminal) tell("\r\033[Klacuna: stopping...; Ctrl-C again: at once\n");
    return;
  }
  remove_temporaries();
  if (number == SIGINT) {
    tell("lacuna: interrupted\n");
    _exit(Exit::interrupted);
  }
  signal(number, SIG_DFL);
  raise(number);
}

void take_descriptor(int descriptor, int flags) {
  if (fcntl(descriptor, F_GETFD) != -1) return;
  // The lowest number that is free, which is this one, since those below are taken. Opened for the other direction it
  // cannot be used.
  if (open("/dev/null", flags) < 0) return;
}

}  // namespace

void prepare_process() {
  take_descriptor(STDIN_FILENO, O_WRONLY);
  take_descriptor(STDOUT_FILENO, O_RDONLY);
  take_descriptor(STDERR_FILENO, O_RDONLY);
  signal(SIGXFSZ, SIG_IGN);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    // What is ignored (in a background job of a script, under nohup) stays so.
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

void ask_on_interrupt() {
  on_terminal = isatty(STDERR_FILENO) != 0;
  asks = 1;
}

bool interrupt_requested() { return asked != 0; }

}  // namespace lacuna::cli
