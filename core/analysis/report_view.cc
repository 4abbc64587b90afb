#include "core/analysis/report_view.h"

#include <sys/mman.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/analysis/report_schema.h"
#include "core/base/json_fields.h"
#include "core/experiment/arm.h"

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
      if (!IsOtherSampleField(key)) view_.unknown.push_back(prefix + "/" + PointerToken(key));
      return;
    }
    if (value.is_null()) return;
    if (IsSet(*field) && field->text != &SampleView::out_sha256) {
      view_.malformed.push_back({prefix + "/" + key, "a second value of this field in one row"});
      return;
    }
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

  // Two programs would read two values of one field differently. The digest of an answer has two names.
  [[nodiscard]] bool IsSet(const SampleField& field) const {
    if (field.number != nullptr) return Has(sample_.*(field.number));
    if (field.text != nullptr) return Has(sample_.*(field.text));
    if (field.flag != nullptr) return Has(sample_.*(field.flag));
    return sample_.*(field.json) != nullptr;
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
  ReserveSamples(view, samples->size());
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
  // The arms of a run, in its order and with its names; what is no arm of ours comes after them.
  using Run = experiment::Arm;
  static_assert(int(Arm::kOff) == int(Run::kOff) && int(Arm::kOn) == int(Run::kOn) &&
                int(Arm::kPrime) == int(Run::kPrime) && int(Arm::kOffAa) == int(Run::kOffAa) &&
                int(Arm::kControl) == int(Run::kControl) && int(Arm::kOther) == int(Run::kControl) + 1);
  return arm == Arm::kOther ? "other" : experiment::ArmName(static_cast<Run>(arm)).data();
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

namespace {

constexpr std::size_t kNone = std::size_t(-1);

// Pairs by their number: a list where the numbers count from 0, as they do in a report of our own, else a
// map.
class OpenPairs {
 public:
  explicit OpenPairs(const ReportView& view) {
    auto counts = [&](const SampleView& s) {
      return !Has(s.pair) || (s.pair >= 0 && s.pair < static_cast<double>(view.samples.size()) &&
                              std::floor(s.pair) == s.pair);
    };
    if (std::all_of(view.samples.begin(), view.samples.end(), counts))
      list_.assign(view.samples.size(), ReportView::Pair{kNone, kNone});
  }

  ReportView::Pair& At(double number) {
    if (!list_.empty()) return list_[static_cast<std::size_t>(number)];
    return map_.try_emplace(number, ReportView::Pair{kNone, kNone}).first->second;
  }

 private:
  std::vector<ReportView::Pair> list_;
  std::unordered_map<double, ReportView::Pair> map_;
};

}  // namespace

void IndexArms(ReportView& view) {
  std::vector<std::size_t> order = SeqOrder(view);
  OpenPairs open(view);
  for (std::size_t i : order) {
    const SampleView& s = view.samples[i];
    if (s.warmup == Flag::kTrue || (s.arm != Arm::kOff && s.arm != Arm::kOn)) continue;
    (s.arm == Arm::kOff ? view.off : view.on).push_back(i);
    if (!s.ok()) continue;
    view.sequence.push_back(i);
    if (!Has(s.pair)) continue;
    ReportView::Pair& pair = open.At(s.pair);
    std::size_t& mine = s.arm == Arm::kOff ? pair.off : pair.on;
    if (mine != kNone)
      continue;  // a second row of the same arm: the first one counts, duplicates are a finding
    mine = i;
    if (pair.off != kNone && pair.on != kNone) view.pairs.push_back(pair);
  }
}

void ReserveSamples(ReportView& view, std::size_t n) {
  view.samples.reserve(n);
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kPage = std::size_t{2} << 20;
  std::size_t bytes = n * sizeof(SampleView);
  if (bytes < 8 * kPage) return;
  auto begin = (reinterpret_cast<std::uintptr_t>(view.samples.data()) + kPage - 1) / kPage * kPage;
  auto end = (reinterpret_cast<std::uintptr_t>(view.samples.data()) + bytes) / kPage * kPage;
  // A hint: where the kernel has no large pages nothing changes.
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
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
