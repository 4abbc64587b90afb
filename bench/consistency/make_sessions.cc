// Writes session logs in the form of Claude Code's, for the reader's benchmark:
// FOLDER/projects/p<n>/<session>.jsonl. Lines repeat per content block as the client writes them; prints the
// totals that a right reader finds.
//   bench_make_sessions FOLDER MEGABYTES
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/json.h"
#include "core/base/random.h"
#include "core/experiment/text_source.h"

namespace {

using namespace helix;

struct Totals {
  std::int64_t input = 0, output = 0, read = 0, write = 0;
};

class Session {
 public:
  Session(std::ofstream& file, std::uint64_t seed, Totals& totals)
      : file_(file), random_(seed), text_(seed), id_(fmt::format("session-{:08x}", seed)), totals_(totals) {}

  void Turn(int number) {
    const std::string stamp =
        fmt::format("2026-10-{:02}T{:02}:{:02}:{:02}.{:03}Z", 1 + number / 400 % 28, number / 60 % 24,
                    number % 60, random_.Below(60), random_.Below(1000));
    Line({{"type", "user"},
          {"sessionId", id_},
          {"timestamp", stamp},
          {"message",
           {{"role", "user"},
            {"content", Json::array({{{"type", "tool_result"},
                                      {"tool_use_id", "t"},
                                      {"content", text_.Text(1000 + random_.Below(6000))}}})}}}});
    const std::int64_t write = 200 + static_cast<std::int64_t>(random_.Below(2000));
    const std::int64_t output = 20 + static_cast<std::int64_t>(random_.Below(400));
    const std::int64_t blocks = 1 + static_cast<std::int64_t>(random_.Below(3));
    for (std::int64_t block = 1; block <= blocks; ++block)
      Line(Answer(stamp, number, write, block == blocks ? output : 1));
    totals_.input += 4;
    totals_.output += output;
    totals_.read += held_;
    totals_.write += write;
    held_ += write;
  }

 private:
  Json Answer(const std::string& stamp, int number, std::int64_t write, std::int64_t output) {
    return {{"type", "assistant"},
            {"sessionId", id_},
            {"isSidechain", false},
            {"version", "2.1.300"},
            {"timestamp", stamp},
            {"requestId", fmt::format("req_{}_{}", id_, number)},
            {"message",
             {{"id", fmt::format("msg_{}_{}", id_, number)},
              {"type", "message"},
              {"role", "assistant"},
              {"model", "claude-sonnet-4-5-20250929"},
              {"content", Json::array({{{"type", "text"}, {"text", text_.Text(300 + random_.Below(900))}}})},
              {"usage",
               {{"input_tokens", 4},
                {"cache_creation_input_tokens", write},
                {"cache_read_input_tokens", held_},
                {"cache_creation", {{"ephemeral_5m_input_tokens", write}, {"ephemeral_1h_input_tokens", 0}}},
                {"output_tokens", output}}}}}};
  }
  void Line(const Json& value) { file_ << DumpJson(value) << "\n"; }

  std::ofstream& file_;
  SplitMix64 random_;
  experiment::TextSource text_;
  std::string id_;
  std::int64_t held_ = 0;
  Totals& totals_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: bench_make_sessions FOLDER MEGABYTES\n");
    return 2;
  }
  const auto wanted = static_cast<std::uint64_t>(std::atoi(argv[2])) * 1'000'000;
  std::uint64_t written = 0;
  Totals totals;
  for (std::uint64_t seed = 1; written < wanted; ++seed) {
    const auto folder = std::filesystem::path(argv[1]) / "projects" / fmt::format("p{}", seed % 5);
    std::filesystem::create_directories(folder);
    const auto path = folder / fmt::format("session-{:08x}.jsonl", seed);
    {
      std::ofstream file(path);
      Session session(file, seed, totals);
      for (int turn = 0; turn < 400; ++turn) session.Turn(turn);
    }
    written += std::filesystem::file_size(path);
  }
  fmt::print("{{\"bytes\":{},\"input\":{},\"output\":{},\"read\":{},\"write\":{}}}\n", written, totals.input,
             totals.output, totals.read, totals.write);
  return 0;
}
