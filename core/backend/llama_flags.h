// The command line of a managed llama-server.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace helix::backend {

struct ManagedServerFlags {
  int context = 4096;  // tokens per slot
  int slots = 1;
  int threads = 1;
  int ubatch = 0;  // 0: the server's default or the user's; else it wins over `extra`
  // With flash attention off, cached and fresh logits are equal to the bit.
  std::string flash_attention = "off";     // on, off, auto
  std::string cache_type_k, cache_type_v;  // empty: the server's default (f16)
  int prompt_cache_mib = 0;        // --cache-ram; a second cache behind the slots makes a cold call warm
  bool log_startup = false;        // log the facts of llama_startup.h, where the build needs a flag for it
  std::vector<std::string> extra;  // from the user's configuration only; after ours, so that they win
};

// The flags for `flags`, without program, model, address and folders. Only those that `help` (the server's
// own
// --help text) knows are used: builds differ, and an unknown flag ends the server. `left_out` gets the rest.
std::vector<std::string> LlamaFlags(const ManagedServerFlags& flags, std::string_view help,
                                    std::vector<std::string>* left_out);

// Whether the help text documents this flag, such as "--cache-ram".
bool HelpHasFlag(std::string_view help, std::string_view flag);

}  // namespace helix::backend
