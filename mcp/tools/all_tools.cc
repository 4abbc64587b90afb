// The list of tools. A new tool is one line here and its own pair of files beside this one.
#include "mcp/tools/analyze_report_tool.h"
#include "mcp/tools/bench_track_a_tool.h"
#include "mcp/tools/bench_track_b_tool.h"
#include "mcp/tools/check_equivalence_tool.h"
#include "mcp/tools/compress_prompt_tool.h"
#include "mcp/tools/diagnose_miss_tool.h"
#include "mcp/tools/diagnose_session_tool.h"
#include "mcp/tools/job_tools.h"
#include "mcp/tools/probe_backend_tool.h"
#include "mcp/tools/read_usage_tool.h"
#include "mcp/tools/run_selfcheck_tool.h"
#include "mcp/tools/tool.h"
#include "mcp/tools/verify_report_tool.h"

namespace helix::mcp {

const std::vector<Tool>& AllTools() {
  static const std::vector<Tool> tools = [] {
    std::vector<Tool> list;
    list.push_back(RunSelfcheckTool());
    list.push_back(BenchTrackATool());
    list.push_back(BenchTrackBTool());
    list.push_back(CheckEquivalenceTool());
    list.push_back(AnalyzeReportTool());
    list.push_back(VerifyReportTool());
    list.push_back(ReadUsageTool());
    list.push_back(CompressPromptTool());
    list.push_back(ProbeBackendTool());
    list.push_back(DiagnoseMissTool());
    list.push_back(DiagnoseSessionTool());
    list.push_back(GetJobTool());
    list.push_back(CancelJobTool());
    return list;
  }();
  return tools;
}

}  // namespace helix::mcp
