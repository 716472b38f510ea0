// arrow_types.hpp -- what a column of an Arrow stream holds, from the format and the metadata of its schema
// (https://arrow.apache.org/docs/format/CDataInterface.html#data-type-description-format-strings).
#pragma once

#include <cstdint>
#include <string>

#include "arrow_abi.hpp"

namespace lacuna::python {

/// Digits of a decimal number: value = integer / 10^scale, in 4, 8, 16 or 32 bytes. bits = 0: it is no decimal.
struct Decimal {
  int bits = 0;
  int scale = 0;
};
Decimal decimal_of(const ArrowSchema& schema);
/// The double that a file with the same digits is read as.
double decimal_number(const std::uint8_t* at, Decimal decimal);
/// Of sixteen bits.
double half_number(std::uint16_t bits);

/// The name of an extension type, which gives its storage another meaning; empty for plain types.
std::string extension_of(const ArrowSchema& schema);

/// What to call values that are neither numbers, truth values nor text, with what to do about them: "dates; convert
/// ...".
std::string other_values(const ArrowSchema& schema);

}  // namespace lacuna::python
