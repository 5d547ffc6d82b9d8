#!/usr/bin/env bash
# Brings a release to the servers.

set -euo pipefail

readonly RELEASES=/srv/releases
KEEP=${KEEP:-5}

log() {
  printf '%s %s\n' "$(date +%T)" "$*" >&2
}

die() { log "error: $*"; exit 1; }

# Unpacks an archive into a folder of its own.
function unpack {
  local archive=$1 target=$2
  mkdir -p "$target"
  tar -xzf "$archive" -C "$target" || die "cannot unpack $archive"
}

link_current() {
  local release=$1
  ln -sfn "$release" "$RELEASES/current.new"
  mv -T "$RELEASES/current.new" "$RELEASES/current"
}

# Removes the oldest releases, but never the one that runs.
prune() {
  local current
  current=$(readlink -f "$RELEASES/current")
  ls -1dt "$RELEASES"/*/ | tail -n "+$((KEEP + 1))" | while read -r old; do
    [[ "$old" == "$current/" ]] && continue
    log "removing $old"
    rm -rf "$old"
  done
}

usage() {
  cat <<'TEXT'
usage: deploy ARCHIVE
  KEEP=n   how many releases stay
TEXT
}

main() {
  case "${1:-}" in
    -h | --help | "") usage ;;
    *)
      local name
      name=$(basename "$1" .tar.gz)
      unpack "$1" "$RELEASES/$name"
      link_current "$RELEASES/$name"
      prune
      ;;
  esac
}

main "$@"
