// cli/process.hpp -- the program as a process among others: standard descriptors that were closed, signals, limits on
// files. Whatever ends it leaves no half-written file behind.
#pragma once

namespace lacuna::cli {

/// To be called first of all. Standard descriptors that are closed are taken (so that no file of ours becomes
/// standard output) and stay unusable; a file-size limit becomes an error of writing; Ctrl-C ends the program with
/// exit code 130, and other signals that end it do so after temporary files are gone.
void prepare_process();

/// From now on the first Ctrl-C asks only: interrupt_requested() is true, and on a terminal it is acknowledged at
/// once. A second one ends the program.
void ask_on_interrupt();
bool interrupt_requested();

}  // namespace lacuna::cli
