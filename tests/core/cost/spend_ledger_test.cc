#include "core/cost/spend_ledger.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "tests/support/paths.h"

namespace helix::cost {
namespace {

const char* kDay = "2026-12-01";

std::string Path() {
  return testing_support::ScratchDir() + "/spend/ledger.jsonl";
}

TEST(SpendLedger, RefusesWhatWouldPassTheLimitAndSaysWhatIsLeft) {
  SpendLedger ledger(Path(), FromUsd(1), kDay);
  ASSERT_TRUE(ledger.Reserve(FromUsd(0.7)));
  auto second = ledger.Reserve(FromUsd(0.4));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kRefused);
  EXPECT_NE(second.error().message.find("$0.7 of $1"), std::string::npos) << second.error().message;
  EXPECT_TRUE(ledger.Reserve(FromUsd(0.3)));
}

TEST(SpendLedger, SettlingFreesWhatWasNotSpent) {
  SpendLedger ledger(Path(), FromUsd(1), kDay);
  auto call = ledger.Reserve(FromUsd(0.9));
  ASSERT_TRUE(call);
  ASSERT_TRUE(ledger.Settle(*call, FromUsd(0.1)));
  EXPECT_EQ(ledger.Committed()->count, FromUsd(0.1).count);
  EXPECT_TRUE(ledger.Reserve(FromUsd(0.9)));
}

TEST(SpendLedger, AKilledProcessStaysReservedInFull) {
  const std::string path = Path();
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    SpendLedger ledger(path, FromUsd(1), kDay);
    _exit(ledger.Reserve(FromUsd(0.8)) ? 0 : 1);  // ends without settling
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  SpendLedger ledger(path, FromUsd(1), kDay);
  EXPECT_EQ(ledger.Committed()->count, FromUsd(0.8).count);
  EXPECT_FALSE(ledger.Reserve(FromUsd(0.3)));
}

TEST(SpendLedger, AHalfWrittenLineDoesNotSwallowTheNextOne) {
  const std::string path = Path();
  SpendLedger ledger(path, FromUsd(1), kDay);
  ASSERT_TRUE(ledger.Reserve(FromUsd(0.2)));
  std::ofstream(path, std::ios::app) << "{\"what\":\"reserve\",\"da";
  ASSERT_TRUE(ledger.Reserve(FromUsd(0.3)));
  EXPECT_EQ(ledger.Committed()->count, FromUsd(0.5).count);
}

TEST(SpendLedger, ManyThreadsTogetherNeverPassTheLimit) {
  const std::string path = Path();
  std::vector<std::thread> threads;
  std::atomic<int> granted = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      SpendLedger ledger(path, FromUsd(1), kDay);
      for (int k = 0; k < 5; ++k) granted += ledger.Reserve(FromUsd(0.1)) ? 1 : 0;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(granted, 10);
}

TEST(SpendLedger, AnAbsurdAmountIsBookedAsItIsAndBreaksNothing) {  // a gateway that counts 2^53 tokens
  SpendLedger ledger(Path(), FromUsd(5), kDay);
  auto call = ledger.Reserve(FromUsd(1));
  ASSERT_TRUE(call);
  const Money absurd{static_cast<Int128>(9007199254740992) * 25'000'000};
  ASSERT_TRUE(ledger.Settle(*call, absurd));
  EXPECT_EQ(ledger.Committed()->count, absurd.count);
  auto next = ledger.Reserve(FromUsd(0.01));
  ASSERT_FALSE(next);
  EXPECT_EQ(next.error().code, ErrorCode::kRefused);
}

TEST(Money, KeepsItsBounds) {
  EXPECT_GT(FromUsd(1e300).count, 0);
  EXPECT_LT(FromUsd(-1e300).count, 0);
  EXPECT_EQ(FromUsd(std::nan("")).count, 0);
  EXPECT_EQ(FromPicoText(PicoText(FromUsd(12.5)))->count, FromUsd(12.5).count);
  for (const char* bad : {"", "-1", "1e3", "12 ", "99999999999999999999999999999999999999999"})
    EXPECT_FALSE(FromPicoText(bad)) << bad;
}

TEST(SpendLedger, AnotherDayStartsAtZero) {
  const std::string path = Path();
  SpendLedger today(path, FromUsd(1), kDay);
  ASSERT_TRUE(today.Reserve(FromUsd(1)));
  SpendLedger tomorrow(path, FromUsd(1), "2026-12-02");
  EXPECT_TRUE(tomorrow.Reserve(FromUsd(1)));
}

}  // namespace
}  // namespace helix::cost
