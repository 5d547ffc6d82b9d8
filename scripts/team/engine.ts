/** An engine on a clone, with or without a team, and its answers in a form that can be compared. */

import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { silent } from "../../server/common/log.ts";
import { buildOf } from "../../server/common/version.ts";
import type { Hit } from "../../server/contracts/model.ts";
import type { Session, Status } from "../../server/contracts/session.ts";
import { connectEngine } from "../../server/daemon/connect.ts";
import { homeOf } from "../../server/daemon/home.ts";
import { isLocked } from "../../server/daemon/lock.ts";
import { createRemoteSession } from "../../server/daemon/remote-session.ts";
import { MAIN } from "../editor.ts";
import type { View } from "./namespace.ts";
import type { Questions } from "./questions.ts";

const POLL_MS = 20;
/** A search has by default 10 hits. */
const LIMIT = 20;

export interface RunningEngine {
  /** Resolves when the files of now are indexed. */
  settle(): Promise<void>;
  ask(questions: Questions): Promise<ReadonlyMap<string, Answer>>;
  status(): Promise<Status["indexes"][number]>;
  close(): Promise<void>;
}

/** Places without scores, the scores, and the lines of calls. */
export interface Answer {
  readonly places: readonly string[];
  readonly scores: readonly number[];
}

/** `teamUrl` is empty for a local index. The engine and all its threads see the clone as the view has it. */
export async function startEngine(
  view: View,
  home: string,
  teamUrl: string,
): Promise<RunningEngine> {
  const env = { ...process.env, COCOSEARCH_HOME: home, COCOSEARCH_WORKERS: "1" };
  const place = homeOf(env);
  const child = view.start([MAIN, "engine"], env);
  while (!(existsSync(place.lock) && isLocked(place.lock))) {
    if (child.exitCode !== null) throw new Error(`the engine ended with ${child.exitCode}`);
    await delay(POLL_MS);
  }
  const program = { home: place, version: buildOf(MAIN), command: [MAIN, "engine"], env };
  const session = createRemoteSession(() => connectEngine(program), silent);
  await session.configure({ "team.url": teamUrl });
  await session.openFolders([view.root]);
  await session.whenIdle();
  return {
    settle: async () => {
      await session.reindex({});
      await session.whenIdle();
    },
    ask: (questions) => answersOf(session, questions),
    status: async () => {
      const [index] = (await session.status()).indexes;
      if (index === undefined) throw new Error(`${view.root} has no index`);
      return index;
    },
    close: async () => {
      await session.dispose();
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

async function answersOf(session: Session, { all, names }: Questions) {
  const answers = new Map<string, Answer>();
  for (const query of all) {
    const { hits } = await session.search({ query, limit: LIMIT, minScore: 0, includeText: true });
    answers.set(query, { places: hits.map(placeOf), scores: hits.map(({ score }) => score) });
  }
  for (const name of names) {
    const { calls } = await session.callers({ name });
    const places = calls.map(({ path, line }) => `${path}:${line}`).toSorted();
    answers.set(`callers of ${name}`, { places, scores: [] });
  }
  return answers;
}

/** Everything that a user sees of a hit, except its score. */
function placeOf({ path, lines, bestLine, symbol, text }: Hit): string {
  const best = bestLine === undefined ? "" : `${bestLine.line} ${bestLine.text}`;
  return JSON.stringify([path, lines, best, symbol?.name, text]);
}
