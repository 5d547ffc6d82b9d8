/**
 * An agent that somebody else answers for: writes each prompt into a folder and waits for the answer there.
 *
 * usage: AGENT_COMMAND="node --import tsx scripts/agents/queue-agent.ts FOLDER" npm run evaluate-agents -- ...
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
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 300;

/** The number of the prompt: the first one that no other agent of the queue takes at the same moment. */
function writePrompt(folder: string, text: string): number {
  mkdirSync(folder, { recursive: true });
  const numbers = readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0);
  for (let number = Math.max(0, ...numbers) + 1; ; number++) {
    const file = join(folder, `${number}.prompt`);
    try {
      // Whoever sees a prompt must see it whole.
      writeFileSync(`${file}.part`, text, { flag: "wx" });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") continue;
      throw error;
    }
    renameSync(`${file}.part`, file);
    return number;
  }
}

async function main(): Promise<number> {
  const [queue] = process.argv.slice(2);
  const { PROMPT_FILE: promptFile, TOOLS_FOLDER: tools } = process.env;
  if (queue === undefined || promptFile === undefined || tools === undefined) {
    console.error("usage: AGENT_COMMAND='node --import tsx scripts/agents/queue-agent.ts FOLDER'");
    return 2;
  }
  const folder = resolve(queue);
  const start = `Before each command: cd '${process.cwd()}' && export PATH='${tools}':"$PATH"`;
  const number = writePrompt(folder, `${start}\n\n${readFileSync(promptFile, "utf8")}`);
  const nameOf = (ending: string) => join(folder, `${number}.${ending}`);
  process.once("SIGTERM", () => {
    renameSync(nameOf("prompt"), nameOf("expired"));
    process.exit(1);
  });
  while (!existsSync(nameOf("answer"))) await delay(POLL_MS);
  process.stdout.write(readFileSync(nameOf("answer"), "utf8"));
  return 0;
}

process.exitCode = await main();
