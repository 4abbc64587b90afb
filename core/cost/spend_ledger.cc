#include "core/cost/spend_ledger.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <random>

#include "core/base/json_fields.h"

namespace helix::cost {
namespace {

Error IoError(const std::string& what, const std::string& path) {
  return {ErrorCode::kIo, what + " " + path + ": " + std::strerror(errno), "check the folder's permissions"};
}

// The ledger file, open and locked for as long as the object lives.
class LockedFile {
 public:
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  LockedFile(LockedFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  LockedFile& operator=(LockedFile&&) = delete;
  ~LockedFile() {
    if (fd_ >= 0) close(fd_);  // closing drops the lock
  }

  static Result<LockedFile> Open(const std::string& path) {
    std::error_code ignored;  // open reports what is wrong
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    int fd = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) return tl::make_unexpected(IoError("cannot open the spend ledger", path));
    LockedFile file(fd);
    if (flock(fd, LOCK_EX) != 0) return tl::make_unexpected(IoError("cannot lock the spend ledger", path));
    return file;
  }
  Result<std::string> ReadAll(const std::string& path) const {
    std::string text;
    char buffer[8192];
    for (off_t at = 0;;) {
      ssize_t n = pread(fd_, buffer, sizeof buffer, at);
      if (n < 0) return tl::make_unexpected(IoError("cannot read the spend ledger", path));
      if (n == 0) return text;
      text.append(buffer, static_cast<std::size_t>(n));
      at += n;
    }
  }
  Status Append(const std::string& line, const std::string& path) {
    for (std::string_view rest = line; !rest.empty();) {
      ssize_t n = write(fd_, rest.data(), rest.size());
      if (n <= 0) return tl::make_unexpected(IoError("cannot write the spend ledger", path));
      rest.remove_prefix(static_cast<std::size_t>(n));
    }
    if (fsync(fd_) != 0) return tl::make_unexpected(IoError("cannot sync the spend ledger", path));
    return {};
  }

 private:
  explicit LockedFile(int fd) : fd_(fd) {}
  int fd_;
};

std::string NewId() {
  std::random_device source;
  std::string id;
  for (int i = 0; i < 8; ++i) id += "0123456789abcdef"[source() % 16];
  return id + std::to_string(getpid());
}

Result<Money> ReadPico(const Json& entry) {
  auto amount = FromPicoText(StringAt(entry, "pico_usd").value_or(""));
  if (amount) return *amount;
  return Fail(ErrorCode::kParse, "a line of the spend ledger has no amount",
              "move the file away to start a new one");
}

// A last line without its end was being written when its process was killed; it promised nothing to anyone.
Result<Money> SumOfDay(std::string_view text, const std::string& day) {
  std::map<std::string, Money> calls;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    auto line = text.substr(0, end);
    if (line.empty()) continue;
    auto entry = ParseJson(line);
    if (!entry) continue;  // an unfinished line that a later append closed
    if (StringAt(*entry, "day") != day) continue;
    auto amount = ReadPico(*entry);
    if (!amount) return tl::make_unexpected(amount.error());
    calls[StringAt(*entry, "id").value_or("")] = *amount;
  }
  Money sum;
  for (const auto& [id, amount] : calls) sum += amount;
  return sum;
}

std::string Line(const char* what, const std::string& day, const std::string& id, Money amount,
                 bool tail_open) {
  Json entry = {{"what", what}, {"day", day}, {"id", id}, {"pico_usd", PicoText(amount)}};
  return (tail_open ? "\n" : "") + DumpJson(entry) + "\n";
}

}  // namespace

SpendLedger::SpendLedger(std::string path, Money limit, std::string utc_day)
    : path_(std::move(path)), limit_(limit), day_(std::move(utc_day)) {}

Result<Reservation> SpendLedger::Reserve(Money most) {
  if (most.count <= 0) return Fail(ErrorCode::kInvalidArgument, "a reservation must be above 0 dollars");
  auto file = LockedFile::Open(path_);
  if (!file) return tl::make_unexpected(file.error());
  auto text = file->ReadAll(path_);
  if (!text) return tl::make_unexpected(text.error());
  auto sum = SumOfDay(*text, day_);
  if (!sum) return tl::make_unexpected(sum.error());
  if (*sum + most > limit_) {
    return Fail(ErrorCode::kRefused,
                "the call could cost $" + ToText(most) + " and $" + ToText(*sum) + " of $" + ToText(limit_) +
                    " are reserved or spent today",
                "raise --max-usd, or ask for fewer pairs or a shorter prompt");
  }
  Reservation reservation{NewId(), most};
  bool tail_open = !text->empty() && text->back() != '\n';
  HELIX_TRY(file->Append(Line("reserve", day_, reservation.id, most, tail_open), path_));
  return reservation;
}

Status SpendLedger::Settle(const Reservation& reservation, Money actual) {
  auto file = LockedFile::Open(path_);
  if (!file) return tl::make_unexpected(file.error());
  auto text = file->ReadAll(path_);
  if (!text) return tl::make_unexpected(text.error());
  bool tail_open = !text->empty() && text->back() != '\n';
  return file->Append(Line("settle", day_, reservation.id, actual, tail_open), path_);
}

Result<Money> SpendLedger::Committed() const {
  auto file = LockedFile::Open(path_);
  if (!file) return tl::make_unexpected(file.error());
  auto text = file->ReadAll(path_);
  if (!text) return tl::make_unexpected(text.error());
  return SumOfDay(*text, day_);
}

}  // namespace helix::cost
