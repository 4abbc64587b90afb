#include "core/consistency/minimum_table.h"

#include <algorithm>
#include <array>

namespace helix::consistency {
namespace {

constexpr std::string_view kPage = "Anthropic prompt caching documentation";
constexpr std::string_view kField = "field reports on the 5.x.5 models";
constexpr std::string_view kOpenAi = "OpenAI prompt caching guide";
constexpr std::string_view kPageDate = "2026-08-22";
constexpr std::string_view kFieldDate = "2026-10-01";

constexpr std::array kTable = {
    Minimum{"opus-5-5", 512, kField, kFieldDate},   Minimum{"opus-5", 512, kPage, kPageDate},
    Minimum{"sonnet-5-5", 512, kField, kFieldDate}, Minimum{"fable-5", 512, kPage, kPageDate},
    Minimum{"mythos-5", 512, kPage, kPageDate},     Minimum{"opus-4-8", 1024, kPage, kPageDate},
    Minimum{"sonnet-5", 1024, kPage, kPageDate},    Minimum{"sonnet-4-6", 1024, kPage, kPageDate},
    Minimum{"sonnet-4-5", 1024, kPage, kPageDate},  Minimum{"opus-4-1", 1024, kPage, kPageDate},
    Minimum{"opus-4-0", 1024, kPage, kPageDate},    Minimum{"opus-4-2", 1024, kPage, kPageDate},
    Minimum{"sonnet-4-0", 1024, kPage, kPageDate},  Minimum{"sonnet-4-2", 1024, kPage, kPageDate},
    Minimum{"opus-4-7", 2048, kPage, kPageDate},    Minimum{"mythos-preview", 2048, kPage, kPageDate},
    Minimum{"haiku-3-5", 2048, kPage, kPageDate},   Minimum{"3-5-haiku", 2048, kPage, kPageDate},
    Minimum{"opus-4-6", 4096, kPage, kPageDate},    Minimum{"opus-4-5", 4096, kPage, kPageDate},
    Minimum{"haiku-4-5", 4096, kPage, kPageDate},   Minimum{"gpt-4o", 1024, kOpenAi, kPageDate},
    Minimum{"gpt-4.1", 1024, kOpenAi, kPageDate},   Minimum{"gpt-5", 1024, kOpenAi, kPageDate},
    Minimum{"o3", 1024, kOpenAi, kPageDate},        Minimum{"o4-mini", 1024, kOpenAi, kPageDate},
};

std::string Name(std::string model) {
  const std::size_t vendor = model.rfind('/');
  if (vendor != std::string::npos) model.erase(0, vendor + 1);
  if (model.rfind("claude-", 0) == 0) {
    model.erase(0, 7);
    std::replace(model.begin(), model.end(), '.', '-');
  }
  return model;
}

}  // namespace

const Minimum* MinimumFor(const std::string& model) {
  const std::string name = Name(model);
  const Minimum* best = nullptr;
  for (const Minimum& row : kTable)
    if (name.rfind(row.model, 0) == 0 && (!best || row.model.size() > best->model.size())) best = &row;
  return best;
}

std::int64_t LowestMinimum() {
  return std::min_element(kTable.begin(), kTable.end(),
                          [](const Minimum& x, const Minimum& y) { return x.tokens < y.tokens; })
      ->tokens;
}

}  // namespace helix::consistency
