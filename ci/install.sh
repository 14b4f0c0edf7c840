#!/bin/sh
# Installs a released specward; `sh install.sh --help` says how.
set -eu

version=0.1.0
base=https://github.com/specward/specward/releases/download
# What the gnu archives are built against. Whoever has less, or another C library, gets the one that needs none.
glibc_major=2 glibc_minor=35

# Not read from this file: a shell that is given it on standard input has no name for it.
help() {
  cat <<'END'
Installs a released specward: sh install.sh [--to DIR] [--version VERSION] [--base-url URL] [--target TRIPLE] [--sha256 HEX]

  --to DIR        where the program goes; default ~/.local/bin
  --version V     which release; default: the one this script came with
  --base-url URL  what /v{version}/{archive} is appended to: https:// or file://, for mirrors
  --target T      the archive of this target instead of the one for this machine; its program is not asked for its version
  --sha256 HEX    the archive has to have this checksum; SHA256SUMS is not asked for then

The archive's checksum is always compared. Either all of it goes well, or nothing is installed. Needs curl or wget, gzip and
tar (for Windows unzip), and sha256sum, shasum or openssl. Exit code 69 when there is no such archive, 2 for wrong usage, 1
for everything else, a wrong checksum among it.
END
}

say() {
  printf 'specward: %s\n' "$*" >&2
}

fail() {
  say "error: $*"
  exit 1
}

# There is nothing to install, which is no sign that anything is wrong with it.
unavailable() {
  say "error: $*"
  exit 69
}

usage() {
  say "error: $*; --help lists the options"
  exit 2
}

main() {
  to='' target='' sum=''
  while [ $# -gt 0 ]; do
    case $1 in
      -h | --help)
        help
        exit 0
        ;;
      --to | --version | --base-url | --target | --sha256)
        [ -n "${2:-}" ] || usage "$1 needs a value"
        ;;
      *) usage "unknown argument $1" ;;
    esac
    case $1 in
      --to) to=$2 ;;
      --version) version=${2#v} ;;
      --base-url) base=${2%/} ;;
      --target) target=$2 ;;
      --sha256) sum=$2 ;;
    esac
    shift 2
  done
  case $version in
    *[!0-9A-Za-z.+-]* | [!0-9]*) usage "--version $version is no version" ;;
  esac
  case $base in
    https://* | file:///*) ;;
    *) usage "--base-url has to begin with https:// or file:///" ;;
  esac
  case $target in
    *[!0-9A-Za-z_-]*) usage "--target $target is no target" ;;
  esac
  if [ -z "$to" ]; then
    [ -n "${HOME:-}" ] || usage 'there is no HOME; say where with --to DIR'
    to=$HOME/.local/bin
  fi
  # Neither may begin with a dash: programs would take it for an option.
  case $to in
    -*) to=./$to ;;
  esac

  is_foreign=$target
  [ -n "$target" ] || target=$(this_machine)
  case $target in
    *windows*) program=specward.exe ending=zip ;;
    *) program=specward ending=tar.gz ;;
  esac
  name=specward-v$version-$target
  archive=$name.$ending

  mkdir -p "$to" || fail "$to cannot be made"
  # In the folder itself, so that the last step is one rename.
  scratch=$(mktemp -d "$to/.specward.XXXXXX") || fail "$to cannot be written to"
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 1' HUP INT TERM

  get "$base/v$version/$archive" "$scratch/$archive" ||
    unavailable "there is no $base/v$version/$archive, or it cannot be fetched; is $version released for $target?"
  if [ -z "$sum" ]; then
    get "$base/v$version/SHA256SUMS" "$scratch/SHA256SUMS" ||
      fail "there is no $base/v$version/SHA256SUMS, or it cannot be fetched; nothing was installed"
    sum=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$scratch/SHA256SUMS")
    [ -n "$sum" ] || fail "SHA256SUMS has no line for $archive; nothing was installed"
  fi
  found=$(sha256 "$scratch/$archive") || exit 1
  found=${found%% *}
  [ "$(printf %s "$sum" | tr A-F a-f)" = "$found" ] ||
    fail "the checksum of $archive is $found and not $sum; nothing was installed"

  # The contents of the one file that is wanted, into a new file: nothing in the archive can land anywhere else, and a link
  # has no contents, so that nothing it leads to is changed or run.
  new=$scratch/$program
  case $ending in
    zip) unzip -p "$scratch/$archive" "$name/$program" >"$new" ;;
    *) gzip -dc "$scratch/$archive" | tar -xOf - "$name/$program" >"$new" ;;
  esac || fail "$archive cannot be unpacked; nothing was installed"
  [ -s "$new" ] || fail "$archive holds no file $name/$program; nothing was installed"
  chmod 755 "$new"
  if [ -z "$is_foreign" ]; then
    said=$("$new" --version) || fail "the program of $archive does not run here; nothing was installed"
    [ "$said" = "specward $version" ] || fail "the program of $archive says it is $said; nothing was installed"
  fi
  [ ! -d "$to/$program" ] || fail "$to/$program is a folder; nothing was installed"
  mv -f "$new" "$to/$program" || fail "$to/$program cannot be replaced; nothing was installed"
  say "installed $version for $target as $to/$program"
  case ":${PATH:-}:" in
    *":$to:"*) ;;
    *) say "$to is not in PATH" ;;
  esac
}

# The target of the archive for this machine.
this_machine() {
  system=$(uname -s)
  machine=$(uname -m)
  # A shell under Rosetta is told that the machine is an Intel one.
  if [ "$system" = Darwin ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null || true)" = 1 ]; then
    machine=arm64
  fi
  case $machine in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) unknown "$system $machine" ;;
  esac
  case $system in
    Linux) echo "$machine-unknown-linux-$(libc)" ;;
    Darwin) echo "$machine-apple-darwin" ;;
    MINGW* | MSYS* | CYGWIN*) echo "$machine-pc-windows-msvc" ;;
    *) unknown "$system $machine" ;;
  esac
}

unknown() {
  unavailable "there is no archive for $1; build it with: cargo install --locked specward"
}

libc() {
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null || true)
  glibc=${glibc#glibc }
  case $glibc in
    [0-9]*.[0-9]*) ;;
    *) glibc=0.0 ;;
  esac
  major=${glibc%%.*} minor=${glibc#*.}
  minor=${minor%%[!0-9]*}
  if [ "$major" -gt "$glibc_major" ] || { [ "$major" -eq "$glibc_major" ] && [ "$minor" -ge "$glibc_minor" ]; }; then
    echo gnu
  else
    echo musl
  fi
}

# get URL FILE
get() {
  case $1 in
    file://*) [ -f "${1#file://}" ] && cp "${1#file://}" "$2" ;;
    *)
      if command -v curl >/dev/null 2>&1; then
        curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --retry 3 --output "$2" "$1"
      elif command -v wget >/dev/null 2>&1; then
        wget -q -O "$2" "$1"
      else
        fail 'curl or wget is needed'
      fi
      ;;
  esac
}

# Prints the checksum, and a space and more behind it.
sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1"
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 <"$1"
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 -r <"$1"
  else
    fail 'sha256sum, shasum or openssl is needed to check what was fetched; nothing was installed'
  fi
}

main "$@"
