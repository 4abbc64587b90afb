// Arrows between rooms point one way. Linking enforces it for functions; this reads the includes.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "tests/repo/repo_files.h"

namespace helix::repo {
namespace {

// Room -> rooms it may include, in the order of the arrows. evidence stands on base alone, so any room may
// use it.
const std::map<std::string, std::set<std::string>>& Arrows() {
  static const std::map<std::string, std::set<std::string>> arrows = {
      {"base", {}},
      {"net", {"base"}},
      {"process", {"base"}},
      {"model", {"base"}},  // writes GGUF files
      {"record", {"base", "net"}},
      {"usage", {"base", "net"}},  // reads the events of a stream
      {"evidence", {"base"}},
      {"backend", {"base", "net", "process", "model", "usage", "evidence"}},
      {"experiment", {"base", "net", "process", "model", "usage", "evidence", "backend"}},
      {"analysis", {"base", "usage", "evidence", "backend", "experiment"}},
      {"equivalence", {"base", "usage", "evidence", "backend", "experiment"}},
      {"consistency", {"base", "net", "usage", "evidence", "backend", "equivalence", "cost"}},
      {"cost", {"base", "usage", "evidence"}},
      {"levers", {"base", "usage", "evidence"}},
      {"tracks",
       {"base", "net", "process", "model", "usage", "evidence", "backend", "experiment", "analysis",
        "equivalence", "consistency", "cost", "levers"}},
  };
  return arrows;
}

std::vector<std::string> IncludedRooms(const std::string& text) {
  static const std::regex include(R"re(#include "(?:core/([a-z_]+)|(mcp|tests|bench))/)re");
  std::vector<std::string> rooms;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), include); it != std::sregex_iterator();
       ++it) {
    rooms.push_back((*it)[1].matched ? (*it)[1].str() : (*it)[2].str());
  }
  return rooms;
}

std::string WrongArrows(const RepoFile& file) {
  const std::string room = file.path.substr(5, file.path.find('/', 5) - 5);
  const auto allowed = Arrows().find(room);
  if (allowed == Arrows().end()) return file.path + ": room " + room + " is not in the list of arrows\n";
  std::string wrong;
  for (const auto& other : IncludedRooms(file.text)) {
    if (other != room && !allowed->second.contains(other)) wrong += file.path + " includes " + other + "\n";
  }
  return wrong;
}

TEST(Layering, RoomsIncludeOnlyRoomsBelowThem) {
  std::string wrong;
  for (const auto& file : Files("core", {".h", ".cc"})) wrong += WrongArrows(file);
  EXPECT_EQ(wrong, "");
}

TEST(Layering, TheProtocolKnowsNoTransport) {
  static const std::regex transport(R"(#include "mcp/transport/)");
  for (const auto& file : Files("mcp", {".h", ".cc"})) {
    if (!file.In("mcp/protocol")) continue;
    EXPECT_FALSE(std::regex_search(file.text, transport)) << file.path;
  }
}

TEST(Layering, AWrongArrowIsSeen) {
  EXPECT_EQ(WrongArrows({"core/net/x.h", "#include \"core/backend/backend.h\"\n"}),
            "core/net/x.h includes backend\n");
  EXPECT_EQ(WrongArrows({"core/cost/x.cc", "#include \"mcp/tools/tool.h\"\n"}),
            "core/cost/x.cc includes mcp\n");
  EXPECT_EQ(WrongArrows({"core/attic/x.cc", ""}),
            "core/attic/x.cc: room attic is not in the list of arrows\n");
  EXPECT_EQ(WrongArrows({"core/cost/x.cc", "#include \"core/usage/u.h\"\n#include \"core/cost/y.h\"\n"}), "");
}

}  // namespace
}  // namespace helix::repo
