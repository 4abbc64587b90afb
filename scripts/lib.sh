# Shared by the other scripts: where things are, how to get root, how to ask Debian's unstable suite for packages.
# shellcheck shell=bash disable=SC2034,SC2016 # used by those that source this; apt expands $(REPO_URI) itself
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
DEPS=$ROOT/build/deps

say() { printf '%s\n' "$*" >&2; }
die() { say "error: $*"; exit 2; }

# The one place that lists what a build needs: command or file, then Debian package.
APT_PACKAGES=(build-essential cmake ninja-build pkg-config ccache git ca-certificates dpkg-dev debian-archive-keyring
  nlohmann-json3-dev libexpected-dev libcli11-dev libfmt-dev libboost-dev libboost-filesystem-dev libssl-dev
  libgtest-dev libgmock-dev libbenchmark-dev libsimdjson-dev curl jq)
# What the tests need beside that, each as command:package, so that another source of the command counts too.
TEST_COMMANDS=(python3:python3 node:nodejs npm:npm)
FUZZ_PACKAGES=(clang libclang-rt-dev)
has_libfuzzer() {
  printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -fsanitize=fuzzer -x c++ - -o /dev/null 2>/dev/null
}

# build PRESET [TARGET...]: configures once, then builds with what is there.
build() {
  local preset=$1
  shift
  (cd "$ROOT" && { [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >&2; } &&
    cmake --build --preset "$preset" ${1:+--target "$@"} >&2)
}

# first: the first line of what comes in, reading all of it (head would end a writer under pipefail).
first() { awk 'NR == 1'; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "needs root for: $* (run as root, or install sudo)"
  fi
}

# sid_apt COMMAND...: apt-get against Debian's unstable suite with a configuration of its own, so that nothing of
# this system's package state is read or changed. The mirror is the one that this machine already uses.
sid_apt() {
  local home=$DEPS/sid uri keyring
  mkdir -p "$home/lists/partial" "$home/cache/archives/partial" "$home/etc"
  : > "$home/status"
  # Lists that were never fetched leave no index targets; the sources do.
  uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Suite: stable' 2>/dev/null | first)
  [ -n "$uri" ] || uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    grep -v -e '-security' | first)
  [ -n "$uri" ] || die "apt has no package source configured (apt-get indextargets is empty)"
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -r "$keyring" ] || die "$keyring is missing: install debian-archive-keyring"
  printf 'Types: deb deb-src\nURIs: %s\nSuites: sid\nComponents: main\nSigned-By: %s\n' "$uri" "$keyring" \
    > "$home/etc/sid.sources"
  apt-get -q -o Dir::State::status="$home/status" -o Dir::State::lists="$home/lists" \
    -o Dir::Cache="$home/cache" -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$home/etc" \
    -o Dir::Etc::preferencesparts=/dev/null -o APT::Sandbox::User=root -o APT::Get::List-Cleanup=0 \
    -o Acquire::Languages=none -o Debug::NoLocking=1 "$@"
}
