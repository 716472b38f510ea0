#include "lacuna/model/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"
#include "lacuna/model/detail/describe_model.hpp"
#include "lacuna/model/detail/read_model.hpp"

namespace lacuna {
namespace {

std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? std::streamoff(in.tellg()) : -1;
  std::string bytes;
  if (size >= 0 && size < std::numeric_limits<std::streamoff>::max()) {  // a directory opens, with an absurd size
    bytes.resize(std::size_t(size));
    in.seekg(0);
    in.read(bytes.data(), std::streamsize(size));
  }
  if (!in || size < 0 || in.gcount() != size)
    fail_data(fmt::format("read: {}: {}", path, errno ? std::strerror(errno) : "cannot be read"));
  return bytes;
}

// A program that does not know of them must not predict without a centre, a representation or members, nor refuse
// weights of rows as a corruption.
int version_for(const Model& model) {
  const HeldOutRows& h = model.held_out;
  if (model.intervals.noise && model.intervals.noise->least.size() > 0) return model_file_version;
  if (model.encoding.missing == Missing::indicator || !h.prices.empty() || (model.costs && by_row(*model.costs)))
    return 7;
  if (h.weight.size() > 0 || h.judged.size() > 0 || !h.group.empty() || !h.copy_of.empty()) return 6;
  if (!model.members.empty() || !model.representation.empty()) return 5;
  return model.centre.size() > 0 ? 4 : 3;
}

}  // namespace

std::string model_to_bytes(const Model& model) {
  static_assert(sizeof(int) == 4 && sizeof(Index) == 8);
  // One description serves both directions and so asks for a model it may change; a writer changes nothing.
  auto& described = const_cast<Model&>(model);
  const std::string preface = "write: the model is not whole";
  nlohmann::json text;
  detail::FieldWriter fields(text, preface);
  detail::describe_fields(fields, described);
  detail::ArrayWriter arrays(preface);
  arrays.require((!model.inference || model.sites.size() > 0) &&
                     (model.inference && model.held_out.size() > 0) == (model.held_out.variance.size() > 0),
                 "precisions or variances of a Gaussian process are absent or not wanted");
  detail::describe_arrays(arrays, described);
  arrays.container().metadata["model"] = text.dump();
  return detail::write_container(arrays.container(), version_for(model));
}

Model detail::read_model_bytes(std::string_view bytes, const std::string& source, bool verify) {
  Container container = read_container(bytes, source, model_file_version, verify);
  const std::string preface = fmt::format("read: {}: corrupted model file", source);
  const auto json = nlohmann::json::parse(container.metadata["model"], nullptr, false);
  Model model;
  FieldReader fields(JsonNode<nlohmann::json>(json, preface));
  describe_fields(fields, model);
  ArrayReader arrays(container, preface);
  describe_arrays(arrays, model);
  arrays.finish();
  // Older files hold the residuals only, and knew of no weights.
  if (const HeldOutRows& h = model.held_out; !json.contains("intervals") && h.size() > 0 && model.classes.empty()) {
    model.intervals = {.selected = model.report.search.method != "none"};
    set_widths(model.intervals, h.target - h.output, Vector::Ones(h.size()));
  }
  return model;
}

Model model_from_bytes(std::string_view bytes, const std::string& source) {
  return detail::read_model_bytes(bytes, source, true);
}

void write_model(const Model& model, const std::string& path) { write_file_atomically(path, model_to_bytes(model)); }

Model read_model(const std::string& path) {
  errno = 0;
  return model_from_bytes(file_bytes(path), path);
}

bool is_model_file(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;  // what a pipe has is read once
  std::ifstream in(path, std::ios::binary);
  char start[9] = {};
  if (!in.read(start, sizeof start)) return false;
  // A header shorter than 4 GB, then its JSON: text never has four zero bytes before a brace.
  return start[4] == 0 && start[5] == 0 && start[6] == 0 && start[7] == 0 && start[8] == '{';
}

}  // namespace lacuna
