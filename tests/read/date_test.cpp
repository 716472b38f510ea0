#include "lacuna/read/date.hpp"

#include <gtest/gtest.h>

namespace lacuna {
namespace date_test {

using detail::has_digits_of_day, detail::is_doubtful_date, detail::is_worded_date, detail::read_date, detail::read_day;

TEST(Date, WithTheYearFirstIsDays) {
  for (const char* day : {"1970-01-03", "1970/01/03", "1970.01.03", "1970-1-3", "1970.01.03 00:00"})
    EXPECT_EQ(read_date(day), 2.0) << day;
  for (const char* month : {"1970-02", "1970/02"}) {
    EXPECT_EQ(read_date(month), 31.0) << month;
    EXPECT_FALSE(read_day(month)) << month;
  }
  for (const char* other :
       {"1970.02", "1970-13", "1970-2", "1234-05", "1970-02-30", "1970-01.03", "03.01.1970", "1970"})
    EXPECT_FALSE(read_date(other)) << other;
}

TEST(Date, InAnotherOrderOrInWordsIsKnownAsOne) {
  for (const char* date : {"3/4/2021", "03.04.21", "3-4-2021 17:30"}) EXPECT_TRUE(is_doubtful_date(date)) << date;
  for (const char* date : {"29 Jan 2020", "Sep-10-2020", "29jan2020", "Saturday 29 February 2020", "Jan 2020",
                           "January 1st, 2020", "Wed Jan 01 10:30:00 2020", "29-Sept-20", "12 May 2020 5:30 pm"})
    EXPECT_TRUE(is_worded_date(date)) << date;
  for (const char* text : {"January", "May be", "Ford 12", "mare 1", "12", "Jan Feb 3", "Jan 12345", "", "Monday 3"})
    EXPECT_FALSE(is_worded_date(text)) << text;
}

TEST(Date, IsWrittenAsItIsRead) {
  for (const char* text :
       {"1970-01-01", "2021-04-03", "1899-12-31", "0001-01-01", "9999-12-31", "2021-04-03 17:30", "1969-12-31 23:59"})
    EXPECT_EQ(detail::date_text(*read_day(text)), text);
  EXPECT_EQ(detail::date_text(*read_day("2021-04-03") + 1e-9), "2021-04-03");  // what standardising and back leaves
  EXPECT_EQ(detail::date_text(*read_day("2021-04-03") - 1e-9), "2021-04-03");
  for (const char* no_year : {"500000000", "-1000000", "nan", "inf"})
    EXPECT_EQ(detail::date_text(std::stod(no_year)), no_year);
}

TEST(Date, OfEightDigitsIsANumberThatLooksLikeOne) {
  for (const double day : {20210403.0, 18000101.0, 21991231.0, 20200229.0}) EXPECT_TRUE(has_digits_of_day(day)) << day;
  for (const double other : {20210431.0, 20210229.0, 17991231.0, 22000101.0, 20210403.5, 2021.0, -20210403.0})
    EXPECT_FALSE(has_digits_of_day(other)) << other;
}

}  // namespace date_test
}  // namespace lacuna
