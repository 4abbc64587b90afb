// The names of helix.report/1: which field of a sample is read into which member, and what else is known.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/report_view.h"

namespace helix::analysis {

// Exactly one member pointer is set.
struct SampleField {
  double SampleView::*number = nullptr;
  std::string_view SampleView::*text = nullptr;
  Flag SampleView::*flag = nullptr;
  const Json* SampleView::*json = nullptr;
};

// Nullptr when the schema has no such field.
const SampleField* FindSampleField(std::string_view key);
bool IsSampleGroup(std::string_view key);       // req, client, server, out
bool IsOtherSampleField(std::string_view key);  // known, but no check reads it

// A key as it stands in a JSON pointer (RFC 6901): "~" and "/" escaped.
std::string PointerToken(std::string_view key);

// Appends the JSON pointers of fields outside the schema in every part but /samples.
void ListUnknownFields(const Json& report, std::vector<std::string>& unknown);

}  // namespace helix::analysis
