#include "core/tracks/workload/sweep.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/analysis/cost_model.h"
#include "core/analysis/paired_ratio.h"
#include "core/analysis/quantile.h"
#include "core/analysis/skip_bound.h"
#include "core/base/random.h"
#include "core/experiment/traffic.h"

namespace helix::tracks {
namespace {

using backend::TokenId;

// Of the longest prompt; the others have 64 new tokens and a half.
constexpr std::array<double, 6> kOverlaps = {0.5, 0.8, 0.9, 0.95, 0.99, 1};
constexpr int kShortestPrompt = 512;
constexpr int kNewTurn = 64;

struct Cell {
  int prompt = 0;
  int uncached = 0;
  int mislabelled = 0;
  std::vector<double> off_prefill, on_prefill, off_total, on_total;
};

std::vector<Cell> CellsUpTo(int longest) {
  std::vector<Cell> cells;
  const auto add = [&](int prompt, int uncached) { cells.push_back({prompt, uncached, 0, {}, {}, {}, {}}); };
  for (int prompt = kShortestPrompt; prompt < longest; prompt *= 2) {
    add(prompt, kNewTurn);
    add(prompt, prompt / 2);
  }
  for (const double overlap : kOverlaps)
    add(longest, std::max(1, static_cast<int>(static_cast<double>(longest) * (1 - overlap) + 0.5)));
  return cells;
}

class Sweep {
 public:
  Sweep(PredictedServer& server, const SweepOptions& options, const RunContext& context)
      : server_(server), options_(options), context_(context), random_(options.seed) {}

  Result<std::vector<Cell>> All(const std::vector<TokenId>& alphabet) {
    alphabet_ = alphabet;
    std::vector<Cell> cells = CellsUpTo(options_.longest_prompt);
    std::vector<std::size_t> order;
    for (int pair = 0; pair < options_.pairs; ++pair)
      for (std::size_t cell = 0; cell < cells.size(); ++cell) order.push_back(cell);
    random_.Shuffle(order);
    // The first pair of a run pays for what a server does once; it is sent and not counted.
    Cell warm_up{kShortestPrompt, kNewTurn, 0, {}, {}, {}, {}};
    HELIX_TRY(Pair(warm_up));
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (context_.Cancelled()) return Fail(ErrorCode::kCancelled, "the sweep was cancelled");
      Cell& cell = cells[order[i]];
      context_.Report(
          static_cast<double>(i), static_cast<double>(order.size()),
          "sweep: " + std::to_string(cell.prompt) + " tokens, " + std::to_string(cell.uncached) + " new");
      HELIX_TRY(Pair(cell));
    }
    return cells;
  }

 private:
  Result<ObservedCall> Call(std::vector<TokenId> prompt, bool use_cache, int output) {
    backend::GenerateRequest request;
    request.prompt = std::move(prompt);
    request.use_cache = use_cache;
    request.output_tokens = output;
    return server_.Send(std::move(request), 0);
  }

  // A prompt that no earlier one begins like: cold, primed with its prefix, warm; the cold call first or
  // last.
  Status Pair(Cell& cell) {
    std::vector<TokenId> prompt;
    for (int i = 0; i < cell.prompt; ++i) prompt.push_back(alphabet_[random_.Below(alphabet_.size())]);
    const std::vector<TokenId> prefix(prompt.begin(), prompt.end() - cell.uncached);
    const bool cold_first = random_.Below(2) == 0;
    Result<ObservedCall> off = Fail(ErrorCode::kInternal, "");
    if (cold_first) off = Call(prompt, false, options_.output_tokens);
    // A prefix of the whole prompt would leave nothing new: at least one token is computed again.
    auto prime = Call(cell.uncached == 1 ? prompt : prefix, true, 1);
    if (!prime) return tl::make_unexpected(prime.error());
    auto on = Call(prompt, true, options_.output_tokens);
    if (!on) return tl::make_unexpected(on.error());
    if (!cold_first) off = Call(prompt, false, options_.output_tokens);
    if (!off) return tl::make_unexpected(off.error());
    Keep(cell, *off, *on);
    return {};
  }

  static void Keep(Cell& cell, const ObservedCall& off, const ObservedCall& on) {
    const auto cold = off.reply.cached_tokens.optional();
    const auto warm = on.reply.cached_tokens.optional();
    const bool proven = cold == 0 && warm == cell.prompt - cell.uncached && off.reply.prefill_ms.present() &&
                        on.reply.prefill_ms.present();
    if (!proven) {
      ++cell.mislabelled;
      return;
    }
    cell.off_prefill.push_back(off.reply.prefill_ms.value());
    cell.on_prefill.push_back(on.reply.prefill_ms.value());
    cell.off_total.push_back(static_cast<double>(off.reply.total_ns) / 1e6);
    cell.on_total.push_back(static_cast<double>(on.reply.total_ns) / 1e6);
  }

  PredictedServer& server_;
  const SweepOptions& options_;
  const RunContext& context_;
  SplitMix64 random_;
  std::vector<TokenId> alphabet_;
};

std::vector<analysis::CostPoint> Points(const std::vector<Cell>& cells) {
  std::vector<analysis::CostPoint> points;
  std::map<int, std::vector<double>> cold;
  for (const Cell& cell : cells) {
    auto& all = cold[cell.prompt];
    all.insert(all.end(), cell.off_prefill.begin(), cell.off_prefill.end());
    if (const auto warm = analysis::Median(cell.on_prefill))
      points.push_back({double(cell.prompt), double(cell.uncached), *warm});
  }
  for (const auto& [prompt, times] : cold)
    if (const auto median = analysis::Median(times))
      points.push_back({double(prompt), double(prompt), *median});
  return points;
}

Json NumberOrNull(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json Fraction(const analysis::RatioInterval& ratio, const Cell& cell) {
  const auto of = [&](double r) {
    return NumberOrNull(analysis::FractionOfBound(r, cell.prompt, cell.uncached));
  };
  return {{"value", of(ratio.value)},
          {"ci_low", ratio.has_interval ? of(ratio.ci_low) : Json(nullptr)},
          {"ci_high", ratio.has_interval ? of(ratio.ci_high) : Json(nullptr)}};
}

Json CellJson(const Cell& cell, const std::optional<analysis::CostModel>& model) {
  Json row{{"n", cell.prompt},
           {"u", cell.uncached},
           {"overlap", 1 - static_cast<double>(cell.uncached) / cell.prompt},
           {"pairs", cell.on_prefill.size()},
           {"mislabelled", cell.mislabelled}};
  const auto cold = analysis::Median(cell.off_prefill);
  const auto cold_total = analysis::Median(cell.off_total);
  row["off_prefill_ms"] = NumberOrNull(cold);
  row["on_prefill_ms"] = NumberOrNull(analysis::Median(cell.on_prefill));
  row["skip_bound"] = NumberOrNull(analysis::SkipBound(cell.prompt, cell.uncached));
  row["prefill_ratio"] = row["fraction_of_bound"] = row["end_to_end_ratio"] = row["end_to_end_bound"] =
      nullptr;
  const auto prefill = analysis::PairedRatioOf(cell.off_prefill, cell.on_prefill);
  const auto total = analysis::PairedRatioOf(cell.off_total, cell.on_total);
  if (prefill) {
    row["prefill_ratio"] = prefill->ratio.ToJson();
    row["fraction_of_bound"] = Fraction(prefill->ratio, cell);
  }
  if (total) row["end_to_end_ratio"] = total->ratio.ToJson();
  if (cold && cold_total)
    row["end_to_end_bound"] =
        NumberOrNull(analysis::EndToEndBound(std::min(1.0, *cold / *cold_total), cell.prompt, cell.uncached));
  row["model_ratio"] = model
                           ? Json(model->Ms(cell.prompt, cell.prompt) / model->Ms(cell.prompt, cell.uncached))
                           : Json(nullptr);
  return row;
}

}  // namespace

Result<Json> RunSweep(PredictedServer& server, const SweepOptions& options, const RunContext& context) {
  auto alphabet = experiment::TokenAlphabet(*server.target().backend, options.seed, context);
  if (!alphabet) return tl::make_unexpected(alphabet.error());
  HELIX_TRY(server.Wipe());
  auto cells = Sweep(server, options, context).All(*alphabet);
  if (!cells) return tl::make_unexpected(cells.error());
  const auto model = analysis::FitCostModel(Points(*cells));
  Json rows = Json::array();
  int mislabelled = 0;
  for (const Cell& cell : *cells) {
    rows.push_back(CellJson(cell, model));
    mislabelled += cell.mislabelled;
  }
  const bool whole = mislabelled == 0 && model && options.pairs >= 6;
  Json result{{"verdict", whole ? "PASS" : "INCONCLUSIVE"}};
  result["reason"] = whole             ? "every pair was proven cold and warm by the server's own counters"
                     : mislabelled > 0 ? std::to_string(mislabelled) + " pairs were not what their labels say"
                                       : std::string("too few pairs or points for intervals and a fit");
  result["output_tokens"] = options.output_tokens;
  result["cells"] = std::move(rows);
  result["cost_model"] = model ? model->ToJson() : Json(nullptr);
  return result;
}

}  // namespace helix::tracks
