// Content-addressed objects on disk: <folder>/objects/ab/cdef..., the name being the SHA-256 of the bytes.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace helix::evidence {

// The system calls that can fail half-way, replaceable so that tests can make them fail. The default writes.
struct StoreFaults {
  std::function<long(int fd, const char* data, std::size_t size)> write;
};

// Any number of processes may put and get at once; an object appears whole or not at all, because it is
// written under tmp/ and renamed. One instance may be used from several threads.
class ObjectStore {
 public:
  // Creates the folder (0700) when it is not there. kRefused when it holds a store of a newer format.
  static Result<ObjectStore> Open(const std::string& folder, StoreFaults faults = {});
  // The store as it is: nothing on disk is created, changed or moved. kNotFound when there is none; Put, Sync
  // and Sweep are kRefused.
  static Result<ObjectStore> OpenReadOnly(const std::string& folder);
  ~ObjectStore();
  ObjectStore(ObjectStore&&) noexcept;
  ObjectStore& operator=(ObjectStore&&) noexcept;

  // Stores the bytes and returns their digest (64 lower-case hexadecimal digits). On an error nothing is
  // stored. Durable only after Sync.
  Result<std::string> Put(std::string_view bytes);
  // The bytes, hashed again on the way out. kNotFound when absent, kInvalidArgument when `digest` is not a
  // digest, kIo when the bytes do not hash to their name: then the object is moved to quarantine/ and never
  // used again, unless the store was opened read-only.
  [[nodiscard]] Result<std::string> Get(const std::string& digest) const;
  [[nodiscard]] bool Has(const std::string& digest) const;
  // Makes everything put so far durable.
  Status Sync();

  // Every object's digest, sorted.
  [[nodiscard]] Result<std::vector<std::string>> List() const;
  // Removes objects that are not in `keep` (sorted) and older than `min_age_s`, and temporary files of that
  // age. Returns how many objects went. A writer that is still going on is protected by the age.
  Result<std::size_t> Sweep(const std::vector<std::string>& keep, std::int64_t min_age_s = 24 * 3600);

  [[nodiscard]] const std::string& folder() const;

 private:
  struct Impl;
  explicit ObjectStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace helix::evidence
