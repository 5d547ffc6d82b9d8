/** A build server that commits, publishes, and is killed in the middle until it was killed often enough. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { silent } from "../../server/common/log.ts";
import { openTeam } from "../../server/store/team.ts";
import { MAIN } from "../editor.ts";
import { commitAll, edit, git } from "./edits.ts";

/** Each publish has a few files that the last one has not. */
const EDITS_PER_COMMIT = 5;
/** The pause between two publishes, so that the developers' engines have a processor. */
const PAUSE_MS = 15_000;

interface Publishing {
  /** The clone of the build server. */
  readonly root: string;
  readonly home: string;
  /** The database as a user who may publish. */
  readonly url: string;
  readonly random: () => number;
}

interface PublisherTally {
  published: number;
  kills: number;
  /** After how many of them the new commit was there: the process was killed after it had committed. */
  killedAfter: number;
  /** Kills after which neither the old nor the new commit was published. */
  wrong: number;
}

/** Rejects if a publish fails by itself. Resolves to the time it took, in milliseconds. */
export async function publishOnce(publishing: Publishing): Promise<number> {
  const start = performance.now();
  const { child, said } = startPublish(publishing);
  await once(child, "exit");
  if (child.exitCode !== 0) throw new Error(`publish ended with ${child.exitCode}: ${said()}`);
  return performance.now() - start;
}

/** Publishes and is killed until both `kills` is reached and the developers are done. */
export async function publishAndDie(
  publishing: Publishing,
  kills: number,
  isOver: () => boolean,
): Promise<PublisherTally> {
  const tally: PublisherTally = { published: 0, kills: 0, killedAfter: 0, wrong: 0 };
  const { root, random } = publishing;
  let before = git(root, "rev-parse", "HEAD");
  let usualMs = await publishOnce(publishing);
  // Every second publish is left alone, so that the published commit moves on.
  for (let mayDie = true; !isOver() || tally.kills < kills; mayDie = !mayDie) {
    await delay(PAUSE_MS);
    edit({ root, random }, EDITS_PER_COMMIT);
    const next = commitAll(root, `Change ${tally.published + tally.kills}`);
    if (mayDie && tally.kills < kills && (await killedIn(publishing, random() * usualMs))) {
      tally.kills++;
      const now = await publishedCommit(publishing.url);
      if (now === next) tally.killedAfter++;
      else if (now !== before) tally.wrong++;
      before = now;
      continue;
    }
    // It takes no time if the process before it had ended by itself.
    usualMs = Math.max(usualMs, await publishOnce(publishing));
    tally.published++;
    before = next;
  }
  await publishOnce(publishing);
  tally.published++;
  return tally;
}

/** False if it had ended before. */
async function killedIn(publishing: Publishing, ms: number): Promise<boolean> {
  const { child } = startPublish(publishing);
  const ended = once(child, "exit");
  await Promise.race([delay(ms), ended]);
  child.kill("SIGKILL");
  await ended;
  return child.signalCode === "SIGKILL";
}

function startPublish({ root, home, url }: Publishing): {
  child: ChildProcess;
  said: () => string;
} {
  const env = {
    ...process.env,
    COCOSEARCH_HOME: home,
    COCOSEARCH_TEAM_URL: url,
    COCOSEARCH_WORKERS: "1",
  };
  const child = spawn(process.execPath, [MAIN, "publish", "--root", root], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  return { child, said: () => said };
}

/** The commit of the only index in the database. */
export async function publishedCommit(url: string): Promise<string> {
  const team = await openTeam({ url, log: silent });
  try {
    return (await team.listPublished())[0]?.commit ?? "";
  } finally {
    await team.close();
  }
}
