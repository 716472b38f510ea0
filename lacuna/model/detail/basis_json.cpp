#include "lacuna/model/detail/basis_json.hpp"

namespace lacuna::detail {

using nlohmann::json;

json basis_to_json(const FitReport::Basis& b) {
  json sizes = json::array();
  for (const auto& [size, criterion] : b.sizes)
    sizes.push_back({{"size", size}, {"criterion", number_json(criterion)}});
  return {
      {"method", b.method},       {"automatic", b.automatic}, {"asked", b.asked},       {"size", b.size},
      {"kept", b.kept},           {"rounds", b.rounds},       {"complete", b.complete}, {"selected_on", b.selected_on},
      {"sizes", std::move(sizes)}};
}

FitReport::Basis basis_from_json(const JsonNode& node) {
  FitReport::Basis b;
  b.method = node["method"].text();
  b.automatic = node["automatic"].flag();
  b.asked = node["asked"].whole(0);
  b.size = node["size"].whole(0);
  b.kept = node["kept"].whole(0);
  b.rounds = node["rounds"].whole_as<int>();
  b.complete = node["complete"].flag();
  b.selected_on = node["selected_on"].whole(0);
  for (const JsonNode& one : node["sizes"].list()) b.sizes.push_back({one["size"].whole(0), one["criterion"].number()});
  return b;
}

}  // namespace lacuna::detail
