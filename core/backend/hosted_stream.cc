#include "core/backend/hosted_stream.h"

#include "core/base/json_fields.h"

namespace helix::backend {
namespace {

struct Generated {
  bool any = false;
  std::string text;
};

void Take(const Json& object, std::string_view path, bool is_text, Generated& out) {
  const Json* value = FindPath(object, path);
  if (value == nullptr || !value->is_string() || value->get_ref<const std::string&>().empty()) return;
  out.any = true;
  if (is_text) out.text += value->get_ref<const std::string&>();
}

Generated GeneratedIn(const Json& event) {
  Generated out;
  Take(event, "delta/text", true, out);
  Take(event, "delta/thinking", false, out);
  Take(event, "delta/partial_json", false, out);
  const Json* choices = Find(event, "choices");
  if (choices == nullptr || !choices->is_array() || choices->empty()) return out;
  const Json& first = (*choices)[0];
  Take(first, "delta/content", true, out);
  Take(first, "delta/reasoning_content", false, out);
  Take(first, "delta/reasoning", false, out);
  const Json* calls = FindPath(first, "delta/tool_calls");
  out.any = out.any || (calls != nullptr && calls->is_array() && !calls->empty());
  return out;
}

}  // namespace

HostedStream::HostedStream(std::string provider)
    : parser_([this](const net::SseEvent& event) { Event(event); }), usage_(std::move(provider)) {}

Status HostedStream::Feed(std::string_view bytes, std::int64_t t_ns) {
  return parser_.Feed(bytes, t_ns);
}

void HostedStream::Event(const net::SseEvent& event) {
  auto json = ParseJson(event.data);
  if (!json || !json->is_object()) return usage_.Event(event.data);
  usage_.Object(*json);
  Generated generated = GeneratedIn(*json);
  if (!generated.any) return;
  if (!first_generated_.present()) first_generated_ = {event.t_ns, Origin::kClient};
  if (!first_text_.present() && !generated.text.empty()) first_text_ = {event.t_ns, Origin::kClient};
  if (event.t_ns != last_generated_) ++arrivals_;
  last_generated_ = event.t_ns;
  ++generated_events_;
  text_ += generated.text;
}

bool HostedStream::buffered() const {
  constexpr int kFewestEvents = 4;
  constexpr std::int64_t kFastestNsPerEvent = 200'000;  // 5,000 events a second
  if (generated_events_ < kFewestEvents) return false;
  const std::int64_t span = last_generated_ - first_generated_.value();
  return arrivals_ <= 1 || span < kFastestNsPerEvent * generated_events_;
}

usage::Reply HostedStream::Finish() {
  return usage_.Finish();
}

}  // namespace helix::backend
