#include "cli/explain_rows.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/explain/trained_on.hpp"
#include "lacuna/report/table_truth.hpp"

namespace lacuna::cli {

ExplainRows rows_of_table(const std::string& verb, const std::string& model_path, const std::string& data,
                          const ReadArguments& read, bool quiet, const Model& model) {
  if (model.encoding.features.empty())
    fail_data(fmt::format("{}: {} was trained on bare rows and does not know columns", verb, model_path));
  ReadOptions reading = read_options(read);
  reading.most_bytes = available_bytes();
  const Table table = read_table(data, reading);
  Prepared prepared = prepare(table, model.encoding);
  const TableTruth truth(model, table);
  if (!quiet) {
    warn(table.notes);
    warn(prepared.notes);
    if (const Index seen = verb == "explain" ? count_trained_on(model, prepared.X) : 0; seen > 0)
      warn(
          fmt::format("{} of the {} rows are training rows: their importance is optimistic; without data, held-out "
                      "rows are judged",
                      seen, prepared.X.rows()));
  }
  ExplainRows out{.X = std::move(prepared.X), .offset = std::move(prepared.offset), .row = prepared.source_row};
  out.weight = read_weights(table, model.encoding, out.row);
  if (out.weight.size() > 0) out.counted_by = model.encoding.weight_column;
  if (!truth.known()) return out;
  if (model.classes.empty())
    out.target = truth.targets(out.row);
  else
    out.label = truth.labels(out.row);
  return out;
}

}  // namespace lacuna::cli
