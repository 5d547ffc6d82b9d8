/** Subjects of commits as questions: each asks for the files of product code that its commit changed. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Task } from "../evaluation/metrics.ts";

/** The style of these questions. */
export const COMMIT = "commit";

/** About as many as a round of natural questions. */
const PER_REPOSITORY = 36;
const READ_COMMITS = 1_500;
/** A commit of more files has a subject about none of them. */
const MAX_FILES = 10;
const MAX_RIGHT = 4;
const WORDS = { least: 5, most: 18 };
const MAX_LOG_BYTES = 256 * 1024 * 1024;

const NO_CODE =
  /(?:^|\/)(?:tests?|specs?|__tests__|docs?|examples?|vendor|third_party|fixtures)\/|test[._]|[._](?:test|spec)[._]|\.(?:md|rst|txt|json|ya?ml|toml|lock|xml|po|ini|cfg|s?css|svg|snap|html|csproj|props|gradle|adoc)$/i;
const NO_TOPIC =
  /\b(?:merge|revert|bump|release|version|typo|changelog|lint|format|copyright|backport)\b/i;
const CONVENTIONAL_TYPE = /^(?:\[[^\]]*\]\s*)?(?:\w+(?:\([^)]*\))?!?:\s*)?/;
const REFERENCE = /\s*\(?#\d+\)?/g;

/** Evenly spaced among the newest commits. `log` is of `git log --name-only`, with a null byte before each subject. */
export function commitSubjects(repo: string, log: string, files: ReadonlySet<string>): Task[] {
  const all = log
    .split("\0")
    .slice(1)
    .flatMap((entry): Task[] => {
      const [subject = "", ...names] = entry.split("\n");
      const query = subject.replaceAll(REFERENCE, "").replace(CONVENTIONAL_TYPE, "").trim();
      const words = query.split(/\s+/).length;
      if (words < WORDS.least || words > WORDS.most || NO_TOPIC.test(query)) return [];
      const changed = names.filter((name) => name !== "");
      const right = changed.filter((path) => files.has(path) && !NO_CODE.test(path));
      if (changed.length > MAX_FILES || right.length === 0 || right.length > MAX_RIGHT) return [];
      const relevant = right.map((path) => ({ path }));
      const labels = { language: "", category: COMMIT, style: COMMIT, benchmark_root: null };
      return [{ id: `${repo}@${query}`, repo, query, relevant, secondary: [], ...labels }];
    });
  const distinct = [...new Map(all.map((task) => [task.query, task])).values()];
  const step = Math.max(1, distinct.length / PER_REPOSITORY);
  return distinct.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

/** The commits of the checkout `repos`/`repo`, at its own revision. */
export function readCommitSubjects(repos: string, repo: string): Task[] {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", join(repos, repo), "-c", "core.quotePath=false", ...args], {
      encoding: "utf8",
      maxBuffer: MAX_LOG_BYTES,
    });
  // Without the search for renames git needs no contents, which a partial clone may lack.
  const names = ["--name-only", "--no-renames", "--format=%x00%s"];
  const log = git("log", "--no-merges", `-n${READ_COMMITS}`, ...names);
  return commitSubjects(repo, log, new Set(git("ls-files").split("\n")));
}
