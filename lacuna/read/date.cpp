#include "lacuna/read/date.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

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

std::optional<double> days_of(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)),
                                         std::chrono::day(unsigned(day))};
  if (!date.ok()) return std::nullopt;
  return double(std::chrono::sys_days(date).time_since_epoch().count());
}

// Years that a number without more to tell it by may be.
constexpr int first_year = 1800, last_year = 2199;

bool is_numeral(char c) { return c >= '0' && c <= '9'; }
bool is_latin(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The longest beginning of the text that is such characters, which is taken from it.
template <class Is>
std::string_view take_run(std::string_view& text, const Is& is) {
  const auto end = std::ranges::find_if_not(text, is);
  const std::string_view run = text.substr(0, std::size_t(end - text.begin()));
  text.remove_prefix(run.size());
  return run;
}

// Whether a word is one of these, in full or by its first three letters.
template <std::size_t count>
bool is_one_of(const std::string& word, const std::array<std::string_view, count>& names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return word == name || word == name.substr(0, 3); });
}
constexpr std::array<std::string_view, 13> months{"january",  "february", "march",  "april",     "may",
                                                  "june",     "july",     "august", "september", "october",
                                                  "november", "december", "sept"};
constexpr std::array<std::string_view, 7> weekdays{"monday", "tuesday",  "wednesday", "thursday",
                                                   "friday", "saturday", "sunday"};
constexpr std::array<std::string_view, 11> beside{"st", "nd", "rd", "th", "of", "t", "z", "am", "pm", "utc", "gmt"};

}  // namespace

std::optional<double> read_date(std::string_view text) {
  const std::optional<double> day = read_day(text);
  return day ? day : read_month(text);
}

std::optional<double> read_month(std::string_view text) {
  if (text.size() != 7 || !is_numeral(text[0])) return std::nullopt;
  Front at(text);
  const int year = at.digits(4, 4);
  at.expect("-/");
  const int month = at.digits(2, 2);
  if (!at.fits() || year < first_year || year > last_year) return std::nullopt;
  return days_of(year, month, 1);
}

std::optional<double> read_day(std::string_view text) {
  if (text.size() < 8 || text[0] < '0' || text[0] > '9') return std::nullopt;  // most texts
  Front at(text);
  const int year = at.digits(4, 4);
  const char between = at.take("-/.");
  if (between == 0) return std::nullopt;
  const int month = at.digits(1, 2);
  at.expect(std::string_view(&between, 1));
  const int day = at.digits(1, 2);
  double seconds = 0.0;
  if (at.take("T ")) {
    seconds = seconds_of(at);
    seconds -= zone_of(at);
  }
  const std::optional<double> days = days_of(year, month, day);
  if (!at.fits() || !at.empty() || !days) return std::nullopt;
  return *days + seconds / 86400.0;
}

std::string date_text(double days) {
  constexpr double minutes_a_day = 1440.0, far = 3.0e6;
  if (!(std::abs(days) < far)) return fmt::format("{:.12g}", days);
  const auto minutes = std::int64_t(std::llround(days * minutes_a_day));
  const std::chrono::sys_time<std::chrono::minutes> time{std::chrono::minutes(minutes)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  if (int(date.year()) < 1 || int(date.year()) > 9999) return fmt::format("{:.12g}", days);
  const auto rest = (time - day).count();
  const std::string text =
      fmt::format("{:04}-{:02}-{:02}", int(date.year()), unsigned(date.month()), unsigned(date.day()));
  return rest == 0 ? text : fmt::format("{} {:02}:{:02}", text, rest / 60, rest % 60);
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

bool is_worded_date(std::string_view text) {
  int numbers = 0, names = 0, days = 0;
  while (!text.empty()) {
    if (is_numeral(text[0])) {
      const std::size_t digits = take_run(text, is_numeral).size();
      if (text.starts_with(':'))  // a time of day
        take_run(text, [](char c) { return is_numeral(c) || c == ':' || c == '.'; });
      else if (digits > 2 && digits != 4)
        return false;
      else
        ++numbers;
    } else if (is_latin(text[0])) {
      std::string word(take_run(text, is_latin));
      for (char& c : word) c = char(c | 0x20);
      if (is_one_of(word, months))
        ++names;
      else if (is_one_of(word, weekdays))
        ++days;
      else if (std::ranges::find(beside, word) == beside.end())
        return false;
    } else if (std::string_view(" ,-/.'+").find(text[0]) != std::string_view::npos) {
      text.remove_prefix(1);
    } else {
      return false;
    }
  }
  return names == 1 && days <= 1 && numbers >= 1 && numbers <= 3;
}

bool has_digits_of_day(double number) {
  if (!(number >= 1e4 * first_year && number < 1e4 * (last_year + 1)) || number != std::floor(number)) return false;
  const int digits = int(number);
  return days_of(digits / 10000, digits / 100 % 100, digits % 100).has_value();
}

}  // namespace lacuna::detail
