#include "lacuna/evaluate/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "lacuna/base/error.hpp"
#include "lacuna/evaluate/tasks.hpp"
#include "tests/support/temporary.hpp"

namespace lacuna {
namespace journal_test {

class JournalTest : public ::testing::Test {
 protected:
  std::string bytes() const { return folder_.contents("journal"); }
  void write(const std::string& text) const { folder_.write("journal", text); }

  const test::TemporaryFolder folder_;
  const std::string path_ = folder_.path("journal");
  const std::string print_ = fingerprint("this work");
};

TEST_F(JournalTest, CutAtAnyByteKeepsTheLinesThatAreWholeAndGoesOn) {
  const auto fill = [](Journal& journal) {
    for (const char* key : {"a", "b"})
      if (journal.find(key) == nullptr) journal.append(key, std::string(key) + key);
  };
  {
    Journal journal(path_, print_, "t");
    fill(journal);
  }
  const std::string whole = bytes();
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    write(whole.substr(0, cut));
    {
      Journal journal(path_, print_, "t");
      const auto lines = std::count(whole.begin(), whole.begin() + std::ptrdiff_t(cut), '\n');
      EXPECT_EQ(std::ptrdiff_t(journal.size()), std::max<std::ptrdiff_t>(0, lines - 1)) << "cut at byte " << cut;
      fill(journal);
    }
    EXPECT_EQ(bytes(), whole) << "cut at byte " << cut;
  }
}

TEST_F(JournalTest, ADamagedLineIsDoneAgainAndNothingElse) {
  {
    Journal journal(path_, print_, "test");
    for (const char* key : {"a", "b", "c"}) journal.append(key, "1");
  }
  std::string text = bytes();
  text[text.find("b\t") + 2] = '7';
  write(text);
  {
    Journal journal(path_, print_, "test");
    EXPECT_NE(journal.find("a"), nullptr);
    EXPECT_EQ(journal.find("b"), nullptr);
    EXPECT_NE(journal.find("c"), nullptr);
    journal.append("b", "2");
  }
  const Journal again(path_, print_, "test");
  EXPECT_EQ(again.size(), 3u);
  EXPECT_EQ(*again.find("b"), "2");
}

TEST_F(JournalTest, AnotherWorksJournalIsRefusedAndLeftAsItIs) {
  { Journal(path_, fingerprint("other work"), "other").append("a", "1"); }
  const std::string before = bytes();
  EXPECT_THROW(Journal(path_, print_, "test"), Error);
  EXPECT_EQ(bytes(), before);
  write("a,b,c\n1,2,3\n");
  EXPECT_THROW(Journal(path_, print_, "test"), Error);
  EXPECT_EQ(bytes(), "a,b,c\n1,2,3\n");
}

TEST_F(JournalTest, OneAtATime) {
  const Journal journal(path_, print_, "test");
  EXPECT_THROW(Journal(path_, print_, "test"), Error);
}

TEST_F(JournalTest, WorkThatIsInterruptedAnywhereGoesOnAndEndsTheSame) {
  std::vector<int> runs(6);
  std::vector<KeyedTask> tasks;
  for (int k = 0; k < 6; ++k)
    tasks.push_back({std::to_string(k), [k, &runs](const Observer& go) {
                       ++runs[std::size_t(k)];
                       go_on(go, {});
                       return std::to_string(k * 10);
                     }});
  Journal undisturbed;
  const auto expected = work_off(tasks, undisturbed, {}).results;
  for (int patience = 0; patience < 14; patience += 3) {
    std::filesystem::remove(path_);
    int calls = 0;
    TaskOptions impatient;
    impatient.observer = [&](const Progress&) { return calls++ < patience; };
    {
      Journal journal(path_, print_, "test");
      work_off(tasks, journal, impatient);
    }
    Journal journal(path_, print_, "test");
    const std::size_t kept = journal.size();
    runs.assign(6, 0);
    EXPECT_EQ(work_off(tasks, journal, {}).results, expected);
    EXPECT_EQ(std::size_t(std::count(runs.begin(), runs.end(), 1)), 6 - kept) << "what was kept is not done again";
  }
}

TEST_F(JournalTest, TheFirstErrorIsThrownAndNothingUnfinishedIsKept) {
  std::vector<KeyedTask> tasks;
  for (int k = 0; k < 8; ++k)
    tasks.push_back({std::to_string(k), [k](const Observer& go) -> std::string {
                       if (k == 2) fail_data("two");
                       return go_on(go, {}) ? "whole" : "in part";
                     }});
  Journal journal;
  EXPECT_THROW(work_off(tasks, journal, {.lanes = 3}), Error);
  for (int k = 0; k < 8; ++k)
    if (const std::string* kept = journal.find(std::to_string(k))) {
      EXPECT_EQ(*kept, "whole");
    }
  EXPECT_EQ(journal.find("2"), nullptr);
}

TEST_F(JournalTest, FingerprintsTellTablesApart) {
  const Table a = parse_table("x,y\n1,2\n3,4\n", "a"), b = parse_table("x,y\n1,2\n3,5\n", "b"),
              c = parse_table("x,z\n1,2\n3,4\n", "c"), d = parse_table("x,y\n1,2\n3,4\n", "elsewhere");
  EXPECT_EQ(fingerprint(a), fingerprint(d));
  EXPECT_NE(fingerprint(a), fingerprint(b));
  EXPECT_NE(fingerprint(a), fingerprint(c));
}

}  // namespace journal_test
}  // namespace lacuna
