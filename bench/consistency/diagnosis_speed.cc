// CPU time of diagnosing two request bodies of 1 MB. Goal: below 20 ms, reading the JSON included.
#include <fmt/format.h>
#include <time.h>

#include <string>
#include <vector>

#include "core/analysis/quantile.h"
#include "core/base/json_fields.h"
#include "core/base/random.h"
#include "core/consistency/pair_diagnosis.h"

namespace {

using namespace helix;

constexpr std::size_t kBytes = 1'000'000;
constexpr int kRounds = 15;

double CpuMs() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

std::string Words(SplitMix64& random, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    for (int i = 0; i < 6; ++i) text += static_cast<char>('a' + random.Below(26));
    text += random.Below(12) == 0 ? "\n" : " ";
  }
  return text;
}

// A coding agent's request: 24 tools, a system text with a clock, a long history of calls and results.
std::string Body(const std::string& clock, const std::string& edit) {
  SplitMix64 random(7);
  Json body{{"model", "m"}, {"max_tokens", 1000}};
  for (int i = 0; i < 24; ++i)
    body["tools"].push_back(
        {{"name", "tool_" + std::to_string(i)},
         {"description", Words(random, 900)},
         {"input_schema", {{"type", "object"}, {"properties", {{"path", {{"type", "string"}}}}}}}});
  body["system"] =
      Json::array({{{"type", "text"}, {"text", Words(random, 8000) + clock + Words(random, 8000)}}});
  body["messages"] = Json::array();
  std::size_t size = DumpJson(body).size();
  for (int turn = 0; size < kBytes; ++turn) {
    const std::string id = "call_" + std::to_string(turn);
    const std::string result = (turn == 60 ? edit : "") + Words(random, 4000);
    body["messages"].push_back(
        {{"role", "assistant"},
         {"content",
          Json::array({{{"type", "text"}, {"text", Words(random, 200)}},
                       {{"type", "tool_use"}, {"id", id}, {"name", "tool_1"}, {"input", {{"path", id}}}}})}});
    body["messages"].push_back(
        {{"role", "user"},
         {"content", Json::array({{{"type", "tool_result"}, {"tool_use_id", id}, {"content", result}}})}});
    size += 4500;
  }
  return DumpJson(body);
}

struct Case {
  const char* name;
  std::string a, b;
};

double Diagnose(const Case& pair, std::string& verdict) {
  const double start = CpuMs();
  auto a = ParseJson(pair.a);
  auto b = ParseJson(pair.b);
  consistency::PairInput input;
  input.a = *consistency::ReadRequestBody(std::move(*a));
  input.b = *consistency::ReadRequestBody(std::move(*b));
  input.backend = "llama-server";
  const auto result = consistency::DiagnosePair(input);
  verdict = result ? StringAt(*result, "verdict").value_or("") : result.error().Text();
  return CpuMs() - start;
}

}  // namespace

int main() {
  const std::string same = Body("10:00:01", "");
  const Case cases[] = {{"equal bodies", same, same},
                        {"a clock in the system text", same, Body("10:00:09", "")},
                        {"an edit in the history", same, Body("10:00:01", "edited ")}};
  bool met = true;
  for (const Case& pair : cases) {
    std::vector<double> times;
    std::string verdict;
    for (int i = 0; i < kRounds; ++i) times.push_back(Diagnose(pair, verdict));
    const double median = analysis::Median(times).value_or(-1);
    met = met && median > 0 && median < 20;
    fmt::print("{:<28} {} and {} bytes: {:.2f} ms CPU (median of {}), {}\n", pair.name, pair.a.size(),
               pair.b.size(), median, kRounds, verdict);
  }
  fmt::print("goal, every median below 20 ms: {}\n", met ? "met" : "missed");
  return met ? 0 : 1;
}
