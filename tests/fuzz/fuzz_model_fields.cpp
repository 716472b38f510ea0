// A valid model file in which some fields are changed and whose checksum is right again. It is refused as bad data, or
// it can be used for everything: predicted with (tables with and without names, sparse rows, rows on disk), shown,
// exported, written and read again. What is predicted is a number for every row.
#include <array>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lacuna/base/error.hpp"
#include "lacuna/data/rows_on_disk.hpp"
#include "lacuna/export/onnx.hpp"
#include "lacuna/model/detail/safetensors.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/train.hpp"
#include "lacuna/read/table_on_disk.hpp"
#include "lacuna/report/performance.hpp"
#include "lacuna/report/report.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/model/models.hpp"
#include "tests/support/temporary.hpp"

namespace {

using namespace lacuna;
using fuzz::Choices;

// x, y, colour and a target made of them, by a generator of its own so that every run has the same rows.
std::string table_text(bool names, const char* kind) {
  std::string out = names ? "x,y,colour,t\n" : "";
  std::uint32_t state = 7;
  const auto draw = [&] { return double((state = state * 1664525U + 1013904223U) >> 8) / double(1U << 24) - 0.5; };
  for (int i = 0; i < 24; ++i) {
    const double x = draw(), y = draw(), s = x + y + 0.3 * draw();
    const std::string_view k(kind);
    const std::string t = k == "two"     ? (s > 0.0 ? "yes" : "no")
                          : k == "three" ? (s > 0.2    ? "a"
                                            : s > -0.1 ? "b"
                                                       : "c")
                          : k == "count" ? std::to_string(int(4.0 * (s + 1.0)))
                                         : std::to_string(s + 2.0);
    out += std::to_string(x) + ',' + std::to_string(y) + ',' +
           (i % 3 == 0   ? "red"
            : i % 3 == 1 ? "blue"
                         : "green") +
           ',' + t + '\n';
  }
  return out;
}

std::string sparse_text() {
  std::string out;
  for (int i = 0; i < 20; ++i)
    out += std::string(i % 2 ? "1" : "2") + " 1:" + std::to_string(0.1 * i) + (i % 3 ? " 4:1.5" : "") + " 9:-1\n";
  return out;
}

std::string trained(const std::string& text, const std::string& target, const std::string& machine,
                    const std::string& kernel, bool basis = false) {
  Encoded encoded = encode(parse_table(text, "fuzz", {}),
                           {.targets = target.empty() ? std::vector<std::string>{} : std::vector{target}});
  TrainOptions options;
  options.model = parse_machine(machine);
  options.kernel = parse_kernel(kernel);
  options.lambda = 0.5;
  options.run.threads = 1;
  if (basis) options.basis = parse_basis("5");
  Model model = train(encoded.data, options);
  model.encoding = std::move(encoded.encoding);
  return model_to_bytes(model);
}

const std::vector<std::string>& valid_files() {
  static const std::vector<std::string> all{
      model_to_bytes(binary_model()),
      model_to_bytes(multiclass_model()),
      model_to_bytes(regression_model()),
      model_to_bytes(stack_model()),
      model_to_bytes(row_price_model()),
      trained(table_text(true, "two"), "t", "klr", "rbf:theta=0.5"),
      trained(table_text(true, "two"), "t", "kfd", "rbf:theta=0.5"),
      trained(table_text(true, "two"), "t", "gp-ep", "rbf:theta=0.5"),
      trained(table_text(true, "three"), "t", "gp-laplace", "rbf:theta=0.5"),
      trained(table_text(true, "three"), "t", "ls-svm", "linear"),
      trained(table_text(true, "count"), "t", "ls-svm", "matern52:theta=1", true),
      trained(table_text(true, "value"), "t", "huber:delta=1", "sum(linear,rbf:theta=1)"),
      trained(table_text(true, "value"), "t", "gamma", "poly2:c=1"),
      trained(table_text(false, "value"), "4", "ls-svm", "ard:theta=1"),
      trained(sparse_text(), "", "klr", "linear"),
      trained(table_text(true, "value"), "t", "ls-svm", "relevance(rbf)"),
  };
  return all;
}

// Tables to predict; the last is on disk.
const std::vector<Table>& tables() {
  static const test::TemporaryFolder folder;
  static const std::vector<Table> all = [] {
    std::vector<Table> out;
    for (const bool names : {true, false}) out.push_back(parse_table(table_text(names, "two"), "fuzz", {}));
    out.push_back(parse_table("age,ill,colour\n41,no,red\n-3e5,no,blue\n", "fuzz", {}));
    out.push_back(parse_table("height,x,weight\n1,2,3\n4,5,6\n", "fuzz", {.header = true}));
    out.push_back(parse_table(sparse_text(), "fuzz", {}));
    const std::string path = folder.write("rows.csv", table_text(true, "value"));
    out.push_back(stream_table(path, {}, {.cache_folder = folder.path().string(), .observer = {}}));
    return out;
  }();
  return all;
}

void mutate_arrays(detail::Container& c, std::vector<std::string>& storage, Choices& choose) {
  std::vector<std::string> names;
  for (const auto& [name, view] : c.tensors) names.push_back(name);
  if (names.empty()) return;
  const std::string name = names[choose(names.size())], other = names[choose(names.size())];
  detail::TensorView& t = c.tensors[name];
  storage.emplace_back(t.bytes);
  std::string& bytes = storage.back();
  const std::size_t element = t.dtype == "I32" ? 4 : 8;
  switch (choose(8)) {
    case 0:
    case 1:  // one number
      if (bytes.size() >= element) {
        char* at = bytes.data() + choose(bytes.size() / element) * element;
        double number = 0.0;
        std::memcpy(&number, at, t.dtype == "F64" ? 8 : 0);
        number = choose(2) == 0 ? fuzz::extreme_number(choose) : number * fuzz::near_factor(choose);
        const std::int64_t whole = std::int64_t(choose(7)) - 2;
        if (t.dtype == "F64")
          std::memcpy(at, &number, 8);
        else
          std::memcpy(at, &whole, element);
      }
      break;
    case 2: {  // another length, filled by repeating
      std::size_t row = element;
      for (std::size_t k = 1; k < t.shape.size(); ++k) row *= t.shape[k];
      const std::size_t rows = choose(2 * t.shape[0] + 2);
      std::string longer;
      while (longer.size() < rows * row) longer += bytes.empty() ? std::string(element, '\0') : bytes;
      longer.resize(rows * row);
      bytes = longer;
      t.shape[0] = rows;
      break;
    }
    case 3:  // empty
      bytes.clear();
      t.shape[choose(t.shape.size())] = 0;
      break;
    case 4:  // another's contents
      t = c.tensors[other];
      return;
    case 5:
      std::swap(c.tensors[name], c.tensors[other]);
      return;
    case 6:
      c.tensors.erase(name);
      return;
    default: {  // the other way round, or another number of dimensions
      if (t.shape.size() == 2)
        std::swap(t.shape[0], t.shape[1]);
      else
        t.shape.push_back(1);
    }
  }
  t.bytes = bytes;
}

std::string changed_file(const std::uint8_t* data, std::size_t size) {
  Choices choose(data, size);
  const std::vector<std::string>& valid = valid_files();
  detail::Container c = detail::read_container(valid[choose(valid.size())], "fuzz", model_file_version, true);
  c.metadata.erase("checksum");
  c.metadata.erase("format");
  c.metadata.erase("version");
  std::vector<std::string> storage;
  storage.reserve(16);
  auto text = nlohmann::json::parse(c.metadata["model"]);
  for (std::size_t changes = 1 + choose(4); changes > 0; --changes)
    if (choose(3) == 0)
      mutate_arrays(c, storage, choose);
    else
      fuzz::mutate_json(text, choose);
  c.metadata["model"] = text.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return detail::write_container(c, model_file_version);
}

void require(bool holds) {
  if (!holds) std::abort();
}

void require_finite(const Matrix& numbers) { require(numbers.size() == 0 || numbers.allFinite()); }

void require_answers(const Model& model, const Predictions& said, Index rows) {
  require(said.output.rows() == rows && (model.classes.empty() ? said.value.rows() : Index(said.label.size())) == rows);
  for (const Matrix* numbers : {&said.output, &said.probability, &said.value, &said.rate, &said.lower, &said.upper})
    require_finite(*numbers);
}

// Names that inputs cannot have are refused as usage, variances of a posterior that cannot be factored as numerical.
void export_to_onnx(const Model& model) {
  try {
    require(to_onnx(model).size() > 100);
  } catch (const Error& error) {
    require(error.kind() == Error::Kind::usage || error.kind() == Error::Kind::numerical);
  }
}

// Two of the tables; the other inputs choose the others.
void predict_some(const Model& model, std::size_t first) {
  for (const std::size_t k : {first, first + 1}) try {
      const Table& table = tables()[k % tables().size()];
      const StreamedPrepared rows = [&] {
        if (table.store) return prepare_streamed(table, model.encoding);
        const Prepared in_memory = prepare(table, model.encoding);
        static Rows kept;
        kept = in_memory.X;
        return StreamedPrepared{RowSource(kept), in_memory.offset, in_memory.source_row, in_memory.notes};
      }();
      const Predictions said = predict(model, rows.X.block(0, rows.X.rows()), rows.offset);
      require_answers(model, said, rows.X.rows());
      Performance performance(model, table);
      performance.add(said, rows.source_row);
      (void)performance.text();
      std::ostringstream csv;
      write_predictions_heading(model, csv);
      write_predictions_csv(model, said, rows.source_row, csv);
    } catch (const Error& error) {  // a refusal; or a posterior whose matrix cannot be factored
      require(error.kind() == Error::Kind::data || error.kind() == Error::Kind::numerical);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::Tally tally;
  const std::string bytes = changed_file(data, size);
  Model model;
  try {
    model = model_from_bytes(bytes, "fuzz");
  } catch (const Error& error) {
    require(error.kind() == Error::Kind::data);
    tally.count(false);
    return 0;
  }
  tally.count(true);
  const std::string again = model_to_bytes(model);
  require(model_to_bytes(model_from_bytes(again, "again")) == again);
  (void)inspect_text(model);
  (void)json_text(inspect_json(model));
  export_to_onnx(model);
  if (!model.encoding.features.empty()) predict_some(model, size > 0 ? data[size - 1] : 0);
  if (model.held_out.size() > 0) try {
      std::ostringstream csv;
      write_held_out_csv(model, csv);
      (void)suspects_text(model);
    } catch (const Error& error) {
      require(error.kind() == Error::Kind::data);
    }
  return 0;
}
