#include "core/consistency/session_diagnosis.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "core/base/file.h"
#include "core/consistency/advice_table.h"
#include "core/consistency/capture_diagnosis.h"
#include "core/consistency/session_breaks.h"
#include "core/consistency/session_log.h"
#include "core/cost/usage_cost.h"

namespace helix::consistency {
namespace {

namespace fs = std::filesystem;

Result<std::vector<std::string>> FilesOf(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    for (fs::recursive_directory_iterator it(path, fs::directory_options::skip_permission_denied, error), end;
         it != end; it.increment(error)) {
      if (error) break;
      if (it->is_regular_file(error) && it->path().extension() == ".jsonl")
        files.push_back(it->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty())
    return Fail(ErrorCode::kNotFound, "no *.jsonl file was found",
                "name a session log, a capture, or a folder of them");
  return files;
}

Json TokenJson(const Measured<Tokens>& tokens) {
  return tokens.present() ? Json(tokens.value().count) : Json(nullptr);
}

struct Totals {
  std::int64_t uncached = 0, read = 0, write_5m = 0, write_1h = 0, write_other = 0, output = 0;
  cost::Money cost{};
  std::size_t priced = 0;

  void Add(const usage::Usage& usage) {
    const auto add = [](std::int64_t& sum, const Measured<Tokens>& tokens) {
      if (tokens.present()) sum += tokens.value().count;
    };
    add(uncached, usage.in_uncached);
    add(read, usage.cache_read);
    add(write_5m, usage.cache_write_5m);
    add(write_1h, usage.cache_write_1h);
    add(write_other, usage.cache_write_other);
    add(output, usage.out_total);
  }
};

cost::Cost CostOfTurn(const SessionTurn& turn, const cost::PriceTable& prices) {
  const auto prompt = usage::CountOf(turn.usage.in_total);
  if (!prompt) return {};
  const auto row =
      prices.Find("anthropic", cost::BareModelId(turn.model), turn.timestamp.substr(0, 19) + "Z", *prompt);
  return row ? cost::CostOf(turn.usage, *row) : cost::Cost{};
}

Json TurnJson(const SessionTurn& turn, const cost::Cost& cost) {
  const bool priced = cost.kind != cost::Cost::Kind::kUnknown;
  return Json{{"session", turn.session},
              {"timestamp", turn.timestamp},
              {"model", turn.model},
              {"request_id", turn.request_id},
              {"read", TokenJson(turn.usage.cache_read)},
              {"written", TokenJson(turn.usage.Writes())},
              {"uncached", TokenJson(turn.usage.in_uncached)},
              {"output", TokenJson(turn.usage.out_total)},
              {"usd", priced ? Json(cost::ToText(cost.total)) : Json(nullptr)}};
}

Json BreakJson(const SessionBreak& found, const SessionTurn& turn) {
  return Json{{"verdict", found.verdict},
              {"session", turn.session},
              {"timestamp", turn.timestamp},
              {"request_id", turn.request_id},
              {"held", found.held},
              {"read", found.read},
              {"lost_tokens", found.lost},
              {"fact", found.fact},
              {"cost_usd", found.cost ? Json(cost::ToText(*found.cost)) : Json(nullptr)},
              {"advice", AdviceJson(found.verdict, "anthropic")}};
}

// The verdict that lost most tokens over all breaks.
std::string WorstVerdict(const std::vector<SessionBreak>& breaks) {
  std::map<std::string, std::int64_t> lost;
  for (const SessionBreak& each : breaks) lost[each.verdict] += each.lost;
  return std::max_element(lost.begin(), lost.end(), [](auto& x, auto& y) { return x.second < y.second; })
      ->first;
}

Json Report(const SessionLog& log, const SessionOptions& options, const cost::PriceTable& prices) {
  Totals totals;
  Json turns = Json::array();
  for (const SessionTurn& turn : log.turns) {
    totals.Add(turn.usage);
    const cost::Cost cost = CostOfTurn(turn, prices);
    if (cost.kind != cost::Cost::Kind::kUnknown) {
      totals.cost += cost.total;
      ++totals.priced;
    }
    if (turns.size() < options.most_turns) turns.push_back(TurnJson(turn, cost));
  }
  auto breaks = FindBreaks(log.turns, prices);
  std::int64_t lost = 0;
  cost::Money lost_cost{};
  for (const SessionBreak& each : breaks) {
    lost += each.lost;
    if (each.cost) lost_cost += *each.cost;
  }
  std::stable_sort(breaks.begin(), breaks.end(), [](auto& x, auto& y) { return x.lost > y.lost; });
  Json listed = Json::array();
  for (const SessionBreak& each : breaks)
    if (listed.size() < options.most_turns) listed.push_back(BreakJson(each, log.turns[each.turn]));
  Json out;
  out["verdict"] = !breaks.empty()   ? WorstVerdict(breaks)
                   : totals.read > 0 ? "OK_PARTIAL_HIT"
                                     : "UNCONFIRMED";
  out["source"] = "session_log";
  out["lines"] = log.lines;
  out["repeated_lines"] = log.repeated;
  out["unreadable_lines"] = log.unreadable;
  out["turn_count"] = log.turns.size();
  out["totals"] = Json{{"uncached", totals.uncached},         {"read", totals.read},
                       {"written_5m", totals.write_5m},       {"written_1h", totals.write_1h},
                       {"written_other", totals.write_other}, {"output", totals.output},
                       {"usd", cost::ToText(totals.cost)},    {"priced_turns", totals.priced}};
  out["break_count"] = breaks.size();
  out["lost_tokens"] = lost;
  out["lost_usd"] = cost::ToText(lost_cost);
  out["breaks"] = std::move(listed);
  out["turns"] = std::move(turns);
  return out;
}

}  // namespace

Result<Json> DiagnoseSessions(const SessionOptions& options, const cost::PriceTable& prices,
                              const RunContext& context) {
  auto files = FilesOf(options.paths);
  if (!files) return tl::make_unexpected(files.error());
  SessionLogReader reader;
  std::vector<CapturedExchange> captured;
  std::string text;  // one buffer for all files: fresh memory for each costs more than reading it
  bool any_log = false;
  bool torn = false;
  for (std::size_t i = 0; i < files->size(); ++i) {
    if (context.Cancelled())
      return Fail(ErrorCode::kCancelled, "stopped after " + std::to_string(i) + " files");
    context.Report(static_cast<double>(i), static_cast<double>(files->size()), "reading " + (*files)[i]);
    HELIX_TRY(ReadFileInto((*files)[i], text));
    if (!IsCapture(text)) {
      any_log = any_log || !text.empty();
      reader.Add(text, (*files)[i]);
      continue;
    }
    auto exchanges = ReadCapture(text, &torn);
    if (!exchanges)
      return Fail(exchanges.error().code, (*files)[i] + ": " + exchanges.error().message,
                  exchanges.error().hint);
    std::move(exchanges->begin(), exchanges->end(), std::back_inserter(captured));
  }
  if (!captured.empty() && any_log)
    return Fail(ErrorCode::kInvalidArgument, "the files are session logs and captures mixed",
                "diagnose them one kind at a time");
  if (!captured.empty() || torn) {
    auto result = DiagnoseCapture(captured, options.backend);
    if (result && torn) (*result)["torn_last_line"] = true;
    return result;
  }
  return Report(reader.Take(), options, prices);
}

}  // namespace helix::consistency
