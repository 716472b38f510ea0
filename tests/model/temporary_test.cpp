#include "lacuna/model/detail/temporary.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/model/file.hpp"
#include "tests/support/temporary.hpp"

namespace lacuna::detail {
namespace temporary_test {

using Named = Temporary::Named;

// Both ways, on whatever file system the tests run: late falls back on at_once where it must.
class TemporaryFileOfAWriter : public ::testing::TestWithParam<Named> {
 protected:
  std::string target() const { return folder.path("m.lacuna"); }
  void write(Temporary& temporary, std::string_view bytes) const {
    ASSERT_EQ(::write(temporary.descriptor(), bytes.data(), bytes.size()), ssize_t(bytes.size()));
  }

  const test::TemporaryFolder folder;
};
INSTANTIATE_TEST_SUITE_P(BothWays, TemporaryFileOfAWriter, ::testing::Values(Named::late, Named::at_once));

TEST_P(TemporaryFileOfAWriter, TakesTheTargetsPlaceAndPermissionsAndLeavesNothingElse) {
  folder.write("m.lacuna", "old");
  ASSERT_EQ(chmod(target().c_str(), 0640), 0);
  Temporary temporary(target(), GetParam());
  write(temporary, "new");
  EXPECT_EQ(folder.contents("m.lacuna"), "old");
  temporary.replace_target();
  EXPECT_EQ(folder.contents("m.lacuna"), "new");
  EXPECT_EQ(folder.files(), 1u);
  struct stat about = {};
  ASSERT_EQ(stat(target().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0640u);
}

TEST_P(TemporaryFileOfAWriter, MakesATargetThatWasNotThere) {
  Temporary temporary(target(), GetParam());
  write(temporary, "new");
  EXPECT_FALSE(std::filesystem::exists(target()));
  temporary.replace_target();
  EXPECT_EQ(folder.contents("m.lacuna"), "new");
  EXPECT_EQ(folder.files(), 1u);
}

TEST_P(TemporaryFileOfAWriter, IsGoneWhenItIsNotWanted) {
  folder.write("m.lacuna", "old");
  {
    Temporary temporary(target(), GetParam());
    write(temporary, "half");
  }
  EXPECT_EQ(folder.contents("m.lacuna"), "old");
  EXPECT_EQ(folder.files(), 1u);
}

TEST_P(TemporaryFileOfAWriter, IsGoneWhenASignalEndsTheProgram) {
  Temporary temporary(target(), GetParam());
  write(temporary, "half");
  remove_temporaries();  // as the handlers do
  EXPECT_EQ(folder.files(), 0u);
}

TEST_P(TemporaryFileOfAWriter, ThatWritesStillIsNotTakenForALeftover) {
  Temporary first(target(), GetParam());
  write(first, "first");
  {
    Temporary second(target(), Named::at_once);
    write(second, "second");
    second.replace_target();
  }
  EXPECT_EQ(folder.contents("m.lacuna"), "second");
  first.replace_target();
  EXPECT_EQ(folder.contents("m.lacuna"), "first");
  EXPECT_EQ(folder.files(), 1u);
}

TEST_P(TemporaryFileOfAWriter, WasKilledIsRemovedByTheNextWriter) {
  int ready[2] = {-1, -1};
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Temporary temporary(target(), Named::at_once);
    if (::write(temporary.descriptor(), "half", 4) != 4 || ::write(ready[1], "!", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char said = 0;
  ASSERT_EQ(::read(ready[0], &said, 1), 1);
  EXPECT_EQ(folder.files(), 1u) << "named at once";
  { Temporary while_it_lives(target(), GetParam()); }
  EXPECT_EQ(folder.files(), 1u) << "it is locked";
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(folder.files(), 1u) << "nobody could remove it";
  { Temporary next(target(), GetParam()); }
  EXPECT_EQ(folder.files(), 0u);
  close(ready[0]);
  close(ready[1]);
}

// Each takes the others' files for leftovers until they are locked; then it must begin again, whatever errno has kept
// from an earlier call.
TEST(TemporaryFilesOfManyWriters, DoNotDisturbEachOther) {
  const test::TemporaryFolder folder;
  const std::string target = folder.path("m.lacuna");
  std::vector<std::thread> writers;
  for (int w = 0; w < 4; ++w)
    writers.emplace_back([&] {
      for (int k = 0; k < 300; ++k) {
        errno = EOPNOTSUPP;
        Temporary temporary(target, Named::at_once);
        EXPECT_EQ(::write(temporary.descriptor(), "whole", 5), 5);
        EXPECT_NO_THROW(temporary.replace_target());
      }
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(folder.contents("m.lacuna"), "whole");
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace temporary_test
}  // namespace lacuna::detail
