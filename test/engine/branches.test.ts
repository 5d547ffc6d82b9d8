/** Switching branches: going back prepares no file, and rows and answers equal a fresh index of the same files. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog, type Log } from "../../server/common/log.ts";
import type { Session } from "../../server/contracts/session.ts";
import type { Engine } from "../../server/engine/engine.ts";
import { copyEmptyDatabase } from "../support/empty-database.ts";
import { openEngine } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { commitAll, git, initRepository } from "../support/git.ts";
import { rowsIn } from "../support/rows.ts";
import { workspace, write } from "../support/workspace.ts";

/** Each test runs several engines. */
const TIMES = { timeout: 300_000 };
const QUESTIONS = ["weigh apples", "weigh_3", "kilogram", "pound", "count the pears", "sell"];

interface Pass {
  readonly changed: number;
  readonly takenBack: number;
  readonly prepareMs: number;
}

/** An engine over a database of its own, and what its passes did. */
function startEngine() {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-branches-"));
  const data = join(folder, "postgres");
  copyEmptyDatabase(data);
  const passes: Pass[] = [];
  const warnings: string[] = [];
  const log: Log = createLog((line) => {
    const entry = JSON.parse(line) as Pass & { readonly message: string; readonly level: string };
    if (entry.message === "indexed") passes.push(entry);
    if (entry.level !== "info") warnings.push(line);
  }, "info");
  const engines: Engine[] = [];
  const start = () => {
    const engine = openEngine(data, log);
    engines.push(engine);
    return engine;
  };
  const close = async () => {
    for (const engine of engines.splice(0)) await engine.close();
  };
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  /** The rows of the closed engine. */
  const rows = async () => {
    await close();
    return await rowsIn(data);
  };
  return { start, close, passes, warnings, rows };
}

async function opened(engine: Engine, root: string): Promise<Session> {
  const session = engine.session();
  await session.openFolders([root]);
  await session.whenIdle();
  return session;
}

/** Rankings with scores, callers and the graph's answers. */
async function answersOf(session: Session) {
  // First, since hits have the number of importers once the graph is resolved.
  const callers = await session.callers({ name: "weigh_3" });
  const related = await session.related({ path: "user.py" });
  const found = [];
  for (const query of QUESTIONS)
    found.push((await session.search({ query, minScore: 0, limit: 20, includeText: true })).hits);
  return JSON.parse(JSON.stringify({ found, callers, related })) as unknown;
}

/** Another engine, which has never seen another state of these files. */
async function expectAsFresh(
  session: Session,
  used: ReturnType<typeof startEngine>,
  root: string,
): Promise<void> {
  const fresh = startEngine();
  const answers = await answersOf(session);
  expect(answers).toEqual(await answersOf(await opened(fresh.start(), root)));
  expect(await used.rows()).toEqual(await fresh.rows());
  expect(used.warnings).toEqual([]);
}

const fileOf = (number: number, unit: string) =>
  `//- weigh_${number}.py\ndef weigh_${number}(apples):\n    """Weighs apples by the ${unit}."""\n    return apples * ${number}\n`;
/** Longer than the least limit of the size of files. */
const longFile = (unit: string) => `//- long.py\nUNITS = "${` ${unit}`.repeat(200)}"\n`;
const NUMBERS = Array.from({ length: 20 }, (_, number) => number);
const FILES = `${NUMBERS.map((number) => fileOf(number, "pound")).join("")}${longFile("pound")}//- user.py
from weigh_3 import weigh_3
def sell(apples):
    return weigh_3(apples)
//- gone.py
def count_pears():
    """Count the pears."""
    return 7
`;

/** A repository with the branches `main` and `other`; `main` is checked out. */
function shop(): string {
  const root = workspace(FILES);
  initRepository(root);
  commitAll(root, "Sell apples by the pound");
  git(root, "checkout", "-q", "-b", "other");
  write(root, NUMBERS.map((number) => fileOf(number, "kilogram")).join(""));
  write(root, longFile("kilogram"));
  write(root, "//- added.py\ndef sell_pears(pears):\n    return len(pears)\n");
  rmSync(join(root, "gone.py"));
  commitAll(root, "Sell apples by the kilogram");
  git(root, "checkout", "-q", "main");
  return root;
}

/** A shop whose other branch was indexed by a second engine. `main` is checked out again, and no engine runs. */
async function wentAway() {
  const root = shop();
  const used = startEngine();
  await opened(used.start(), root);
  await used.close();
  git(root, "checkout", "-q", "other");
  await opened(used.start(), root);
  await used.close();
  git(root, "checkout", "-q", "main");
  return { root, used };
}

describe("After a switch to another branch and back", () => {
  /** Once the watcher has reported everything, and all of it is indexed. */
  const settled = async (session: Session, query: string, files: number) => {
    await eventually(async () => {
      const { hits } = await session.search({ query, includeText: true });
      expect(hits[0]?.text).toContain(query);
      expect((await session.status()).indexes[0]).toMatchObject({ files });
    });
    await session.reindex({});
    await session.whenIdle();
  };

  it("no file is prepared, and the index equals a fresh one", TIMES, async () => {
    const root = shop();
    const used = startEngine();
    const session = await opened(used.start(), root);
    git(root, "checkout", "-q", "other");
    await settled(session, "kilogram", 23);
    const before = used.passes.length;
    git(root, "checkout", "-q", "main");
    await settled(session, "pound", 23);
    const back = used.passes.slice(before);
    expect(back.reduce((sum, { takenBack }) => sum + takenBack, 0)).toBe(22);
    expect(back.every(({ changed, takenBack }) => changed === takenBack)).toBe(true);
    await expectAsFresh(session, used, root);
  });

  it("rows are taken back also if the engine was closed in between", TIMES, async () => {
    const { root, used } = await wentAway();
    const session = await opened(used.start(), root);
    expect(used.passes.at(-1)).toMatchObject({ changed: 22, takenBack: 22 });
    await expectAsFresh(session, used, root);
  });

  it("a file above the size limit of now is not taken back", TIMES, async () => {
    const { root, used } = await wentAway();
    write(root, "//- cocosearch.yaml\nindexing:\n  maxFileBytes: 1000\n");
    const session = await opened(used.start(), root);
    expect(used.passes.at(-1)).toMatchObject({ changed: 22, takenBack: 21 });
    expect((await session.status()).indexes[0]).toMatchObject({ files: 23 });
  });
});

type Step =
  | { readonly kind: "switch"; readonly branch: string }
  | { readonly kind: "write"; readonly number: number; readonly unit: string }
  | { readonly kind: "delete"; readonly number: number }
  | { readonly kind: "restart" };

const NUMBER = fc.integer({ min: 0, max: 9 });
const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("switch" as const), branch: fc.constantFrom("main", "other") }),
  fc.record({
    kind: fc.constant("write" as const),
    number: NUMBER,
    unit: fc.constantFrom("pound", "kilogram", "stone"),
  }),
  fc.record({ kind: fc.constant("delete" as const), number: NUMBER }),
  fc.record({ kind: fc.constant("restart" as const) }),
);

it(
  "Any edits, deletions, switches and restarts end in the rows and answers of a fresh index",
  TIMES,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 6 }), async (steps) => {
        const root = shop();
        const used = startEngine();
        let session = await opened(used.start(), root);
        for (const step of steps) {
          if (step.kind === "switch") git(root, "checkout", "-q", "-f", step.branch);
          else if (step.kind === "write") write(root, fileOf(step.number, step.unit));
          else if (step.kind === "delete")
            rmSync(join(root, `weigh_${step.number}.py`), { force: true });
          else {
            await used.close();
            session = await opened(used.start(), root);
          }
          await session.reindex({});
          await session.whenIdle();
        }
        await expectAsFresh(session, used, root);
      }),
      { numRuns: 2 },
    );
  },
);
