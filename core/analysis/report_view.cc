#include "core/analysis/report_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/analysis/report_schema.h"
#include "core/base/json_fields.h"

namespace helix::analysis {
namespace {

const Json& EmptyObject() {
  static const Json empty = Json::object();
  return empty;
}

class SampleReader {
 public:
  SampleReader(SampleView& sample, ReportView& view) : sample_(sample), view_(view) {}

  void Read(const Json& object, const std::string& prefix, bool top) {
    if (!object.is_object()) return;
    for (auto it = object.begin(); it != object.end(); ++it) {
      if (top && IsSampleGroup(it.key()) && it->is_object()) {
        Read(*it, prefix + "/" + it.key(), false);
        continue;
      }
      ReadField(it.key(), *it, prefix);
    }
  }

 private:
  void ReadField(const std::string& key, const Json& value, const std::string& prefix) {
    const SampleField* field = FindSampleField(key);
    if (field == nullptr) {
      if (!IsOtherSampleField(key)) view_.unknown.push_back(prefix + "/" + key);
      return;
    }
    if (value.is_null()) return;
    bool fits = true;
    if (field->number != nullptr) {
      fits = value.is_number();
      if (fits) sample_.*(field->number) = value.get<double>();
    } else if (field->text != nullptr) {
      fits = value.is_string();
      if (fits) sample_.*(field->text) = value.get_ref<const std::string&>();
    } else if (field->flag != nullptr) {
      fits = value.is_boolean();
      if (fits) sample_.*(field->flag) = value.get<bool>() ? Flag::kTrue : Flag::kFalse;
    } else {
      sample_.*(field->json) = &value;
    }
    if (!fits) view_.malformed.push_back({prefix + "/" + key, DumpJson(value).substr(0, 60)});
  }

  SampleView& sample_;
  ReportView& view_;
};

void ReadSamples(const Json& report, ReportView& view) {
  const Json* samples = Find(report, "samples");
  if (samples == nullptr) return;
  if (!samples->is_array()) {
    view.malformed.push_back({"/samples", DumpJson(*samples).substr(0, 60)});
    return;
  }
  view.samples.reserve(samples->size());
  for (std::size_t i = 0; i < samples->size(); ++i) {
    view.samples.emplace_back();
    SampleView& sample = view.samples.back();
    sample.index = i;
    std::string prefix = "/samples/" + std::to_string(i);
    if (!(*samples)[i].is_object()) view.malformed.push_back({prefix, DumpJson((*samples)[i]).substr(0, 60)});
    SampleReader(sample, view).Read((*samples)[i], prefix, true);
    sample.arm = ArmFromName(sample.arm_name);
  }
}

}  // namespace

const char* ArmName(Arm arm) {
  switch (arm) {
    case Arm::kOff:
      return "off";
    case Arm::kOn:
      return "on";
    case Arm::kPrime:
      return "prime";
    case Arm::kOffAa:
      return "off_aa";
    case Arm::kControl:
      return "control";
    case Arm::kOther:
      return "other";
  }
  return "other";
}

Arm ArmFromName(std::string_view name) {
  for (Arm arm : {Arm::kOff, Arm::kOn, Arm::kPrime, Arm::kOffAa, Arm::kControl}) {
    if (name == ArmName(arm)) return arm;
  }
  return Arm::kOther;
}

std::string SampleView::Pointer(std::string_view field) const {
  std::string out = "/samples/" + std::to_string(index);
  if (!field.empty()) out += "/" + std::string(field);
  return out;
}

const Json& ReportView::Part(std::string_view name) const {
  const Json* part = root == nullptr ? nullptr : Find(*root, name);
  return part == nullptr ? EmptyObject() : *part;
}
const Json& ReportView::Plan() const {
  return Part("plan");
}
const Json& ReportView::Claim() const {
  return Part("claim");
}
const Json& ReportView::Backend() const {
  return Part("backend");
}
const Json& ReportView::Env() const {
  return Part("env");
}
const Json& ReportView::Equivalence() const {
  return Part("equivalence");
}

std::vector<std::size_t> SeqOrder(const ReportView& view) {
  std::vector<std::size_t> order(view.samples.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // The file may list rows in any order; seq says when they ran. Rows without one keep the file's order,
  // last.
  auto seq = [&](std::size_t i) { return Has(view.samples[i].seq) ? view.samples[i].seq : HUGE_VAL; };
  auto earlier = [&](std::size_t a, std::size_t b) { return seq(a) < seq(b); };
  if (!std::is_sorted(order.begin(), order.end(), earlier))
    std::stable_sort(order.begin(), order.end(), earlier);
  return order;
}

std::vector<std::string> LeavesInSeqOrder(const ReportView& view) {
  std::vector<std::string> leaves;
  for (std::size_t i : SeqOrder(view)) {
    if (Has(view.samples[i].raw_sha256)) leaves.emplace_back(view.samples[i].raw_sha256);
  }
  return leaves;
}

void IndexArms(ReportView& view) {
  std::vector<std::size_t> order = SeqOrder(view);
  std::unordered_map<double, ReportView::Pair> open;
  constexpr std::size_t kNone = std::size_t(-1);
  for (std::size_t i : order) {
    const SampleView& s = view.samples[i];
    if (s.warmup == Flag::kTrue || (s.arm != Arm::kOff && s.arm != Arm::kOn)) continue;
    (s.arm == Arm::kOff ? view.off : view.on).push_back(i);
    if (!s.ok()) continue;
    view.sequence.push_back(i);
    if (!Has(s.pair)) continue;
    auto [it, fresh] = open.try_emplace(s.pair, ReportView::Pair{kNone, kNone});
    std::size_t& mine = s.arm == Arm::kOff ? it->second.off : it->second.on;
    if (mine != kNone)
      continue;  // a second row of the same arm: the first one counts, duplicates are a finding
    mine = i;
    if (it->second.off != kNone && it->second.on != kNone) view.pairs.push_back(it->second);
  }
}

ReportView ReadReport(const Json& report) {
  ReportView view;
  view.root = &report;
  ReadSamples(report, view);
  ListUnknownFields(report, view.unknown);
  IndexArms(view);
  return view;
}

}  // namespace helix::analysis
