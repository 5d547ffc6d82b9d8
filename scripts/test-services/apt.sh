# Unpacks packages of Debian releases into a folder, without installing them. Sourced by postgres, editors and editor-packages.

# prepare_apt DIR STATUS SUITE...: reads the lists of the suites; `apt` then works on DIR alone. With an empty file as the
# status, packages come with all that they depend on; with an empty name, only with what this system lacks.
prepare_apt() {
  local dir=$1 status=$2 mirror suite
  shift 2
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "there is no apt" >&2
    return 1
  fi
  mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | grep -v security | sort -u | head -n 1)}
  if [ -z "$mirror" ]; then
    echo "no Debian mirror is configured: run apt-get update, or set DEBIAN_MIRROR" >&2
    return 1
  fi
  mkdir -p "$dir"/{lists,debs}/partial "$dir/root"
  for suite in "$@"; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
  done >"$dir/sources.list"
  apt_options=(-qq -o "Dir::Etc::sourcelist=$dir/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$dir/lists"
    -o "Dir::Cache=$dir" -o "Dir::Cache::archives=$dir/debs" -o Debug::NoLocking=1 -o APT::Sandbox::User=)
  if [ -n "$status" ]; then apt_options+=(-o "Dir::State::status=$status"); fi
  apt update
}

apt() { apt-get "${apt_options[@]}" "$@"; }

# unpack DIR [OPTION...] PACKAGE...: into DIR/root, with dependencies. What apt needed is deleted.
unpack() {
  local dir=$1 each
  shift
  apt install --yes --download-only --no-install-recommends "$@" >/dev/null
  for each in "$dir"/debs/*.deb; do dpkg-deb --extract "$each" "$dir/root"; done
  rm -rf "$dir"/{debs,lists} "$dir"/*.bin
}

# The loader of the C library that was unpacked into DIR/root.
unpacked_loader() { find "$1/root/usr/lib" -name 'ld-linux-*.so*' -print -quit; }
