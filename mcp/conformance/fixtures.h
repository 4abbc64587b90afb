// What the official conformance suite wants to find on a server under test. Served by `serve
// --conformance-fixtures` beside nothing else: none of it is part of the product.
#pragma once
#include <functional>
#include <string>

#include "mcp/protocol/catalog.h"

namespace helix::mcp {

// `list_changed` is called by the tools that pretend to change a list ("tools", "prompts").
Catalog ConformanceCatalog(std::function<void(const std::string& list)> list_changed);

// The parts of it.
std::vector<ServerTool> PlainFixtureTools(const std::function<void(const std::string&)>& list_changed);
std::vector<ServerTool> AskingFixtureTools();  // the client is asked while the call runs (handshake era)
std::vector<ServerTool>
RoundTripFixtureTools();  // the client is asked by a result that needs input (2026-07-28)
std::vector<ServerTool>
HostileFixtureTools();                   // print, return bytes that are no text, return much, take long
void AddTaskFixtures(Catalog& catalog);  // tools that become tasks, and the tasks
std::vector<ServerPrompt> FixturePrompts();
std::shared_ptr<ResourceSource> FixtureResources();

// A tool without arguments unless `input_schema` is given.
ServerTool FixtureTool(const std::string& name, ToolDuration duration, CallHandler call,
                       Json input_schema = nullptr);
// A result with one text block.
Json TextResult(const std::string& text);
// The smallest PNG and WAV files, base64.
extern const char* const kTinyPng;
extern const char* const kTinyWav;

}  // namespace helix::mcp
