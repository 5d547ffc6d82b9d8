/**
 * Requests, output, notes and exit codes of commands, in golden/conversations.txt. Other tests check the options and
 * formats of single commands.
 */

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  SESSION_METHOD_NAMES,
  type SearchAnswer,
  type Session,
  type Status,
} from "../../server/contracts/session.ts";
import { callsOf } from "../support/calls.ts";
import { NO_OCCURRENCES } from "../support/small-answers.ts";
import { temporaryWorkspace, write } from "../support/workspace.ts";
import { ANALYSIS, ANSWER, INDEX, RECORD, run, type Setting, STATUS } from "./run-cli.ts";
import { answersOf, CONTEXT, EXPLANATION, hitsIn, NEAR } from "./small-engine.ts";

const golden = (name: string) => join(import.meta.dirname, "golden", name);

let made: ReturnType<typeof temporaryWorkspace>;
let root = "";

beforeAll(() => {
  made = temporaryWorkspace();
  root = join(made.root, "shop");
  write(
    made.root,
    `
//- shop/cocosearch.yaml
//- shop/src/pool.ts
one
//- shop/src/deep/cart.ts
//- shop/a/one.ts
//- shop/b/x.ts
//- other/cocosearch.yaml
//- other/a.ts
//- bare/b.ts
`,
  );
});
afterAll(() => made.remove());

type Question = readonly [
  args: string,
  session?: Partial<Session>,
  setting?: Omit<Setting, "session">,
];

/** Without what differs from run to run or between machines, such as installed editors. */
function plain(text: string): string {
  return text
    .replaceAll(realpathSync(made.root), "/code")
    .replaceAll(import.meta.dirname, "/code/cli")
    .replaceAll(/^note {5}editor .*\n(?: {9}.*\n)*/gm, "")
    .replaceAll(/after \d+(?:\.\d+)? (?:ms|s)/g, "after TIME")
    .replaceAll("\u001b", "<ESC>");
}

async function converse([args, session = {}, setting = {}]: Question): Promise<string> {
  const asked: string[] = [];
  const recorded = Object.fromEntries(
    SESSION_METHOD_NAMES.map((name) => [
      name,
      (...given: unknown[]) => {
        if (!QUIET.has(name)) asked.push(`asks ${plain(JSON.stringify([name, ...given]))}`);
        const answer = { ...answersOf(root), ...session }[name];
        if (answer === undefined) throw new Error(`the test does not answer ${name}`);
        return Reflect.apply(answer, undefined, given);
      },
    ]),
  );
  const cwd = setting.cwd === undefined ? root : join(made.root, setting.cwd);
  const { code, out, err } = await run(args.split(" "), { ...setting, cwd, session: recorded });
  const notes = err === "" ? [] : [`-- stderr\n${plain(err).trimEnd()}`];
  const where = cwd === root ? "" : ` (in ${setting.cwd})`;
  const head = `== ${args}${where}${setting.terminal ? " (terminal)" : ""}`;
  const printed = out === "" ? [] : [`-- stdout\n${plain(out).trimEnd()}`];
  return [head, ...asked, ...notes, ...printed, `-- exit ${code}`].join("\n");
}

/** They are asked by nearly every command, and as often as it takes. */
const QUIET = new Set<string>(["configure", "status", "whenIdle", "list"]);

const searching = (more: Partial<SearchAnswer>): Partial<Session> => ({
  search: async () => ({ ...ANSWER, hits: hitsIn(root), ...more }),
});
const ofStatus = (more: Partial<Status>): Partial<Session> => ({
  status: async () => ({ ...STATUS, ...more }),
});
const related = () =>
  ["src/a.ts", "src/b.ts"].map((path, i) => ({ ...NEAR, root, path, dependent: i === 0 }));
const chance = () => hitsIn(root).slice(3);
const ofHistory = (
  state: "reading" | "unavailable" | "off" | "ready",
  more: object = {},
): Partial<Session> => ({
  history: async () => ({
    commits: [],
    history: { state, commits: 3, total: 9, ...more },
    warnings: [],
  }),
});

const similarTo = (): Partial<Session> => ({
  similar: async () => ({
    ...ANSWER,
    hits: [],
    state: "indexing",
    indexed: 1,
    total: 4,
    subject: { root, path: "src/pool.ts", lines: { start: 3, end: 6 } },
  }),
});

const questions = (): Question[] => [
  ["search where is the pool"],
  ["search where is the pool", {}, { terminal: true }],
  ["search pool --all --lines 0"],
  ["search pool --all --explain --lines 1"],
  ["search pool --vimgrep --all", {}, { cwd: "shop/src/deep" }],
  ["search pool --files --all"],
  ["search pool --count", searching({ hits: [] })],
  ["search pool --count --json"],
  ["search pool --json", searching({ hits: [] })],
  ["search pool --jsonl", searching({ hits: hitsIn(root).slice(2, 3), related: related() })],
  ["search pool --related", searching({ hits: hitsIn(root).slice(2, 3), related: related() })],
  ["search pool --related", searching({ hits: hitsIn(root).slice(2, 3), related: [] })],
  [
    "search pool --limit 3 --lang py --lang go --type class --name get* --path src/** --min-score 0.5",
    searching({ hits: [] }),
  ],
  ["search pool --changed-since main --semantic", searching({ hits: [] })],
  ["search pool --hybrid --limit 200", searching({ hits: [] })],
  ["search pool --limit 201"],
  ["search pool --limit x"],
  ["search pool --hybrid --semantic"],
  ["search --exact open"],
  ["search --exact open", {}, { terminal: true }],
  [
    "search retry after failure --regex async.*lock --ignore-case --path src/** --lang ts --limit 1000 --cursor 3.1205.abc",
  ],
  ["search --exact open --vimgrep", {}, { cwd: "shop/src/deep" }],
  ["search --exact open --jsonl"],
  ["search --exact open --files"],
  ["search --exact open --count"],
  ["search --exact open --count --files"],
  ["search --exact open --json", { occurrences: async () => NO_OCCURRENCES }],
  ["search --exact open", { occurrences: async () => NO_OCCURRENCES }],
  ["search --exact a --regex b"],
  ["search --exact open --type class"],
  ["search --exact open --terms evict"],
  ["search --exact open --limit 1001"],
  [`search --regex ${"a".repeat(1_001)}`],
  ["search --exact a\0b"],
  ["search --exact a\nb"],
  ["search --exact="],
  ["search pool --ignore-case"],
  ["search pool --cursor x"],
  ["search -", searching({ hits: [] }), { input: "from a pipe\nand more" }],
  ["search pool", searching({ hits: chance() })],
  ["search pool --index a --index b", searching({ hits: [] })],
  ["search pool", searching({ hits: [], state: "unavailable" })],
  [
    "search pool",
    searching({ hits: hitsIn(root).slice(0, 1), state: "unavailable", warnings: ["it is old"] }),
  ],
  ["search pool --semantic", searching({ hits: [], mode: "keyword" })],
  ["search pool", searching({ hits: [], mode: "keyword", state: "degraded" })],
  ["search pool", searching({ hits: [], state: "indexing", indexed: 1, total: 2 })],
  [`search ${"long".repeat(30)}`, searching({ hits: [] })],
  ["search pool", { openFolders: async () => ["it is a home"], ...ofStatus({ state: "no-root" }) }],
  ["search pool", { list: async () => [] }, { cwd: "bare" }],
  [
    "similar src/pool.ts:10:5 --lines 2 --limit 3 --lang py --path src/** --min-score 0.2 --explain",
  ],
  ["similar src/pool.ts:0"],
  ["similar src/pool.ts:4", similarTo()],
  ["similar src/pool.ts:4 --json", similarTo()],
  ["analyze pool"],
  ["analyze pool", { analyze: async () => ({ ...ANALYSIS, hits: [] }) }],
  ["context how does it work"],
  [
    "context how --tokens 100 --format markdown --strategy depth --path a --lang go --index two --auto",
  ],
  ["context how", { context: async () => ({ ...CONTEXT, text: "", leftOut: 0 }) }],
  ["context how --auto", { context: async () => ({ ...CONTEXT, text: "", isSearched: false }) }],
  ["context how", { context: async () => ({ ...CONTEXT, state: "unavailable" }) }],
  ["context how --tokens 0"],
  ["history when were retries added"],
  [
    "history --since 90d --until 2024-05-01 --author ada --path a --lang go --limit 3 --patch --pickaxe",
  ],
  ["history x --no-wait", ofHistory("reading")],
  ["history x", ofHistory("ready")],
  ["history x", ofHistory("off")],
  ["history x", ofHistory("unavailable", { reason: "no git" })],
  ["history x --since never"],
  ["history x --json"],
  ["explain src/pool.ts:2-3"],
  ["explain src/pool.ts:2 --patch"],
  ["explain src/pool.ts", { explain: async () => ({ ...EXPLANATION, commits: [], origins: [] }) }],
  ["index", ofStatus({ state: "degraded", reason: "no model" })],
  ["index", ofStatus({ state: "unavailable" })],
  [
    "index",
    ofStatus({
      state: "paused",
      indexes: [{ ...INDEX, state: "paused", reason: "indexing is off" }],
    }),
  ],
  ["index --json", ofStatus({ indexes: [] })],
  ["status --why src", { why: async () => "src is a folder; name a file in it" }],
  ["status --why none.ts", { why: async () => "none.ts does not exist" }],
  ["status --excluded --json"],
  ["doctor"],
  ["doctor", { list: async () => [] }, { cwd: "bare" }],
  ["doctor", { whenIdle: () => Promise.reject(new Error("the model is not there")) }],
  ["doctor", { doctor: async () => [{ what: "store", ok: true, detail: "fine" }] }],
  ["list", { list: async () => [] }],
  ["clear", { list: async () => [] }],
  ["clear two", { clear: async () => false }],
  ["clear --unused"],
  ["clear --unused --json", { list: async () => [{ ...RECORD, name: "gone", root: "/none" }] }],
  ["clear two --unused"],
  ["pause"],
  ["resume --json"],
  ["languages"],
  ["deps show src/pool.ts"],
  ["deps tree src/pool.ts"],
  ["deps path src/pool.ts src/deep/cart.ts"],
  ["deps stats"],
  ["deps stats ./b/"],
  ["deps stats none"],
  ["deps stats ../other"],
  ["deps show src/pool.ts --type uses"],
  ["deps tree src/pool.ts --depth 6"],
  ["impact src/pool.ts --depth 9"],
  ["callees"],
  ["search x --context-before 2000"],
  ["similar src/pool.ts:1 --lines few"],
  ["deps graph"],
  ["deps graph --format svg"],
  ["deps graph b --format svg"],
  ["deps graph none"],
  ["deps graph --json"],
  ["deps graph --format png"],
  ["callers Pool.connect"],
  ["callees Pool.connect --limit 2"],
  ["callers none", { callers: async () => callsOf([]) }],
  ["nothing"],
  ["serach pool"],
  ["status --nothing"],
];

it.each([
  [400, 0],
  [401, 2],
])("`deps graph` draws at most 400 files: %d", async (count, code) => {
  const files = Array.from({ length: count }, (_, i) => `f${i}.ts`);
  const edges = files.map((from, i) => ({
    kind: "import" as const,
    from,
    to: files[(i + 1) % count] ?? "",
    line: 0,
    confidence: 1,
    how: "relative",
  }));
  const said = await converse(["deps graph", { exportGraph: async () => ({ files, edges }) }]);
  expect(said).toMatch(new RegExp(`-- exit ${code}$`));
});

it("`doctor` waits until the index is idle", async () => {
  const asked: string[] = [];
  const settle = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    asked.push("settled");
  };
  const doctor = async () => {
    asked.push("examined");
    return [];
  };
  await converse(["doctor", { whenIdle: settle, doctor }]);
  expect(asked).toEqual(["settled", "examined"]);
});

it.each(
  "analyze pool,context how,doctor,explain src/pool.ts,status,status --why src/pool.ts,impact src/pool.ts,deps show src/pool.ts,deps path src/pool.ts src/deep/cart.ts,pause,similar src/pool.ts:1,clear two"
    .split(",")
    .map((command) => `${command} --json`),
)("`%s` prints one JSON document", async (args) => {
  const printed = /-- stdout\n(.*)\n-- exit \d$/s.exec(await converse([args]))?.[1] ?? "";
  expect(JSON.parse(printed)).toBeTypeOf("object");
});

it("A warning about an opened folder does not prevent a search", async () => {
  const openFolders = async () => ["it is large"];
  const said = await converse(["search pool", { openFolders }]);
  expect(said).toMatch(/-- stderr\nwarning: it is large\n-- stdout\n.*-- exit 0$/s);
});

it.each(["bare", ""])(
  "A folder is searched without --yes if it or its parent is indexed: %j",
  async (indexed) => {
    const list = async () => [{ ...RECORD, root: join(made.root, indexed) }];
    const said = await converse(["search pool", { list }, { cwd: "bare" }]);
    expect(said).toMatch(/-- exit 0$/);
  },
);

it("`impact --patch` reads a file", async () => {
  const said = await converse(["impact --patch src/pool.ts"]);
  expect(said).toContain('"diff":"one\\n"');
  expect(said).toMatch(/\n  pool_test\.ts +only a similar name\n/);
});

it("`resume` confirms in words", async () => {
  expect(await converse(["resume"])).toMatch(/-- stdout\n\w.*\n-- exit 0$/);
});

it("Every command prints the recorded output", async () => {
  const said: string[] = [];
  // One after the other: each listens for interrupts of the process.
  for (const question of questions()) said.push(await converse(question));
  await expect(`${said.join("\n\n")}\n`).toMatchFileSnapshot(golden("conversations.txt"));
});
