// The shapes of tool output that compression is judged on, each with facts planted in it.
#pragma once
#include <string>

namespace helix::levers {

inline std::string Rows(int n, bool pretty) {
  std::string out = pretty ? "[\n" : "[";
  for (int i = 0; i < n; ++i) {
    const char* gap = pretty ? "\n    " : "";
    const char* colon = pretty ? ": " : ":";
    if (i > 0) out += pretty ? ",\n" : ",";
    out += pretty ? "  {" : "{";
    out += std::string(gap) + "\"id\"" + colon + std::to_string(1000 + i) + "," + gap + "\"name\"" + colon +
           "\"service-" + std::to_string(i % 7) + "\"," + gap + "\"region\"" + colon + "\"eu-west\"," + gap +
           "\"healthy\"" + colon + (i % 9 == 0 ? "false" : "true") + "," + gap + "\"latency_ms\"" + colon +
           std::to_string(10 + i % 13) + ".5" + (pretty ? "\n  }" : "}");
  }
  return out + (pretty ? "\n]" : "]");
}

inline std::string Log(int n) {
  std::string out;
  for (int i = 0; i < n; ++i) {
    std::string time = "2026-12-01T06:" + std::to_string(10 + i / 60) + ":" + std::to_string(10 + i % 50);
    if (i == n / 2) {
      out += time + " ERROR worker 7 failed: disk /dev/sdb1 is full\n";
    } else {
      out += time + " INFO request " + std::to_string(5000 + i) + " served in " + std::to_string(20 + i % 5) +
             " ms\n";
    }
  }
  return out;
}

inline std::string Progress(int n) {
  std::string out = "Downloading model\n";
  for (int i = 0; i <= n; ++i) {
    out += "\r\x1b[32m[" + std::string(static_cast<std::size_t>(i), '#') +
           std::string(static_cast<std::size_t>(n - i), '.') + "]\x1b[0m " + std::to_string(i * 100 / n) +
           "%";
  }
  return out + "\nDone in 12 s\n";
}

inline std::string Base64(std::size_t n) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += "ABCDabcd0123+/xyzXYZ"[(i * 7 + i / 5) % 20];
  return "image: " + out + "==\nwidth 640\n";
}

inline std::string Prose(int paragraphs) {
  std::string out;
  for (int i = 0; i < paragraphs; ++i) {
    out +=
        "The committee met in the old hall and it was really very quiet that morning.   \n\n\n\nThere was a "
        "long talk about the harbor, "
        "which is not safe in winter.\t\n\n\n";
  }
  return out;
}

inline std::string SourceFile() {
  std::string out;
  for (int i = 0; i < 60; ++i)
    out += "int Function" + std::to_string(i) + "(int x) {\n  return x + " + std::to_string(i) + ";\n}\n\n\n";
  return out;
}

}  // namespace helix::levers
