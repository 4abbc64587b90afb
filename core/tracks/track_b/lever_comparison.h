// Five ways to send one recorded conversation, in dollars: nothing, cached, compressed, compressed on entry
// and cached, history compressed again every turn. Its tokens are estimates and labelled so; prices are dated
// data.
#pragma once
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/cost/prices.h"

namespace helix::tracks {

struct LeverQuestion {
  std::string body;   // an Anthropic Messages or OpenAI chat request with its whole history
  std::string route;  // of the price
  std::string model;
  std::string utc;
  std::int64_t overhead_tokens = 0;  // what a compressor's instructions add to the static part
  int extra_turns = 0;               // follow-ups that shorter input caused
  double compressor_usd = 0;         // its own calls or energy
};

// {arms of lever_arms.h, "tokens": {...}, "turns", "gates_passed", "headline", ...}. A token ratio stands in
// "tokens" and never in the headline. kNotFound when the price is unknown; kParse when the body is no
// request.
Result<Json> CompareOnConversation(const LeverQuestion& question, const cost::PriceTable& prices);

}  // namespace helix::tracks
