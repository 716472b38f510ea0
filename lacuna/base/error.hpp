// base/error.hpp -- the one exception of the library. A caller's mistake throws, naming stage, value, rule and place;
// an outcome of the arithmetic is a Stop (base/stop.hpp), never a throw.
#pragma once

#include <stdexcept>
#include <string>

namespace lacuna {

class Error : public std::runtime_error {
 public:
  enum class Kind {
    usage,      ///< an option or argument that cannot be
    data,       ///< bad rows, columns or model file
    numerical,  ///< arithmetic that cannot go on (and whose caller asked for a result, not a Stop)
    internal,   ///< a fault of the library
  };
  Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

[[noreturn]] inline void fail_usage(const std::string& m) { throw Error(Error::Kind::usage, m); }
[[noreturn]] inline void fail_data(const std::string& m) { throw Error(Error::Kind::data, m); }
[[noreturn]] inline void fail_numerical(const std::string& m) { throw Error(Error::Kind::numerical, m); }

}  // namespace lacuna
