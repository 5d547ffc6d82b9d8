/**
 * An agent whose answers are written by hand: puts each prompt into a folder and waits for the answer there. It runs in the
 * repository of the task, so both paths are absolute:
 *
 * AGENT_COMMAND='node "$HARNESS/scripts/agents/queue-agent.mjs" /tmp/queue' npm run evaluate-agents -- ...
 *
 * Writes FOLDER/N.prompt, which begins with the folder to work in and the folder of commands, and prints FOLDER/N.answer as
 * soon as it appears. Write the answer under another name and move it. At the time limit N.prompt becomes N.expired.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { isAbsolute, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 300;

const [folder] = process.argv.slice(2);
const { PROMPT_FILE: promptFile, TOOLS_FOLDER: tools } = process.env;
if (folder === undefined || !isAbsolute(folder) || promptFile === undefined) {
  console.error("an absolute folder is expected; npm run evaluate-agents starts this program");
  process.exit(2);
}
const start = `Before each command: cd '${process.cwd()}' && export PATH='${tools}':"$PATH"`;
const number = writePrompt(`${start}\n\n${readFileSync(promptFile, "utf8")}`);
process.once("SIGTERM", () => {
  renameSync(fileOf("prompt"), fileOf("expired"));
  process.exit(1);
});
while (!existsSync(fileOf("answer"))) await delay(POLL_MS);
process.stdout.write(readFileSync(fileOf("answer"), "utf8"));

function fileOf(ending) {
  return join(folder, `${number}.${ending}`);
}

/** The number of the prompt: the first one that no other agent of the queue takes at the same moment. */
function writePrompt(text) {
  mkdirSync(folder, { recursive: true });
  const taken = readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0);
  for (let next = Math.max(0, ...taken) + 1; ; next++) {
    const file = join(folder, `${next}.prompt`);
    try {
      // Kept, so that the number stays taken. Whoever sees a prompt sees it whole.
      writeFileSync(`${file}.taken`, "", { flag: "wx" });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") continue;
      throw error;
    }
    writeFileSync(`${file}.part`, text);
    renameSync(`${file}.part`, file);
    return next;
  }
}
