// The part of JSON Schema that our tools use: type (one word or a list), enum, const, properties, required,
// additionalProperties (true or false), items, minimum, maximum, exclusiveMinimum, exclusiveMaximum,
// minLength, maxLength, minItems, maxItems. Words that only describe (title, description, default, format,
// examples) are let through; SchemaProblems refuses every other word, so that no rule is written down and
// then not checked.
#pragma once
#include <string>
#include <vector>

#include "core/base/json.h"

namespace helix::mcp {

// What is wrong with `value`, one sentence each that names the place ("`pairs`"), what was expected and what
// came; empty when it conforms.
std::vector<std::string> CheckValue(const Json& schema, const Json& value);

// What one value may be, in words: "an integer from 1 to 100", "one of \"quick\", \"standard\"".
std::string DescribeExpected(const Json& schema);

// What makes a schema unfit for a tool (root not an object, combinators, words that CheckValue does not
// know).
std::vector<std::string> SchemaProblems(const Json& schema);

}  // namespace helix::mcp
