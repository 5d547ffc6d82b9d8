/** The engine's process: its log, its settings, and the engine behind the daemon's socket. */

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

/** After the last client has left. People come back within minutes, and a start costs them half a second. */
const IDLE_SECONDS = 600;

/** Until it gives its memory back: a command follows another one within a minute. */
const REST_SECONDS = 60;

/**
 * How long a WebAssembly function runs in code of V8's fast compiler before the optimizing one compiles it again, in
 * bytes of code executed; V8 sets 1.8 million. The grammars and the database have thousands of functions that are warm
 * for a moment, and compiling those took a quarter of the processor time of a first index.
 */
const WASM_TIERING_BUDGET = 400_000_000;

/**
 * How much bytecode a function runs before V8 compiles it for speed, in bytes; V8 sets 67,584. Most functions of a first
 * index and of a session's first questions are warm for a moment only: 6 % fewer instructions to index caddy, and a fifth
 * less processor time for the first hundred questions.
 */
const INTERRUPT_BUDGET = 600_000;

/**
 * By how much, in percent, the heap of a thread grows before garbage is collected; V8 lets it grow to four times its size. Rows
 * of files and commits that wait for the database become old, and are garbage a moment later: rails with its commits takes
 * 536 MB at the peak instead of 640 to 720, for 1.5 % more processor time (at 50: 495 MB, 5 %).
 */
const HEAP_GROWING_PERCENT = 100;

/** Resolves to the exit code when the engine has left. `program` is the file that was started. */
export async function run(program: string): Promise<number> {
  // By a call and not on the command line: a Node without the flag reports it and starts all the same.
  setFlagsFromString(`--wasm-tiering-budget=${WASM_TIERING_BUDGET}`);
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`);
  const settings = { ...DEFAULTS, ...fromEnvironment(process.env).settings };
  process.title = "cocosearch-lsp engine";
  const home = homeOf(process.env);
  // No thread starts in a folder that is gone, and the data folder may be deleted.
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
    restMs: REST_SECONDS * 1000,
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
