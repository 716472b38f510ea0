#include "lacuna/export/detail/graph.hpp"

#include <bit>

#include "lacuna/export/detail/limit.hpp"

namespace lacuna::onnx {
namespace {

static_assert(std::endian::native == std::endian::little, "raw arrays of ONNX are little-endian");

constexpr std::int64_t ir_version = 8, opset = 18, ml_opset = 3;

Message value_info(const std::string& name, Element element, const Shape& shape) {
  Message dims;
  for (const Size& extent : shape) {
    Message dim;
    if (const auto* size = std::get_if<std::int64_t>(&extent))
      dim.number(1, *size);
    else
      dim.text(2, std::get<std::string>(extent));
    dims.message(1, std::move(dim));
  }
  Message tensor, type, info;
  tensor.number(1, std::int64_t(element)).message(2, std::move(dims));
  type.message(1, std::move(tensor));
  info.text(1, name).message(2, std::move(type));
  return info;
}

Message tensor_start(Element element, const std::vector<std::int64_t>& shape) {
  Message tensor;
  for (const std::int64_t size : shape) tensor.number(1, size);
  tensor.number(2, std::int64_t(element));
  return tensor;
}

template <class T>
std::string_view raw(const T* data, std::size_t count) {
  return {reinterpret_cast<const char*>(data), count * sizeof(T)};
}

Message attribute_message(const Attribute& attribute) {
  Message out;
  out.text(1, attribute.name);
  std::visit(
      [&out]<class T>(const T& value) {
        constexpr int graph_type = 5, int_type = 2, ints_type = 7, texts_type = 8;
        if constexpr (std::is_same_v<T, std::int64_t>) {
          out.number(3, value).number(20, int_type);
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
          for (const std::int64_t one : value) out.number(8, one);
          out.number(20, ints_type);
        } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          for (const std::string& one : value) out.text(9, one);
          out.number(20, texts_type);
        } else {
          out.message(6, value->message()).number(20, graph_type);
        }
      },
      attribute.value);
  return out;
}

}  // namespace

Graph::Graph(const std::set<std::string>& reserved) : names_(std::make_shared<Names>()) {
  // No input or output begins like an inner name: names that somebody else chose cannot meet ours.
  const auto taken = [&] {
    for (const std::string& name : reserved)
      if (name.starts_with(names_->prefix)) return true;
    return false;
  };
  for (names_->prefix = "v"; taken();) names_->prefix += '_';
}

Value Graph::input(const std::string& name, Element element, const Shape& shape) {
  inputs_.push_back(value_info(name, element, shape));
  return {this, name};
}

Value Graph::body_input(const Shape& shape) { return input(fresh(), Element::real, shape); }

void Graph::output(const std::string& name, Element element, const Shape& shape, const Value& value) {
  Message node;
  names_->used.insert(value.name);
  nodes_.push_back(std::move(node.text(1, value.name).text(2, name).text(4, "Identity")));
  outputs_.push_back(value_info(name, element, shape));
}

void Graph::body_output(const Shape& shape, const Value& value) { output(fresh(), Element::real, shape, value); }

Value Graph::add_constant(Message tensor) {
  std::string name = fresh();
  tensor.text(8, name);
  constants_.push_back({name, std::move(tensor)});
  return {this, std::move(name)};
}

Value Graph::scalar(double value) {
  const bool number = value == value;  // NaN has no place in an order
  if (const auto known = scalars_.find(value); number && known != scalars_.end()) return {this, known->second};
  Value out = add_constant(std::move(tensor_start(Element::real, {}).text(9, raw(&value, 1))));
  if (number) scalars_.emplace(value, out.name);
  return out;
}

Value Graph::matrix(const RowMatrix& values) {
  return add_constant(std::move(tensor_start(Element::real, {values.rows(), values.cols()})
                                    .text(9, raw(values.data(), std::size_t(values.size())))));
}

Value Graph::list(const std::vector<double>& values) {
  return add_constant(
      std::move(tensor_start(Element::real, {std::int64_t(values.size())}).text(9, raw(values.data(), values.size()))));
}

Value Graph::whole(const std::vector<std::int64_t>& values) {
  return add_constant(std::move(
      tensor_start(Element::int64, {std::int64_t(values.size())}).text(9, raw(values.data(), values.size()))));
}

Value Graph::texts(const std::vector<std::string>& values) {
  Message tensor = tensor_start(Element::text, {std::int64_t(values.size())});
  for (const std::string& value : values) tensor.text(6, value);
  return add_constant(std::move(tensor));
}

Value Graph::node(const std::string& op, const std::vector<Value>& inputs, const std::vector<Attribute>& attributes,
                  const std::string& domain) {
  return nodes(1, op, inputs, attributes, domain)[0];
}

std::vector<Value> Graph::nodes(std::size_t results, const std::string& op, const std::vector<Value>& inputs,
                                const std::vector<Attribute>& attributes, const std::string& domain) {
  Message node;
  for (const Value& value : inputs) {
    node.text(1, value.name);
    names_->used.insert(value.name);
  }
  std::vector<Value> out;
  for (std::size_t k = 0; k < results; ++k) out.push_back({this, fresh()});
  for (const Value& value : out) node.text(2, value.name);
  node.text(4, op);
  for (const Attribute& attribute : attributes) node.message(5, attribute_message(attribute));
  if (!domain.empty()) node.text(7, domain);
  nodes_.push_back(std::move(node));
  return out;
}

Message Graph::message() {
  Message out;
  for (Message& node : nodes_) out.message(1, std::move(node));
  out.text(2, "lacuna");
  for (Constant& constant : constants_)
    if (names_->used.contains(constant.name)) out.message(5, std::move(constant.tensor));
  for (Message& input : inputs_) out.message(11, std::move(input));
  for (Message& output : outputs_) out.message(12, std::move(output));
  return out;
}

std::string onnx_bytes(Graph& graph, const std::map<std::string, std::string>& notes) {
  Message model;
  model.number(1, ir_version).text(2, "lacuna").text(3, LACUNA_VERSION).message(7, graph.message());
  for (const auto& [domain, version] : {std::pair{"", opset}, std::pair{"ai.onnx.ml", ml_opset}})
    model.message(8, std::move(Message().text(1, domain).number(2, version)));
  for (const auto& [key, text] : notes) model.message(14, std::move(Message().text(1, key).text(2, text)));
  require_size(double(model.size()));
  return std::move(model).bytes();
}

}  // namespace lacuna::onnx
