/** Controls a real Neovim over its socket as a client of the soak test: searches, and edits files as a user would. */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { MAIN } from "../editor.ts";
import type { Asking } from "../evaluation/server.ts";

const CLIENT = resolve(import.meta.dirname, "../../clients/neovim");
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 200;

/** The expression that Neovim evaluates; the answer is JSON. */
const SCRIPT = `
local TIMEOUT_MS = 30000

local function client()
  return vim.lsp.get_clients({ name = 'cocosearch' })[1]
end

function _G.soak_ready()
  local found = client()
  return found ~= nil and found.initialized == true
end

function _G.soak_ask(method, params)
  local answer, failure = client():request_sync(method, vim.json.decode(params), TIMEOUT_MS, 0)
  if answer == nil then error(failure) end
  return vim.json.encode(answer.result or { failure = answer.err })
end

function _G.soak_edit(path, before, after)
  vim.cmd.edit({ path, bang = true })
  vim.cmd('%s/' .. before .. '/' .. after .. '/g')
  vim.cmd('silent write!')
  vim.cmd('bwipeout!')
end

vim.lsp.enable('cocosearch')
`;

interface Neovim extends Asking {
  /** Opens a file, replaces a word, writes it and closes its buffer. */
  edit(path: string, before: string, after: string): Promise<void>;
  close(): Promise<void>;
}

/** `folder` is for its own files; `shown` is a file of the workspace that stays open. */
export async function openNeovim(
  program: string,
  {
    root,
    shown,
    folder,
    env,
  }: { root: string; shown: string; folder: string; env: NodeJS.ProcessEnv },
): Promise<Neovim> {
  mkdirSync(folder, { recursive: true });
  const server = join(folder, "cocosearch-lsp");
  const script = `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`;
  writeFileSync(server, script, { mode: 0o755 });
  writeFileSync(join(folder, "init.lua"), SCRIPT);
  const socket = join(folder, "socket");
  const setUp = ["--cmd", `set runtimepath^=${CLIENT}`, "-S", join(folder, "init.lua"), shown];
  const child = spawn(program, ["--headless", "--clean", "-n", "--listen", socket, ...setUp], {
    cwd: root,
    env: { ...process.env, ...env, PATH: `${folder}:${process.env["PATH"] ?? ""}` },
    stdio: "ignore",
  });
  const run = promisify(execFile);
  const tell = async (call: string, given: readonly string[]) => {
    const list = given.map((each) => `'${each.replaceAll("'", "''")}'`).join(", ");
    const expression = `luaeval('${call}', [${list}])`;
    const told = ["--clean", "--headless", "--server", socket, "--remote-expr", expression];
    return (await run(program, told, { maxBuffer: 2 ** 26 })).stdout;
  };
  const start = performance.now();
  for (;;) {
    const isReady = await tell("tostring(soak_ready())", []).catch(() => "");
    if (isReady.trim() === "true") break;
    if (performance.now() - start > START_TIMEOUT_MS) throw new Error("Neovim does not start");
    await delay(POLL_MS);
  }
  return {
    sendRequest: async <T>(method: string, params: object) =>
      JSON.parse(await tell("soak_ask(_A[1], _A[2])", [method, JSON.stringify(params)])) as T,
    edit: async (path, before, after) => {
      await tell("soak_edit(_A[1], _A[2], _A[3])", [path, before, after]);
    },
    close: async () => {
      const ended = once(child, "exit");
      await tell('vim.cmd("qall!")', []).catch(() => "");
      await ended;
    },
  };
}
