/** The entry point of the engine process: its V8 flags, log, settings, and the engine behind the daemon's socket. */

import { parse } from "node:path";
import { setFlagsFromString } from "node:v8";
import { stackOf } from "../common/errors.ts";
import { limitRepeats } from "../common/limit-repeats.ts";
import { createLog } from "../common/log.ts";
import { buildOf, versionOf } from "../common/version.ts";
import { DEFAULTS, fromEnvironment } from "../config/settings.ts";
import { homeOf } from "../daemon/home.ts";
import { createLogFile } from "../daemon/log-file.ts";
import { runEngine } from "../daemon/serve.ts";

/** The engine exits this long after the last client has disconnected. Users return within minutes, and a start takes half a second. */
const IDLE_SECONDS = 600;

/** The engine frees memory this long after the last client has disconnected. Commands often follow each other within a minute. */
const FREE_MEMORY_SECONDS = 60;

/**
 * The budget after which V8 recompiles a WebAssembly function with its optimizing compiler, in bytes of executed code; the
 * default is 1.8 million. Grammars and database have thousands of functions that are hot only briefly, and compiling them
 * took a quarter of the processor time of a first index.
 */
const WASM_TIERING_BUDGET = 400_000_000;

/**
 * The budget after which V8 optimizes a JavaScript function, in bytes of executed bytecode, until the warm-up of searches
 * (engine/threads/warm-up.ts) restores the default. Most functions of a first index are hot only briefly.
 */
const INTERRUPT_BUDGET = 600_000;

/**
 * The growth of a heap in percent that triggers a major garbage collection; by default it may quadruple. Rows that wait for
 * the database reach the old generation and die soon: this saves 100 MB of peak memory on rails for 1.5 % more processor time.
 */
const HEAP_GROWING_PERCENT = 100;

/** Resolves to the exit code when the engine has stopped. `program` is the path of main.js. */
export async function run(program: string): Promise<number> {
  // Set here and not on the command line, because Node does not start with an unknown option.
  setFlagsFromString(`--wasm-tiering-budget=${WASM_TIERING_BUDGET}`);
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
  const settings = { ...DEFAULTS, ...fromEnvironment(process.env).settings };
  process.title = "cocosearch-lsp engine";
  const home = homeOf(process.env);
  // A thread cannot start in a deleted working directory, and the data folder may be deleted.
  process.chdir(parse(home.root).root);
  const log = limitRepeats(createLog(createLogFile(home.log), settings["log.level"]));
  process.on("uncaughtException", (error) => log.error("bug", { error: stackOf(error) }));
  process.on("unhandledRejection", (error) => log.error("bug", { error: stackOf(error) }));
  const seconds = Number(process.env["COCOSEARCH_ENGINE_IDLE_SECONDS"] ?? IDLE_SECONDS);
  await runEngine({
    home,
    version: buildOf(program),
    log,
    idleMs: seconds * 1000,
    freeMemoryMs: FREE_MEMORY_SECONDS * 1000,
    load: async () => {
      const { createEngine } = await import("../engine/engine.ts");
      const workers = settings["indexing.workers"];
      const [version, build] = [versionOf(program), buildOf(program)];
      const installation = process.env["COCOSEARCH_INSTALLATION"];
      const kept = { data: home.data, logFile: home.log, installation };
      return createEngine({ ...kept, log, version, build, workers });
    },
  });
  return 0;
}
