/** Watches a workspace: batches of paths that may have changed, and a switch of branch as a whole. */

import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import watcher from "@parcel/watcher";
import { messageOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { EXCLUDED_FOLDERS } from "./built-in-excludes.ts";
import type { IgnoreRules } from "./ignore-rules.ts";

export type Change =
  /** Relative paths of files and folders that came, changed or went. */
  | { readonly kind: "paths"; readonly paths: readonly string[] }
  /** Anything may have changed: ignore rules did, another commit was checked out, or events were lost. */
  | { readonly kind: "all" };

export interface Watching {
  dispose(): Promise<void>;
}

/** Long enough for an editor's save (write, rename, chmod) to be one batch, short enough not to be noticed. */
const QUIET_MS = 50;
/** A stream of changes without a pause is reported at least this often. */
const LATEST_MS = 500;
/** Where the system refuses to watch, everything is looked at this often. */
const POLL_MS = 10_000;

export async function watch(
  root: string,
  rules: IgnoreRules,
  onChange: (change: Change) => void,
  log: Log,
): Promise<Watching> {
  const batch = createBatch((paths) => {
    if (paths.some((path) => rules.isIgnoreFile(path))) {
      rules.refresh();
      onChange({ kind: "all" });
    } else onChange({ kind: "paths", paths });
  });
  try {
    const files = await watcher.subscribe(
      root,
      (error, events) => {
        if (error) {
          log.warn("events were lost", { root, error: messageOf(error) });
          onChange({ kind: "all" });
          return;
        }
        for (const { path } of events) {
          const inside = relative(root, path).replaceAll(sep, "/");
          if (isWatched(rules, inside)) batch.add(inside);
        }
      },
      { ignore: EXCLUDED_FOLDERS.map((folder) => `**/${folder.slice(0, -1)}`) },
    );
    const head = await watchHead(root, onChange, log);
    return {
      dispose: async () => {
        batch.dispose();
        for (const ended of await Promise.allSettled([files.unsubscribe(), head?.unsubscribe()])) {
          // A folder that was deleted meanwhile cannot be unwatched, and need not be.
          if (ended.status === "rejected")
            log.debug("not unwatched", { root, error: messageOf(ended.reason) });
        }
      },
    };
  } catch (error) {
    log.warn("the system does not watch the folder; it is looked at now and then", {
      root,
      error: messageOf(error),
    });
    const timer = setInterval(() => onChange({ kind: "all" }), POLL_MS);
    timer.unref();
    return { dispose: async () => clearInterval(timer) };
  }
}

/** What a rule leaves out is nobody's business, unless it is itself a rule. */
function isWatched(rules: IgnoreRules, path: string): boolean {
  if (path === "") return false;
  return rules.isIgnoreFile(path) || rules.decide(path, false) === undefined;
}

/** Git's HEAD, which the watched tree leaves out. Absent where the root is not a repository's top. */
async function watchHead(
  root: string,
  onChange: (change: Change) => void,
  log: Log,
): Promise<watcher.AsyncSubscription | undefined> {
  const git = join(root, ".git");
  const read = () => readFile(join(git, "HEAD"), "utf8").catch(() => undefined);
  let head = await read();
  if (head === undefined) return undefined;
  try {
    return await watcher.subscribe(
      git,
      () => {
        void read().then((now) => {
          if (now === undefined || now === head) return;
          head = now;
          onChange({ kind: "all" });
        });
      },
      { ignore: ["objects", "logs", "refs", "hooks", "lfs", "modules", "info", "worktrees"] },
    );
  } catch (error) {
    log.warn("HEAD is not watched", { root, error: messageOf(error) });
    return undefined;
  }
}

interface Batch {
  add(path: string): void;
  dispose(): void;
}

/** Collects paths until nothing was added for a moment, or the oldest has waited long enough. */
function createBatch(send: (paths: readonly string[]) => void): Batch {
  let paths = new Set<string>();
  let quiet: NodeJS.Timeout | undefined;
  let latest: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(quiet);
    clearTimeout(latest);
    latest = undefined;
    const sent = [...paths];
    paths = new Set();
    if (sent.length > 0) send(sent);
  };
  return {
    add: (path) => {
      paths.add(path);
      clearTimeout(quiet);
      quiet = setTimeout(flush, QUIET_MS);
      latest ??= setTimeout(flush, LATEST_MS);
    },
    dispose: () => {
      clearTimeout(quiet);
      clearTimeout(latest);
    },
  };
}
