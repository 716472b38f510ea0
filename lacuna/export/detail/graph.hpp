// export/detail/graph.hpp -- an ONNX graph under construction: named inputs and outputs, constants, and nodes, each an
// operator applied to values that exist already. What a node computes is a Value, and the operators of value.hpp add
// nodes, so that the files of this folder read as formulas.
//
// Field numbers are those of onnx.proto; opset 18 has every operator used here in double precision on the CPU of ONNX
// Runtime. Erf and the SVM operators, which are single precision, are not among them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/export/detail/protobuf.hpp"

namespace lacuna::onnx {

class Graph;

/// The result of a node, an input or a constant; valid as long as its graph.
struct Value {
  Graph* graph = nullptr;
  std::string name{};
};

/// Codes of TensorProto.
enum class Element { int64 = 7, text = 8, boolean = 9, real = 11 };

/// A size, or the name of one that is known at run time only.
using Size = std::variant<std::int64_t, std::string>;
using Shape = std::vector<Size>;

/// A named parameter of an operator.
struct Attribute {
  std::string name;
  std::variant<std::int64_t, std::vector<std::int64_t>, std::vector<std::string>, Graph*> value;
};

class Graph {
 public:
  /// `reserved`: names of inputs and outputs, which no other value may have.
  explicit Graph(const std::set<std::string>& reserved);
  /// The body of a loop: a graph with names of its own. Requires: `outer` outlives it.
  explicit Graph(Graph& outer) : names_(outer.names_) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Value input(const std::string& name, Element element, const Shape& shape);
  Value body_input(const Shape& shape);
  void output(const std::string& name, Element element, const Shape& shape, const Value& value);
  void body_output(const Shape& shape, const Value& value);

  Value scalar(double value);
  Value matrix(const RowMatrix& values);
  Value row(const Vector& values) { return matrix(values.transpose()); }  ///< 1 x n
  Value list(const std::vector<double>& values);                          ///< n
  Value whole(const std::vector<std::int64_t>& values);
  Value texts(const std::vector<std::string>& values);

  /// An operator with several results, the first of which are wanted.
  std::vector<Value> nodes(std::size_t results, const std::string& op, const std::vector<Value>& inputs,
                           const std::vector<Attribute>& attributes = {}, const std::string& domain = "");
  Value node(const std::string& op, const std::vector<Value>& inputs, const std::vector<Attribute>& attributes = {},
             const std::string& domain = "");

  /// GraphProto. Leaves an empty graph behind, so that large constants are in memory once.
  Message message();

 private:
  struct Names {
    std::string prefix;
    std::int64_t next = 1;
    std::set<std::string> used{};  // by nodes and outputs, of bodies too: constants that nobody asked for stay away
  };
  std::string fresh() { return names_->prefix + std::to_string(names_->next++); }
  Value add_constant(Message tensor);

  std::shared_ptr<Names> names_;
  struct Constant {
    std::string name;
    Message tensor;
  };
  std::vector<Message> nodes_, inputs_, outputs_;
  std::vector<Constant> constants_;
  std::map<double, std::string> scalars_;
};

/// The whole file, ModelProto, with these notes about where it comes from. Throws Error(usage) where it would be larger
/// than protobuf allows, 2 GB.
std::string onnx_bytes(Graph& graph, const std::map<std::string, std::string>& notes);

}  // namespace lacuna::onnx
