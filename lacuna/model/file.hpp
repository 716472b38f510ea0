// model/file.hpp -- a Model as a file in the safetensors layout: eight bytes of header length (little-endian), a JSON
// header, then raw little-endian arrays, readable from Python, R or Rust without us.
//
//   tensors:  X (or X.row_start, X.column, X.value), alpha, b, centre (where there is one), held_out.*;
//             of a stack those of its members too: member.0.X, ...
//             Gaussian processes: beta, the sites' precisions, from which their variances are made anew (predictor.hpp)
//   "__metadata__": {"format": "lacuna", "version": "3" ("4" with a centre, "5" of a stack or with rows seen
//                    another way, "6" with weights, groups or copies of held-out rows, "7" with prices of single rows
//                    or indicators of missing cells, "8" with the range that noise is held to), "checksum": ...,
//                    "model": JSON text with everything else}
//
// Written to a temporary file beside the target, flushed to disk, then renamed over it: a crash leaves the old file.
// Reading checks layout, bounds, version, checksum and that the parts fit together before anything is believed.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "lacuna/model/model.hpp"

namespace lacuna {

inline constexpr int model_file_version = 8;

/// Throws Error(data) when it cannot be written (nothing is left behind), Error(usage) for user-written kernels.
void write_model(const Model& model, const std::string& path);
/// Throws Error(data): truncated, corrupted, foreign or newer files, each with its own sentence.
Model read_model(const std::string& path);

/// The same in memory.
std::string model_to_bytes(const Model& model);
Model model_from_bytes(std::string_view bytes, const std::string& source);

/// Whether the file looks like a model file, whole or damaged (false also when it cannot be read).
bool is_model_file(const std::string& path);

/// Writes `bytes` to `path` so that either all of it or nothing appears; a link is followed, the permissions of a file
/// that is replaced are kept, and what is no ordinary file (a pipe, /dev/null) is written to directly. Throws
/// Error(data).
void write_file_atomically(const std::string& path, std::string_view bytes);
/// The same for bytes that come bit by bit: `produce` calls what it is given with each.
using WriteMore = std::function<void(std::string_view bytes)>;
void write_file_atomically(const std::string& path, const std::function<void(const WriteMore& more)>& produce);
/// Throws Error(data) when write_file_atomically could not begin: to be asked before long work, not after it.
void require_writable(const std::string& path);
/// Removes what write_file_atomically has under way. For signal handlers that end the process: it may be called from
/// one.
void remove_temporaries() noexcept;

}  // namespace lacuna
