// cli/fit_model.cpp (of fit_options.hpp) -- reads and trains: with all rows in memory; or, for a machine on a basis
// whose rows do not fit, with the rows in a cache on disk.
#include <fmt/format.h>

#include <algorithm>

#include "cli/fit_options.hpp"
#include "cli/on_disk.hpp"
#include "cli/watch.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/data/rows_on_disk.hpp"
#include "lacuna/report/work.hpp"

namespace lacuna::cli {
namespace {

// Basis rows from a file with the data's columns (others are ignored), encoded like them.
void read_basis(BasisRequest& basis, const ReadOptions& how, Encoding encoding) {
  if (basis.file.empty()) return;
  encoding.offset_column.clear();
  encoding.offset_position = -1;
  const Prepared rows = prepare(read_table(basis.file, how), encoding);
  warn(rows.notes);
  basis.rows = rows.X;
}

double allowed_bytes(const FitPlan& plan) { return plan.train.run.memory_bytes.value_or(available_bytes()); }

template <class Data>
Model train_watched(const Data& data, FitPlan& plan, Encoding encoding, Watch& watch, bool announced) {
  if (on_basis(plan.train)) read_basis(*plan.train.basis, plan.read, encoding);
  plan.train.run.observer = watch.observer();
  if (announced) plan.train.run.announce = [](const WorkEstimate& work) { say(work_text(work)); };
  Model model = [&] {
    if constexpr (std::is_same_v<Data, Dataset>)
      return train(data, plan.train, plan.choose);
    else
      return train(data, plan.train);  // a basis leaves nothing to choose
  }();
  model.encoding = std::move(encoding);
  return model;
}

// Work that Ctrl-C stops, whatever it was doing.
template <class Work>
Model watched(const FitArguments& given, Watch& watch, Work&& work) {
  Model model;
  try {
    model = work();
  } catch (const Error&) {
    if (watch.stopped()) throw Interrupted{};
    throw;
  }
  const auto& choice = model.report.choice;
  const bool whole = choice && choice->stop == Stop::interrupted;  // the best so far of a choice that was cut short
  if (watch.stopped() && !whole) throw Interrupted{};
  watch.clear();
  if (!given.quiet) warn(model.report.warnings);
  return model;
}

Model fit_in_memory(const FitArguments& given, FitPlan& plan) {
  Encoded encoded = [&] {  // the table goes before the fit begins
    const Table table = read_table(given.data, plan.read);
    settle_columns(table, plan);
    const auto outputs = Index(std::max<std::size_t>(1, plan.data.targets.size()));
    if (on_basis(plan.train))  // of other fits train() says what they need
      require_inputs_fit(table, allowed_bytes(plan), train_bytes(Index(table.rows), outputs, plan.train),
                         plan.train.run.memory_bytes.has_value());
    else
      require_inputs_fit(table, allowed_bytes(plan), 0.0, plan.train.run.memory_bytes.has_value());
    return encode(table, plan.data);
  }();
  Watch watch(!given.quiet);
  return watched(given, watch,
                 [&] { return train_watched(encoded.data, plan, std::move(encoded.encoding), watch, !given.quiet); });
}

Model fit_on_disk(const FitArguments& given, FitPlan& plan) {
  Watch watch(!given.quiet);
  return watched(given, watch, [&] {
    Table table = stream_watched(given.data, plan.read, given.cache_folder, watch);
    settle_columns(table, plan);
    if (!given.quiet)
      say(fmt::format("{}: {} rows in a cache of {} {}, until the program ends", table.source, table.rows,
                      size_text(cache_bytes(table)),
                      given.cache_folder.empty() ? "in the folder for temporary files" : "beside the model"));
    StreamedEncoded encoded = encode_streamed(std::move(table), plan.data);
    return train_watched(encoded.data, plan, std::move(encoded.encoding), watch, !given.quiet);
  });
}

// Whether the rows fit into the memory allowed, by the file's size and beginning; says so when they do not.
bool fits_memory(const FitArguments& given, FitPlan& plan) {
  const double allowed = allowed_bytes(plan);
  const std::optional<TableEstimate> file = estimate_file(given.data, plan.read, allowed);
  if (!file) return true;
  const TableEstimate& e = *file;
  const auto outputs = Index(std::max<std::size_t>(1, plan.data.targets.size()));
  const double fit = train_bytes(Index(e.rows), outputs, plan.train);
  const double in_memory = std::max({e.text_bytes + e.cell_bytes, e.cell_bytes + e.input_bytes, e.input_bytes + fit});
  if (in_memory <= allowed) return true;
  const std::string limit = limit_text(allowed, plan.train.run.memory_bytes.has_value());
  if (const double on_disk = std::max(e.row_bytes, fit); on_disk > allowed)
    fail_data(
        fmt::format("fit: {}: about {:.0f} rows need {} of memory even when they stay on disk, and {}; raise "
                    "--memory, take fewer basis rows, or fit a sample of the rows",
                    given.data, e.rows, size_text(on_disk), limit));
  if (!given.quiet) say_on_disk(given.data, e, in_memory, limit);
  return false;
}

}  // namespace

Model fit_model(const FitArguments& given, FitPlan plan) {
  plan.read.most_bytes = allowed_bytes(plan);
  return !on_basis(plan.train) || fits_memory(given, plan) ? fit_in_memory(given, plan) : fit_on_disk(given, plan);
}

void end_if_interrupted(const Model& model) {
  if (model.report.choice && model.report.choice->stop == Stop::interrupted)
    throw Interrupted{"what was written is the best so far"};
}

}  // namespace lacuna::cli
