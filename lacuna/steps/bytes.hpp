// steps/bytes.hpp -- what passes between places as bytes, for engines that carry bytes. They are read by the version of
// the library that wrote them, on processors of the same byte order.
#pragma once

#include <string>
#include <string_view>

#include "lacuna/steps/sample.hpp"
#include "lacuna/steps/steps.hpp"

namespace lacuna {

std::string to_bytes(const Description& description);
std::string to_bytes(const Sample& sample);
std::string to_bytes(const Plan& plan);
std::string to_bytes(const Statistics& statistics);
std::string to_bytes(const HeldOutPart& part);

// Each throws Error(data) for bytes of another kind or version, or that are cut short.
Description description_from(std::string_view bytes);
Sample sample_from(std::string_view bytes);
Plan plan_from(std::string_view bytes);
Statistics statistics_from(std::string_view bytes);
HeldOutPart held_out_from(std::string_view bytes);

}  // namespace lacuna
