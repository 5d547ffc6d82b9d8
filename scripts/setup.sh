# Makes a clone ready to run: packages, then the build, each only when it is missing or out of date.
# Sourced by scripts/run and scripts/test. Sets `clone`; leaves the current folder as it is. Runs on bash 3.2 (macOS).

clone=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

say() { printf 'cocosearch-lsp: %s\n' "$*" >&2; }
fail() { say "$*"; exit 3; }

require_node() {
  command -v node >/dev/null || fail "Node.js is missing: install version 20.19 or later from https://nodejs.org"
  node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' ||
    fail "Node.js $(node --version) is too old: install version 20.19 or later from https://nodejs.org"
  command -v npm >/dev/null || fail "npm is missing: it comes with Node.js from https://nodejs.org"
}

# Runs a step quietly; what it said is shown only when it fails.
quietly() {
  local what=$1 log="$clone/.setup/$2.log"
  shift 2
  say "$what"
  if (cd "$clone" && "$@") >"$log" 2>&1 </dev/null; then return; fi
  tail -n 40 "$log" >&2
  fail "that failed; all of it is in $log"
}

must_install() {
  [ ! "$clone/node_modules/.package-lock.json" -nt "$clone/package-lock.json" ]
}

# Folders count too: their time changes when a file in them is removed.
must_build() {
  [ ! -f "$clone/dist/.built" ] || [ -n "$(
    cd "$clone" && find server grammars scripts/build-grammars.ts scripts/build-database.ts package.json package-lock.json tsconfig.json \
      -newer dist/.built 2>/dev/null | head -n 1
  )" ]
}

build() {
  mkdir -p dist
  # Taken before: what is edited during the build is built the next time.
  touch .setup/started
  npm run --silent build && mv .setup/started dist/.built
}

# One at a time. The lock is a link that names its holder, made in one step, so that a killed one is taken over.
lock() {
  local holder told=
  mkdir -p "$clone/.setup" || fail "$clone is not writable, and it has not been set up yet"
  until ln -s $$ "$clone/.setup/lock" 2>/dev/null; do
    holder=$(readlink "$clone/.setup/lock" || true)
    if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
      # Of several who see this, the move succeeds for one.
      mv "$clone/.setup/lock" "$clone/.setup/stale.$$" 2>/dev/null && rm -f "$clone/.setup/stale.$$"
      continue
    fi
    [ -n "$told" ] || say "waiting for another set-up of this clone (process ${holder:-unknown})"
    told=yes
    sleep 1
  done
  trap unlock EXIT
}

unlock() {
  rm -f "$clone/.setup/lock"
  trap - EXIT
}

set_up() {
  require_node
  must_install || must_build || return 0
  lock
  # Asked again: somebody else may have done it while we waited.
  if must_install; then
    quietly "installing packages" install npm ci --include=dev --no-audit --no-fund
    touch "$clone/node_modules/.package-lock.json"
  fi
  if must_build; then quietly "building" build build; fi
  unlock
}
