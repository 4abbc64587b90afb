#include "mcp/install/install.h"

#include <filesystem>
#include <ostream>

#include "mcp/install/own_command.h"
#include "mcp/install/settings_file.h"

namespace helix::mcp {
namespace {

constexpr int kExitImpossible = 2;

struct Job {
  const InstallOptions& options;
  const Client& client;
  ServerAddress to;
  std::ostream& out;
  std::ostream& err;

  int Impossible(const Error& error) const {
    err << "error: " << error.Text() << "\n";
    return kExitImpossible;
  }
};

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

int InFile(const Job& job, const std::string& file) {
  const bool uninstall = job.options.uninstall;
  const auto old = ReadSettings(file);
  if (!old) return job.Impossible(old.error());
  auto text = uninstall ? WithoutServer(*old, job.client) : WithServer(*old, job.client, job.to);
  if (!text)
    return job.Impossible({text.error().code, file + ": " + text.error().message, text.error().hint});
  if (*text == *old) {
    job.out << file << ": " << (uninstall ? "not registered" : "registered already") << ", nothing to do\n";
    return 0;
  }
  if (job.options.dry_run) {
    job.out << file << ": would " << (uninstall ? "take out " : "register ") << kServerName << "\n";
    if (!uninstall) job.out << EntryText(job.client, job.to);
    return 0;
  }
  const auto backup = WriteSettings(file, *text);
  if (!backup) return job.Impossible(backup.error());
  job.out << file << ": " << (uninstall ? "took out " : "registered ") << kServerName << "\n";
  if (!backup->empty()) job.out << "the file as it was: " << *backup << "\n";
  if (!uninstall) job.out << "start " << job.client.title << " again to load it\n";
  return 0;
}

int ByCommand(const Job& job) {
  const auto commands =
      job.options.uninstall ? UnregisterCommands(job.client) : RegisterCommands(job.client, job.to);
  CommandOutcome last;
  for (const auto& words : commands) {
    if (job.options.dry_run) {
      job.out << "would run: " << Joined(words) << "\n";
      continue;
    }
    auto outcome = RunCommand(words);
    if (!outcome) return job.Impossible(outcome.error());
    job.out << "ran: " << Joined(words) << "\n";
    last = *std::move(outcome);
  }
  job.out << last.output;
  if (last.exit_code == 0) return 0;
  return job.Impossible({ErrorCode::kUnavailable,
                         Joined(commands.back()) + " ended with " + std::to_string(last.exit_code),
                         "what it said is above"});
}

Status Check(const InstallOptions& options, const Client* client) {
  if (client == nullptr) {
    std::string names;
    for (const auto& known : Clients()) names += (names.empty() ? "" : ", ") + known.name;
    return Fail(ErrorCode::kInvalidArgument,
                "\"" + options.client + "\" is no client that this program knows", "one of: " + names);
  }
  if (!options.http.empty() && !client->has_http) {
    return Fail(ErrorCode::kInvalidArgument, client->title + " starts its servers itself",
                "leave --http out");
  }
  if (!options.http.empty() && options.http.rfind("http://", 0) != 0 &&
      options.http.rfind("https://", 0) != 0) {
    return Fail(ErrorCode::kInvalidArgument, "--http takes a URL, got \"" + options.http + "\"",
                "such as http://127.0.0.1:PORT/mcp");
  }
  if (options.http.empty() && !options.uninstall && options.command.empty()) {
    return Fail(ErrorCode::kInternal, "the path of this program is not known", "name the server with --http");
  }
  return {};
}

}  // namespace

int Install(const InstallOptions& options, const EnvReader& env, std::ostream& out, std::ostream& err) {
  const Client* client = FindClient(options.client);
  const Job job{
      options, client != nullptr ? *client : Clients().front(), {options.command, options.http}, out, err};
  if (auto checked = Check(options, client); !checked) return job.Impossible(checked.error());
  if (!options.file.empty()) return InFile(job, options.file);
  if (!client->own_command.empty()) return ByCommand(job);
  const std::string file = client->default_file(env);
  if (file.empty() || file.front() != '/') {
    return job.Impossible({ErrorCode::kInvalidArgument,
                           "where " + client->title + " keeps its servers is not known here",
                           "name its settings file with --file"});
  }
  return InFile(job, file);
}

std::string OwnPath() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "" : path.string();
}

}  // namespace helix::mcp
