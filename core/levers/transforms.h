// Structural rewrites of one block of text. Each is a pure function: the same block gives the same bytes,
// whatever comes before or after. nullopt: nothing to do. A rewrite says nothing about being worth it; the
// counter does.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace helix::levers {

// The block is one JSON object or array and nothing else.
bool IsJsonContainer(std::string_view block);

// The block is one JSON value: blanks outside strings go, numbers and strings keep their bytes. Lossless.
std::optional<std::string> MinifyJson(std::string_view block);

// The block is a JSON array of at least 5 objects with the same keys in the same order and scalar values: one
// header, one line a row. A string stands bare unless it would read as something else. Lossless.
std::optional<std::string> TabulateJson(std::string_view block);

// The same for a block that IsJsonContainer has accepted.
std::optional<std::string> MinifyKnownJson(std::string_view block);
std::optional<std::string> TabulateKnownJson(std::string_view block);

// Terminal output: ANSI sequences go, and a line that was overwritten by carriage returns keeps its last
// state. What a reader would have seen at the end is kept.
std::optional<std::string> FinalTerminalState(std::string_view block);

// Runs of at least 256 base64 characters become "[base64: N characters, sha256 ...]".
std::optional<std::string> ElideBase64(std::string_view block);

// Runs of log lines that are equal but for times, numbers and ids keep their first and last line. Kept
// besides: every line of an error with two lines around it, lines whose numbers stand out, the last 20 lines.
std::optional<std::string> CollapseLogRuns(std::string_view block);

// Trailing blanks and more than one empty line in a row go. Indentation stays.
std::optional<std::string> CollapseBlankRuns(std::string_view block);

// A diff, a patch or source code: text that an edit tool will match byte by byte.
bool LooksLikeCode(std::string_view block);

}  // namespace helix::levers
