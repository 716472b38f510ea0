#include "lacuna/select/detail/apart.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "lacuna/select/detail/parameters.hpp"

namespace lacuna::detail {
namespace {

// A part of the kernel and which of the parameters are its own.
struct Part {
  const Kernel* kernel;
  std::size_t first, count;
};

class Spread {
 public:
  explicit Spread(const KernelSpec& spec)
      : given_(spec.given), start_(start_values(spec.kernel, {})), scale_(parameter_scales(spec.kernel)) {
    for (std::size_t p = 0; p < start_.size(); ++p) start_[p] = given_[p].value_or(start_[p]);
    out_.place = out_.centred = std::vector<double>(start_.size(), 0.0);
    spread({&spec.kernel, 0, start_.size()});
  }
  const Places& places() const { return out_; }

 private:
  void spread(const Part& whole) {
    std::map<std::string, std::vector<Part>> alike;
    for (const Part& part : flattened(whole)) {
      spread(part);
      alike[description(part)].push_back(part);
    }
    for (const auto& [text, those] : alike)
      for (std::size_t k = 0; k < those.size(); ++k)
        move(those[k], double(k), double(k) - 0.5 * double(those.size() - 1));
  }

  // The parts of a sum or product, and of sums in the sum or products in the product.
  std::vector<Part> flattened(const Part& whole) const {
    std::vector<Part> out;
    std::size_t first = whole.first;
    for (const Kernel& kernel : kernel_parts(*whole.kernel)) {
      const Part part{&kernel, first, kernel_parameters(kernel).size()};
      first += part.count;
      if (kernel.form.index() == whole.kernel->form.index()) {
        const std::vector<Part> inner = flattened(part);
        out.insert(out.end(), inner.begin(), inner.end());
      } else {
        out.push_back(part);
      }
    }
    return out;
  }

  // Equal for parts that could change places.
  std::string description(const Part& part) const {
    if (!kernel_parts(*part.kernel).empty()) {
      std::vector<std::string> inner;
      for (const Part& one : flattened(part)) inner.push_back(description(one));
      std::ranges::sort(inner);
      const std::string_view form = std::visit([]<class K>(const K&) { return K::id; }, part.kernel->form);
      const auto weights = column_weights(*part.kernel);  // parts that weigh features otherwise are not alike
      return fmt::format("{}({}){}", form, fmt::join(inner, ","), fmt::join(weights, "/"));
    }
    const std::span<const double> values(start_.data() + part.first, part.count);
    std::string text = kernel_text(with_parameters(*part.kernel, values));
    for (std::size_t p = part.first; p < part.first + part.count; ++p)
      text += fmt::format(";{}{}", given_[p] ? '=' : '~', start_[p]);
    return text;
  }

  void move(const Part& part, double place, double centred) {
    const auto is_free = [&](std::size_t p) { return !given_[p]; };
    const auto is_free_scale = [&](std::size_t p) { return is_free(p) && scale_[p]; };
    bool scales = false;
    for (std::size_t p = part.first; p < part.first + part.count; ++p) scales = scales || is_free_scale(p);
    for (std::size_t p = part.first; p < part.first + part.count; ++p)
      if (scales ? is_free_scale(p) : is_free(p)) {
        out_.place[p] += place;
        out_.centred[p] += centred;
      }
  }

  const std::vector<std::optional<double>>& given_;
  std::vector<double> start_;
  std::vector<bool> scale_;
  Places out_;
};

}  // namespace

Places places_of_parts(const KernelSpec& spec) { return Spread(spec).places(); }

}  // namespace lacuna::detail
