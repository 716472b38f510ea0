#include "lacuna/read/date.hpp"

#include <chrono>

#include "lacuna/read/cell.hpp"

namespace lacuna::detail {
namespace {

// Reads from the front of a text; once something does not fit, nothing does.
class Front {
 public:
  explicit Front(std::string_view text) : text_(text) {}
  bool empty() const { return text_.empty(); }
  bool fits() const { return fits_; }
  /// The next character, if it is one of these; else 0.
  char take(std::string_view these) {
    if (text_.empty() || these.find(text_[0]) == std::string_view::npos) return 0;
    const char c = text_[0];
    text_.remove_prefix(1);
    return c;
  }
  void expect(std::string_view these) { fits_ = take(these) != 0 && fits_; }
  /// A whole number of so many digits.
  int digits(int least, int most) {
    int value = 0, count = 0;
    for (; count < most && !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; ++count) {
      value = 10 * value + (text_[0] - '0');
      text_.remove_prefix(1);
    }
    fits_ = fits_ && count >= least;
    return value;
  }
  /// What is left, up to the first that is one of these.
  std::string_view until(std::string_view these) {
    const std::string_view part = text_.substr(0, text_.find_first_of(these));
    text_.remove_prefix(part.size());
    return part;
  }
  void refuse() { fits_ = false; }

 private:
  std::string_view text_;
  bool fits_ = true;
};

// "17:30", "17:30:05.25"
double seconds_of(Front& at) {
  const int hours = at.digits(2, 2);
  at.expect(":");
  const int minutes = at.digits(2, 2);
  double seconds = 0.0;
  if (at.take(":")) {
    const Cell cell = read_cell(at.until("Zz+-"));
    if (cell.kind != CellKind::number || !(cell.number >= 0.0 && cell.number < 61.0)) at.refuse();
    seconds = cell.number;
  }
  if (hours > 23 || minutes > 59) at.refuse();
  return 3600.0 * hours + 60.0 * minutes + seconds;
}

// How far clocks are ahead of UTC: "Z", "+02:00", "-0530"; nothing is UTC.
double zone_of(Front& at) {
  if (at.take("Zz")) return 0.0;
  const char sign = at.take("+-");
  if (sign == 0) return 0.0;
  const int hours = at.digits(2, 2);
  at.take(":");
  const int minutes = at.digits(2, 2);
  return (sign == '-' ? -1.0 : 1.0) * (3600.0 * hours + 60.0 * minutes);
}

}  // namespace

std::optional<double> read_date(std::string_view text) {
  if (text.size() < 8 || text[0] < '0' || text[0] > '9') return std::nullopt;  // most texts
  Front at(text);
  const int year = at.digits(4, 4);
  const char between = at.take("-/");
  if (between == 0) return std::nullopt;
  const int month = at.digits(1, 2);
  at.expect(std::string_view(&between, 1));
  const int day = at.digits(1, 2);
  double seconds = 0.0;
  if (at.take("T ")) {
    seconds = seconds_of(at);
    seconds -= zone_of(at);
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)),
                                         std::chrono::day(unsigned(day))};
  if (!at.fits() || !at.empty() || !date.ok()) return std::nullopt;
  return double(std::chrono::sys_days(date).time_since_epoch().count()) + seconds / 86400.0;
}

bool is_doubtful_date(std::string_view text) {
  Front at(text.substr(0, text.find(' ')));
  const int first = at.digits(1, 2);
  const char between = at.take("/.-");
  if (between == 0) return false;
  const int second = at.digits(1, 2);
  at.expect(std::string_view(&between, 1));
  at.digits(2, 4);
  return at.fits() && at.empty() && first >= 1 && second >= 1 && first <= 31 && second <= 31;
}

}  // namespace lacuna::detail
