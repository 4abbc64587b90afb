#include "mcp/cli/plain_text.h"

#include <algorithm>

namespace helix::mcp {
namespace {

bool IsPlain(const Json& value) {
  return !value.is_structured();
}

std::string Scalar(const Json& value) {
  if (value.is_null()) return "absent";
  return value.is_string() ? value.get<std::string>() : DumpJson(value);
}

void Members(std::string& out, const Json& object, std::size_t depth);

// Text of several lines stands below its key, each line indented, so that it cannot pass for another key.
void Text(std::string& out, const std::string& text, std::size_t depth) {
  if (text.find('\n') == std::string::npos) {
    out += " " + text + "\n";
    return;
  }
  out += "\n";
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += std::string(depth, ' ') + "| " + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
}

void List(std::string& out, const Json& list, std::size_t depth) {
  if (std::all_of(list.begin(), list.end(), IsPlain)) {
    std::string line;
    for (const Json& item : list) line += (line.empty() ? "" : ", ") + Scalar(item);
    return Text(out, line.empty() ? "none" : line, depth);
  }
  out += "\n";
  for (const Json& item : list) {
    out += std::string(depth, ' ') + "-";
    std::string body;
    if (item.is_object()) {
      Members(body, item, depth + 2);
      body.erase(0, std::min(body.size(), depth + 1));  // the first member stands behind the dash
      out += body.empty() ? " none\n" : body;
    } else if (item.is_array()) {
      List(out, item, depth + 2);
    } else {
      Text(out, Scalar(item), depth + 2);
    }
  }
}

void Members(std::string& out, const Json& object, std::size_t depth) {
  for (const auto& [key, value] : object.items()) {
    out += std::string(depth, ' ') + key + ":";
    if (value.is_array()) {
      List(out, value, depth + 2);
    } else if (value.is_object()) {
      out += value.empty() ? " none\n" : "\n";
      Members(out, value, depth + 2);
    } else {
      Text(out, Scalar(value), depth + 2);
    }
  }
}

}  // namespace

std::string PlainText(const Json& result) {
  std::string out;
  if (result.is_object()) {
    Members(out, result, 0);
  } else {
    out = Scalar(result) + "\n";
  }
  return out;
}

}  // namespace helix::mcp
