// One turn of a conversation as a log or a capture holds it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "core/usage/usage.h"

namespace helix::consistency {

struct SessionTurn {
  std::string session;  // conversation; turns of one conversation come in order
  std::string message_id;
  std::string request_id;
  std::string model;
  std::string timestamp;   // "2026-06-09T15:04:20.123Z" as written
  bool sidechain = false;  // a subagent's turn: another conversation in the same file
  usage::Usage usage;
};

// Seconds since 1970 of a UTC timestamp in that form; nullopt for another.
std::optional<double> EpochSeconds(const std::string& timestamp);

}  // namespace helix::consistency
