#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <optional>
#include <thread>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "mcp/jobs/job_answer.h"
#include "mcp/jobs/job_runner.h"
#include "mcp/jobs/job_tasks.h"
#include "tests/support/paths.h"

namespace helix::mcp {
namespace {

using ::testing::HasSubstr;

// Runs until it is told to end, or until it is cancelled.
class JobTest : public ::testing::Test {
 protected:
  JobTest() : folder_(testing_support::ScratchDir()), store_(folder_) {
    settings_.report_dir = folder_;
    tool_.name = "slow";
    tool_.input_schema = *ParseJson(R"({"type":"object","properties":{}})");
    tool_.output_schema =
        *ParseJson(R"({"type":"object","properties":{"verdict":{"type":"string"}},"required":["verdict"]})");
    tool_.duration = ToolDuration::kLong;
    tool_.handler = [this](const Json&, const Settings&, const RunContext& run) -> Result<Json> {
      run.Report(1, 2, "half way");
      while (!run.Cancelled() && !end_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (run.Cancelled()) return Fail(ErrorCode::kCancelled, "cancelled");
      return result_;
    };
    runner_ = std::make_shared<JobRunner>();
  }
  ~JobTest() override { runner_->StopAll(std::chrono::seconds(10)); }
  Result<Json> CallServed(double max_wait_s, std::stop_token stop = {}) {
    return WithJobs(tool_, runner_)
        .handler(Json{{"max_wait_s", max_wait_s}}, settings_, RunContext{stop, {}});
  }
  JobState Ended(const std::string& id) { return *WaitForJob(store_, id, 20, RunContext{}); }

  const std::string folder_;
  JobStore store_;
  Settings settings_;
  Tool tool_;
  std::shared_ptr<JobRunner> runner_;
  std::atomic<bool> end_{false};
  Json result_{{"verdict", "PASS"}};
};

TEST_F(JobTest, AnswersWithTheResultWhenItIsInTime) {
  end_ = true;
  auto answer = CallServed(20);
  ASSERT_TRUE(answer) << answer.error().Text();
  EXPECT_EQ(DumpJson(*answer), R"({"verdict":"PASS"})");
}

TEST_F(JobTest, AnswersWithAJobWhenItIsNotAndTheResultIsThereLater) {
  auto answer = CallServed(0.05);
  ASSERT_TRUE(answer);
  EXPECT_EQ(StringAt(*answer, "status"), "running");
  const auto id = StringAt(*answer, "job_id").value_or("");
  end_ = true;
  const auto done = JobAnswer(store_, Ended(id));
  EXPECT_EQ(StringAt(done, "status"), "done");
  EXPECT_EQ(StringAt(done, "verdict"), "PASS");
  EXPECT_EQ(StringAt(done, "result/verdict"), "PASS");
  EXPECT_EQ(StringAt(done, "progress/message"), "half way");
}

// While it lives no file of this process can grow, as on a full disk.
class FullDisk {
 public:
  FullDisk() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(JobTest, EndsForTheCallThatWaitsAlthoughItsEndCannotBeWritten) {
  std::optional<FullDisk> full;
  tool_.handler = [&](const Json&, const Settings&, const RunContext&) -> Result<Json> {
    full.emplace();
    return result_;
  };
  const auto answer = CallServed(20);
  full.reset();
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().Text(), HasSubstr("the result could not be written"));
}

TEST_F(JobTest, IsStoppedByAFileThatAnyProcessCanWrite) {
  const auto id = *StringAt(*CallServed(0), "job_id");
  ASSERT_TRUE(JobStore(settings_.report_dir).RequestCancel(id));
  EXPECT_EQ(Ended(id).status, JobStatus::kCancelled);
}

TEST_F(JobTest, IsCancelledWithTheCallThatWaitsForIt) {
  std::stop_source stop;
  stop.request_stop();
  auto answer = CallServed(20, stop.get_token());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(runner_->StopAll(std::chrono::seconds(10)));
}

TEST_F(JobTest, SaysWhenItsServerEndedBeforeIt) {
  const auto id = *StringAt(*CallServed(0), "job_id");
  runner_->StopAll(std::chrono::seconds(10));
  const auto path = settings_.report_dir + "/jobs/" + id + "/state.json";
  Json state = *ReadJsonFile(path);
  state["status"] = "running";
  state["process"]["start"] = "1";  // a process with this pid, but an older one
  ASSERT_TRUE(WriteFileAtomic(path, DumpPretty(state)));
  const auto answer = JobAnswer(store_, *store_.Load(id));
  EXPECT_EQ(StringAt(answer, "status"), "lost");
  EXPECT_THAT(StringAt(answer, "error").value_or(""), HasSubstr("run slow again"));
}

TEST_F(JobTest, FailsWhenTheResultBreaksItsSchema) {
  result_ = Json{{"verdickt", 1}};
  end_ = true;
  auto answer = CallServed(20);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("output schema"));
}

TEST_F(JobTest, RefusesIdsThatWereNeverGiven) {
  for (const char* id : {"", "../../etc", "0123456789abcdef", "0123456789ABCDEF"}) {
    EXPECT_FALSE(store_.Load(id)) << id;
    EXPECT_FALSE(store_.RequestCancel(id)) << id;
  }
}

TEST_F(JobTest, RunsAloneAndTheNextInItsTurn) {
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  tool_.handler = [&](const Json&, const Settings&, const RunContext& run) -> Result<Json> {
    most = std::max(most.load(), ++running);
    while (!run.Cancelled() && !end_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --running;
    return run.Cancelled() ? Fail(ErrorCode::kCancelled, "cancelled") : Result<Json>(result_);
  };
  const auto first = *StringAt(*CallServed(0), "job_id");
  const auto second = *StringAt(*CallServed(0), "job_id");
  const auto third = *StringAt(*CallServed(0.2), "job_id");
  EXPECT_EQ(running, 1);
  EXPECT_EQ(store_.Load(third)->progress.message, "waits for another run to end");
  runner_->Cancel(second);
  EXPECT_EQ(Ended(second).status, JobStatus::kCancelled) << "before its turn came";
  end_ = true;
  EXPECT_EQ(Ended(first).status, JobStatus::kDone);
  EXPECT_EQ(Ended(third).status, JobStatus::kDone);
  EXPECT_EQ(most, 1);
}

TEST_F(JobTest, TellsThatItEnded) {
  std::string told;
  runner_->OnEnded([&](const std::string& id) { told = id + " " + JobStatusName(store_.Load(id)->status); });
  const auto id = *StringAt(*CallServed(0), "job_id");
  end_ = true;
  Ended(id);
  EXPECT_TRUE(runner_->StopAll(std::chrono::seconds(10)));
  EXPECT_EQ(told, id + " done") << "after its result was written";
}

TEST_F(JobTest, IsRefusedWhenTooManyWait) {
  for (int i = 0; i < 16; ++i) ASSERT_TRUE(CallServed(0)) << i;
  auto refused = CallServed(0);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().hint, HasSubstr("cancel_job"));
}

TEST_F(JobTest, IsATaskForClientsThatKnowTasks) {
  Call call;
  auto started = StartAsTask(tool_, settings_, runner_)(call);
  ASSERT_TRUE(started);
  EXPECT_EQ(StringAt(*started, "resultType"), "task");
  EXPECT_EQ(StringAt(*started, "status"), "working");
  const auto id = *StringAt(*started, "taskId");
  end_ = true;
  Ended(id);
  auto task = JobTasks(settings_.report_dir)->Get(id);
  ASSERT_TRUE(task);
  EXPECT_EQ(StringAt(*task, "status"), "completed");
  EXPECT_EQ(StringAt(*task, "result/structuredContent/verdict"), "PASS");
}

}  // namespace
}  // namespace helix::mcp
