#include "mcp/resources/report_resources.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "core/base/file.h"
#include "core/base/json_fields.h"
#include "core/evidence/digest.h"
#include "mcp/resources/guide.h"
#include "tests/support/paths.h"

namespace helix::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ReportResourcesTest : public ::testing::Test {
 protected:
  // The digest of the report that it writes.
  std::string WriteReport(const std::string& run_id, const std::string& text) {
    EXPECT_TRUE(WriteFileAtomic(folder_ + "/runs/" + run_id + "/report.json", text));
    return evidence::Sha256Hex(text);
  }
  std::vector<std::string> Uris() {
    std::vector<std::string> uris;
    for (const auto& item : resources_->List()) uris.push_back(*StringAt(item, "uri"));
    return uris;
  }

  const std::string folder_ = testing_support::ScratchDir();
  const std::shared_ptr<ResourceSource> resources_ = ReportResources(folder_);
};

TEST_F(ReportResourcesTest, OffersTheGuideEvenWithoutReports) {
  EXPECT_THAT(Uris(), ElementsAre("helix://guide/measurement"));
  auto guide = resources_->Read("helix://guide/measurement");
  ASSERT_TRUE(guide);
  EXPECT_EQ(StringAt((*guide)[0], "text"), std::string(MeasurementGuide()));
  EXPECT_EQ(StringAt((*guide)[0], "mimeType"), "text/markdown");
}

TEST_F(ReportResourcesTest, ShowsReportsByTheDigestOfTheirBytes) {
  const auto digest = WriteReport("r1", R"({"schema":"helix.report/1"})");
  std::filesystem::create_directories(folder_ + "/runs/begun-and-never-reported");
  EXPECT_THAT(Uris(), ElementsAre("helix://guide/measurement", "helix://reports/" + digest));
  auto contents = resources_->Read("helix://reports/" + digest);
  ASSERT_TRUE(contents);
  EXPECT_EQ(StringAt((*contents)[0], "text"), R"({"schema":"helix.report/1"})");
}

TEST_F(ReportResourcesTest, FollowsAReportThatWasReplaced) {
  const auto before = WriteReport("r1", "{}");
  EXPECT_TRUE(resources_->Read("helix://reports/" + before));
  const auto after = WriteReport("r1", R"({"longer":true})");
  EXPECT_TRUE(resources_->Read("helix://reports/" + after));
  EXPECT_FALSE(resources_->Read("helix://reports/" + before)) << "these bytes are nowhere any more";
}

TEST_F(ReportResourcesTest, ReadsNothingButReports) {
  const auto digest = WriteReport("r1", "{}");
  ASSERT_TRUE(WriteFileAtomic(folder_ + "/secret.json", "{}"));
  for (const auto& uri :
       std::vector<std::string>{"", "helix://reports/", "helix://reports/../secret",
                                "helix://results/../../secret", "helix://reports/" + std::string(64, '0'),
                                "helix://other/" + digest, "file://" + folder_ + "/secret.json",
                                "helix://reports/" + digest + "/", "HELIX://reports/" + digest}) {
    auto contents = resources_->Read(uri);
    ASSERT_FALSE(contents) << uri;
    EXPECT_EQ(contents.error().code, ErrorCode::kNotFound) << uri;
  }
}

TEST_F(ReportResourcesTest, CompletesDigests) {
  const auto one = WriteReport("r1", "{}");
  const auto two = WriteReport("r2", "[]");
  const std::string reports = "helix://reports/{digest}";
  EXPECT_THAT(resources_->Complete(reports, "digest", ""), ::testing::UnorderedElementsAre(one, two));
  EXPECT_THAT(resources_->Complete(reports, "digest", one.substr(0, 20)), ElementsAre(one));
  EXPECT_THAT(resources_->Complete(reports, "name", ""), IsEmpty());
  EXPECT_THAT(resources_->Complete("helix://results/{digest}", "digest", ""), IsEmpty());
}

TEST_F(ReportResourcesTest, KeepsAnUncutResult) {
  const Json result{{"verdict", "PASS"}, {"long", std::string(20000, 'x')}};
  const auto uri = KeepResult(folder_, result);
  auto contents = resources_->Read(uri);
  ASSERT_TRUE(contents) << uri;
  EXPECT_EQ(*ParseJson(*StringAt((*contents)[0], "text")), result);
}

TEST_F(ReportResourcesTest, OffersTemplatesForBoth) {
  std::vector<std::string> templates;
  for (const auto& item : resources_->Templates()) templates.push_back(*StringAt(item, "uriTemplate"));
  EXPECT_THAT(templates, ElementsAre("helix://reports/{digest}", "helix://results/{digest}"));
}

}  // namespace
}  // namespace helix::mcp
