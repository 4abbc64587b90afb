#include "core/experiment/runner.h"

#include <gtest/gtest.h>

#include "core/backend/stub.h"

namespace helix::experiment {
namespace {

using backend::Stub;
using backend::StubOptions;

struct Ran {
  Plan plan;
  Workload workload;
  Result<RunRecord> record;
};

Ran RunOn(Stub& stub, const RunContext& context) {
  const Shape shape = *ShapeOf("quick", {});
  Ran ran{{}, *MakeWorkload(stub, shape, 1, {}), RunRecord{}};
  ran.plan = MakePlan(shape, ran.workload, 1);
  RunOptions run;
  run.now = [&stub] { return stub.NowNs(); };
  ran.record = Run(stub, ran.plan, ran.workload, run, context);
  return ran;
}

Ran RunStub(const StubOptions& options, const RunContext& context = {}) {
  Stub stub(options);
  return RunOn(stub, context);
}

std::vector<const Sample*> Of(const Ran& ran, Arm arm) {
  std::vector<const Sample*> found;
  for (const Sample& sample : ran.record->samples) {
    if (sample.call.arm == arm) found.push_back(&sample);
  }
  return found;
}

TEST(Runner, RecordsEveryCallOfThePlanInItsOrder) {
  const Ran ran = RunStub({});
  ASSERT_TRUE(ran.record);
  ASSERT_EQ(ran.record->samples.size(), ran.plan.calls.size());
  for (std::size_t i = 0; i < ran.plan.calls.size(); ++i) {
    EXPECT_EQ(ran.record->samples[i].seq, static_cast<int>(i));
    EXPECT_EQ(ran.record->samples[i].call.arm, ran.plan.calls[i].arm);
    EXPECT_EQ(ran.record->samples[i].status, SampleStatus::kOk);
  }
}

TEST(Runner, ColdArmsAreColdWarmArmIsWarmAndTheControlReusesNothing) {
  const Ran ran = RunStub({});
  for (const Sample* sample : Of(ran, Arm::kOff)) EXPECT_EQ(sample->verified, Verified::kCold);
  for (const Sample* sample : Of(ran, Arm::kOffAa)) EXPECT_EQ(sample->verified, Verified::kCold);
  for (const Sample* sample : Of(ran, Arm::kControl)) EXPECT_EQ(sample->verified, Verified::kCold);
  for (const Sample* sample : Of(ran, Arm::kOn)) {
    EXPECT_EQ(sample->verified, Verified::kWarm);
    EXPECT_EQ(sample->reply.cached_tokens.value(), 512);
    EXPECT_EQ(sample->expected_cached, 512);
  }
}

TEST(Runner, PrimeAfterAColdCallOfItsPairCostsOneToken) {
  const Ran ran = RunStub({});
  for (const Sample* sample : Of(ran, Arm::kPrime)) {
    EXPECT_EQ(sample->reply.processed_tokens.value(), 1);
    EXPECT_EQ(sample->expected_cached, 511);
  }
}

TEST(Runner, NeverReusesMoreThanWasSeen) {
  const Ran ran = RunStub({});
  for (const Sample& sample : ran.record->samples) {
    EXPECT_LE(sample.reply.cached_tokens.value(), sample.lcp_prev) << sample.seq;
  }
}

TEST(Runner, LabelsACacheThatIsOffAsMislabelledWarmArm) {
  StubOptions options;
  options.faults.never_reuses = true;
  const Ran ran = RunStub(options);
  for (const Sample* sample : Of(ran, Arm::kOn)) EXPECT_EQ(sample->verified, Verified::kMislabelled);
}

TEST(Runner, LabelsOneReusedTokenAsMislabelledToo) {
  StubOptions options;
  options.faults.reuses_at_most = 1;
  const Ran ran = RunStub(options);
  for (const Sample* sample : Of(ran, Arm::kOn)) EXPECT_EQ(sample->verified, Verified::kMislabelled);
}

TEST(Runner, LabelsAWarmColdArmAsMislabelled) {
  StubOptions options;
  options.faults.ignores_the_switch = true;
  const Ran ran = RunStub(options);
  int mislabelled = 0;
  for (const Sample* sample : Of(ran, Arm::kOff))
    mislabelled += sample->verified == Verified::kMislabelled ? 1 : 0;
  EXPECT_GT(mislabelled, 0);
}

TEST(Runner, WithoutCountersEveryLabelIsInferred) {
  StubOptions options;
  options.faults.hides_counters = true;
  const Ran ran = RunStub(options);
  for (const Sample& sample : ran.record->samples) EXPECT_EQ(sample.verified, Verified::kInferred);
}

TEST(Runner, MarksTheCallDuringWhichTheServerWorkedForSomeoneElse) {
  StubOptions options;
  options.faults.foreign_work_at_call = {6};
  const Ran ran = RunStub(options);
  EXPECT_EQ(ran.record->samples[6].verified, Verified::kContaminated);
  EXPECT_EQ(ran.record->samples[6].traffic["processed"], 77);
  EXPECT_NE(ran.record->samples[7].verified, Verified::kContaminated);
}

// A server whose metrics have no total of reused tokens.
class WithoutReusedTotal : public Stub {
 public:
  using Stub::Stub;
  Result<backend::WorkCounters> Work(const RunContext& context) override {
    auto work = Stub::Work(context);
    if (work) work->cached.reset();
    return work;
  }
};

TEST(Runner, AForeignCountThatIsNotKnownIsNoZero) {
  StubOptions options;
  options.faults.foreign_work_at_call = {6};
  WithoutReusedTotal stub(options);
  const Ran ran = RunOn(stub, {});
  EXPECT_EQ(ran.record->samples[6].traffic["processed"], 77);
  EXPECT_TRUE(ran.record->samples[6].traffic["cached"].is_null()) << ran.record->samples[6].traffic.dump();
}

TEST(Runner, KeepsAFailedCallAndGoesOn) {
  StubOptions options;
  options.faults.fails_at_call = {4};
  const Ran ran = RunStub(options);
  ASSERT_TRUE(ran.record);
  EXPECT_EQ(ran.record->samples[4].status, SampleStatus::kError);
  EXPECT_FALSE(ran.record->samples[4].error.empty());
  EXPECT_EQ(ran.record->samples[5].status, SampleStatus::kOk);
  EXPECT_TRUE(ran.record->stopped_because.empty());
}

TEST(Runner, StopsSendingWhenTheServerIsGoneAndStillAccountsForEveryCall) {
  StubOptions options;
  options.faults.dies_at_call = 10;
  const Ran ran = RunStub(options);
  ASSERT_TRUE(ran.record);
  ASSERT_EQ(ran.record->samples.size(), ran.plan.calls.size());
  EXPECT_EQ(ran.record->samples[9].status, SampleStatus::kOk);
  EXPECT_EQ(ran.record->samples[10].status, SampleStatus::kError);
  EXPECT_EQ(ran.record->samples[11].status, SampleStatus::kNotRun);
  EXPECT_EQ(ran.record->samples.back().status, SampleStatus::kNotRun);
  EXPECT_FALSE(ran.record->stopped_because.empty());
}

TEST(Runner, ACancelledRunGivesNoRecord) {
  std::stop_source stop;
  RunContext context;
  context.stop = stop.get_token();
  context.progress = [&stop](const Progress& progress) {
    if (progress.done >= 3) stop.request_stop();
  };
  const Ran ran = RunStub({}, context);
  ASSERT_FALSE(ran.record);
  EXPECT_EQ(ran.record.error().code, ErrorCode::kCancelled);
}

TEST(Runner, ReportsProgressForEveryCall) {
  int reports = 0;
  RunContext context;
  context.progress = [&reports](const Progress& progress) {
    ++reports;
    EXPECT_LT(progress.done, progress.total);
  };
  const Ran ran = RunStub({}, context);
  EXPECT_EQ(reports, static_cast<int>(ran.plan.calls.size()));
}

}  // namespace
}  // namespace helix::experiment
