#include "core/analysis/foreign_report.h"

#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

Json EmptyReport(const std::string& tool, const std::string& kind) {
  return {{"schema", tool}, {"synthetic", false}, {"backend", {{"kind", kind}}}, {"samples", Json::array()}};
}

Json Row(const std::string& arm, std::size_t seq, std::size_t pair) {
  return {{"seq", seq}, {"pair", pair}, {"arm", arm}, {"status", "ok"}};
}

// Rows of one test each, with every repetition's time: prompt processing without any reuse.
std::optional<ForeignReport> ReadLlamaBench(const Json& rows) {
  if (!rows.is_array() || rows.empty() || !NumberAt(rows[0], "n_prompt") ||
      Find(rows[0], "samples_ns") == nullptr) {
    return std::nullopt;
  }
  Json report = EmptyReport("llama-bench", "llamacpp");
  report["backend"]["build"] = StringAt(rows[0], "build_commit").value_or("");
  report["backend"]["model"] = {{"id", StringAt(rows[0], "model_filename").value_or("")},
                                {"n_params", OrNull(NumberAt(rows[0], "model_n_params"))}};
  for (const auto& row : rows) {
    const Json* times = Find(row, "samples_ns");
    if (times == nullptr || !times->is_array()) continue;
    for (const auto& ns : *times) {
      std::size_t i = report["samples"].size();
      Json sample = Row("off", i, i);
      sample["workload_id"] =
          "pp" + DumpJson(row.value("n_prompt", Json(0))) + "+tg" + DumpJson(row.value("n_gen", Json(0)));
      sample["client"] = {{"total_ns", ns}};
      sample["server"] = {{"prompt_tokens", OrNull(NumberAt(row, "n_prompt"))}};
      sample["out"] = {{"n", OrNull(NumberAt(row, "n_gen"))}};
      report["samples"].push_back(std::move(sample));
    }
  }
  return ForeignReport{"llama-bench", std::move(report),
                       "llama-bench measures one arm without a cache: it can show no speed-up of one"};
}

std::int64_t Nanoseconds(double seconds) {
  return static_cast<std::int64_t>(seconds * 1e9);
}

// Per-request lists, where the run was made with --save-detailed; else only its summary.
void AddRequests(const Json& run, Json& report) {
  const Json* ttfts = Find(run, "ttfts");
  if (ttfts == nullptr || !ttfts->is_array()) return;
  for (std::size_t i = 0; i < ttfts->size(); ++i) {
    Json sample = Row("off", i, i);
    auto at = [&](const char* list) {
      const Json* values = Find(run, list);
      return values != nullptr && values->is_array() && i < values->size() ? (*values)[i] : Json(nullptr);
    };
    if ((*ttfts)[i].is_number()) sample["client"]["ttft_ns"] = Nanoseconds((*ttfts)[i].get<double>());
    Json error = at("errors");
    if (error.is_string() && !error.get_ref<const std::string&>().empty()) sample["status"] = "error";
    sample["server"]["prompt_tokens"] = at("input_lens");
    sample["out"]["n"] = at("output_lens");
    report["samples"].push_back(std::move(sample));
  }
}

std::optional<ForeignReport> ReadServingBench(const Json& run, const std::string& tool,
                                              const std::string& kind) {
  bool summary = NumberAt(run, "mean_ttft_ms") || NumberAt(run, "median_ttft_ms");
  if (!summary) return std::nullopt;
  Json report = EmptyReport(tool, kind);
  report["backend"]["model"] = {
      {"id", StringAt(run, "model_id").value_or(StringAt(run, "model").value_or(""))}};
  AddRequests(run, report);
  Json claim{{"metric", "ttft"}, {"kind", "measured"}, {"label", "measured"}};
  if (auto p50 = NumberAt(run, "median_ttft_ms")) claim["p50_off"] = *p50 * 1e6;
  report["claim"] = std::move(claim);
  if (auto seconds = NumberAt(run, "duration")) report["wall_ns"] = Nanoseconds(*seconds);
  if (auto concurrency = NumberAt(run, "max_concurrency")) report["plan"] = {{"concurrency", *concurrency}};
  return ForeignReport{tool, std::move(report),
                       "this output records no cached tokens and no second arm: whether a cache was hot "
                       "cannot be told from it"};
}

// The objects of a file of lines; an empty list when one line is none.
Json Lines(std::string_view bytes) {
  Json out = Json::array();
  while (!bytes.empty()) {
    auto end = bytes.find('\n');
    auto line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (line.find_first_not_of(" \r\t") == std::string_view::npos) continue;
    auto object = ParseStrict(line);
    if (!object || !object->is_object()) return Json::array();
    out.push_back(std::move(*object));
  }
  return out;
}

// The last line that is a summary: the file is appended to, one line per run.
std::optional<ForeignReport> ReadSglang(const Json& lines) {
  std::optional<ForeignReport> out;
  for (const auto& run : lines) {
    bool sglang = Find(run, "request_rate") != nullptr && Find(run, "total_input_tokens") != nullptr;
    auto one = sglang ? ReadServingBench(run, "sglang bench_serving", "sglang") : std::nullopt;
    if (!one) return std::nullopt;
    out = std::move(one);
  }
  return out;
}

}  // namespace

std::optional<ForeignReport> ReadForeign(std::string_view bytes) {
  auto whole = ParseStrict(bytes);
  if (whole) {
    if (Find(*whole, "schema") != nullptr || Find(*whole, "samples") != nullptr) return std::nullopt;
    if (auto bench = ReadLlamaBench(whole->is_object() ? Json::array({*whole}) : *whole)) return bench;
    if (Find(*whole, "total_input_tokens") != nullptr &&
        StringAt(*whole, "backend").value_or("").rfind("sglang", 0) == 0)
      return ReadSglang(Json::array({*whole}));
    return ReadServingBench(*whole, "vllm bench serve", "vllm");
  }
  Json lines = Lines(bytes);
  if (auto bench = ReadLlamaBench(lines)) return bench;
  return ReadSglang(lines);
}

Json AnyAnalysis::ToJson() const {
  Json out = analysis.ToJson();
  out["format"] = tool;
  if (!note.empty()) out["note"] = note;
  return out;
}

AnyAnalysis AnalyzeAnything(std::string_view bytes, const AnalyzeOptions& options) {
  if (auto foreign = ReadForeign(bytes))
    return {Analyze(foreign->report, options), foreign->tool, foreign->note};
  return {AnalyzeBytes(bytes, options), "helix.report/1", ""};
}

}  // namespace helix::analysis
