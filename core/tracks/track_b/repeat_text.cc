#include "core/base/count_text.h"
#include "core/base/json_fields.h"
#include "core/tracks/track_b/repeat_result.h"

namespace helix::tracks {
namespace {

std::string Field(const Json& object, const char* path) {
  return StringAt(object, path).value_or("");
}

void AddArm(const Json& result, const std::string& name, std::string& out) {
  const std::string at = "arms/" + name + "/";
  out += "  " + name + ": " + CountText(result, at + "answers") + " answers, " +
         CountText(result, at + "different_texts") + " different texts, reused tokens " +
         CountText(result, at + "reused_least") + " to " + CountText(result, at + "reused_most") + "\n";
}

void AddLines(const Json& result, const char* list, const char* label, std::string& out) {
  const Json* lines = Find(result, list);
  if (lines == nullptr || !lines->is_array()) return;
  for (const Json& line : *lines) {
    if (line.is_string()) out += std::string(label) + line.get<std::string>() + "\n";
  }
}

}  // namespace

std::string RepeatText(const Json& result) {
  std::string out = Field(result, "verdict") + ": " + Field(result, "reason") + "\n";
  out += "Asked:   " + Field(result, "model") + " at " + Field(result, "label") + ", cold by " +
         Field(result, "cold_means") + "\n";
  if (Field(result, "weights") == "synthetic")
    out += "Weights: synthetic (random): this proves the server, no model\n";
  AddArm(result, "uncached", out);
  AddArm(result, "cached", out);
  if (Field(result, "needle/status") == "measured")
    out += "Needles: all three values in " + CountText(result, "needle/uncached/all_three_values") +
           " uncached and " + CountText(result, "needle/cached/all_three_values") + " cached answers\n";
  if (const auto stopped = StringAt(result, "stopped")) out += "Stopped: " + *stopped + "\n";
  AddLines(result, "notices", "Notice:  ", out);
  AddLines(result, "limits", "Limit:   ", out);
  if (const auto path = StringAt(result, "report_path")) out += "Report:  " + *path + "\n";
  return out;
}

}  // namespace helix::tracks
