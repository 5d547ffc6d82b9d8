/** What every command asks of the engine, prints, notes, and how it ends: read golden/conversations.txt. */

import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  SESSION_METHOD_NAMES,
  type SearchAnswer,
  type Session,
  type Status,
} from "../../server/contracts/session.ts";
import { callsOf } from "../support/calls.ts";
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
//- shop/query.txt
where is the pool?
second line
//- other/cocosearch.yaml
//- other/a.ts
//- bare/b.ts
`,
  );
  mkdirSync(join(made.root, "empty"));
  symlinkSync(root, join(made.root, "link"));
});
afterAll(() => made.remove());

type Question = readonly [
  args: string,
  session?: Partial<Session>,
  setting?: Omit<Setting, "session">,
];

/** Without what differs from run to run. */
function plain(text: string): string {
  return text
    .replaceAll(realpathSync(made.root), "/code")
    .replaceAll(import.meta.dirname, "/code/cli")
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
  return [head, ...asked, ...notes, "-- stdout", plain(out).trimEnd(), `-- exit ${code}`].join(
    "\n",
  );
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

const questions = (): Question[] => [
  ["search where is the pool"],
  ["search where is the pool", {}, { terminal: true }],
  ["search where is the pool", {}, { cwd: "shop/src" }],
  ["search pool --root ../shop", {}, { cwd: "other" }],
  ["search pool", {}, { cwd: "link" }],
  ["search pool --all --lines 0"],
  ["search pool --all --explain --lines 1"],
  ["search pool --vimgrep"],
  ["search pool --vimgrep --all", {}, { cwd: "shop/src/deep" }],
  ["search pool --files"],
  ["search pool --files --all"],
  ["search pool --count"],
  ["search pool --count --all"],
  ["search pool --count --files --all"],
  ["search pool --count", searching({ hits: hitsIn(root).slice(2) })],
  ["search pool --count", searching({ hits: [] })],
  ["search pool --count --json"],
  ["search pool --count --jsonl"],
  ["search pool --count --vimgrep"],
  ["search pool --files --json"],
  ["search pool --json", searching({ hits: [] })],
  ["search pool --jsonl", searching({ hits: hitsIn(root).slice(2, 3), related: related() })],
  ["search pool --jsonl", searching({ hits: [] })],
  ["search pool --related", searching({ related: related() })],
  ["search pool --related", searching({ related: [] })],
  ["search pool --context-before 2 --lines 0"],
  ["search pool --context-after 3"],
  [
    "search pool --limit 3 --lang py --lang go --type class --name get* --path src/** --min-score 0.5",
  ],
  ["search pool --changed-since main --semantic"],
  ["search pool --keyword"],
  ["search pool --hybrid --limit 200"],
  ["search pool --limit 201"],
  ["search pool --limit 0"],
  ["search pool --limit 1.5"],
  ["search pool --limit x"],
  ["search pool --hybrid --semantic"],
  ["search pool --json --vimgrep"],
  ["search pool --index shop --index two"],
  ["search pool --no-wait"],
  ["search --file query.txt"],
  ["search --file none.txt"],
  ["search --file query.txt more"],
  ["search -", {}, { input: "from a pipe\nand more" }],
  ["search -", searching({ hits: [] }), { input: "from a pipe\nand more" }],
  ["search -", {}, { input: new Uint8Array([0xff, 0xfe, 0x61, 0, 0x62, 0]) }],
  ["search -", {}, { input: new Uint8Array([0xfe, 0xff, 0, 0x61, 0, 0x62]) }],
  ["search -", {}, { input: new Uint8Array([0x61, 0xe4, 0x0a, 0xc3, 0xa4, 0x0a]) }],
  ["search -", {}, { input: new Uint8Array([0x61, 0, 0x62]) }],
  ["search -", {}, { input: "" }],
  ["search"],
  ["search pool", searching({ hits: [] })],
  ["search pool", searching({ hits: chance() })],
  ["search pool --index a --index b", searching({ hits: [] })],
  ["search pool", searching({ hits: [], state: "unavailable" })],
  [
    "search pool",
    searching({ hits: hitsIn(root).slice(0, 1), state: "unavailable", warnings: ["it is old"] }),
  ],
  ["search pool --semantic", searching({ hits: [], mode: "keyword" })],
  ["search pool", searching({ hits: [], mode: "keyword", state: "degraded" })],
  ["search pool", searching({ hits: chance(), mode: "keyword", state: "degraded" })],
  ["search pool --keyword", searching({ hits: [], mode: "keyword", state: "degraded" })],
  ["search pool", searching({ hits: [], state: "indexing", indexed: 1, total: 2 })],
  ["search pool", searching({ state: "indexing", indexed: 2, total: 2 })],
  [`search ${"long".repeat(30)}`, searching({ hits: [] })],
  ["search pool", { openFolders: async () => ["it is large"] }],
  ["search pool", { openFolders: async () => ["it is a home"], ...ofStatus({ state: "no-root" }) }],
  ["search pool --root ../none"],
  ["search pool --root query.txt"],
  ["search pool", { list: async () => [] }, { cwd: "bare" }],
  ["search pool --yes", { list: async () => [] }, { cwd: "bare" }],
  [
    "search pool",
    { list: async () => [{ ...RECORD, root: join(made.root, "bare") }] },
    { cwd: "bare" },
  ],
  ["search pool", { list: async () => [{ ...RECORD, root: made.root }] }, { cwd: "bare" }],
  ["similar src/pool.ts:10"],
  [
    "similar src/pool.ts:10:5 --lines 2 --limit 3 --lang py --path src/** --min-score 0.2 --explain",
  ],
  ["similar ../other/a.ts:1"],
  ["similar pool.ts:1 --no-wait", {}, { cwd: "shop/src" }],
  ["similar src/pool.ts:0"],
  ["similar src/pool.ts"],
  ["similar src/pool.ts:10 --json"],
  [
    "similar src/pool.ts:4",
    {
      similar: async () => ({
        ...ANSWER,
        hits: [],
        state: "indexing",
        indexed: 1,
        total: 4,
        subject: { root, path: "src/pool.ts", lines: { start: 3, end: 6 } },
      }),
    },
  ],
  ["analyze pool"],
  ["analyze pool", { analyze: async () => ({ ...ANALYSIS, hits: [] }) }],
  ["analyze pool --json --limit 2"],
  ["context how does it work"],
  [
    "context how --tokens 100 --format markdown --strategy depth --path a --lang go --index two --auto",
  ],
  ["context how", { context: async () => ({ ...CONTEXT, text: "", leftOut: 0 }) }],
  ["context how --index two", { context: async () => ({ ...CONTEXT, text: "", leftOut: 0 }) }],
  ["context how --auto", { context: async () => ({ ...CONTEXT, text: "", isSearched: false }) }],
  ["context how", { context: async () => ({ ...CONTEXT, state: "unavailable" }) }],
  ["context how --tokens 0"],
  ["context how --json"],
  ["history when were retries added"],
  ["history"],
  [
    "history --since 90d --until 2024-05-01 --author ada --path a --lang go --limit 3 --patch --pickaxe",
  ],
  ["history x --no-wait", ofHistory("reading")],
  ["history x", ofHistory("ready")],
  ["history", ofHistory("ready", { commits: 1 })],
  ["history x", ofHistory("off")],
  ["history x", ofHistory("unavailable", { reason: "no git" })],
  ["history x --since never"],
  ["history x --limit 0"],
  ["history x --json"],
  ["explain src/pool.ts:2-3"],
  ["explain src/pool.ts:2 --patch"],
  ["explain src/pool.ts"],
  ["explain src/pool.ts:0"],
  ["explain src/pool.ts:3-2"],
  ["explain src/pool.ts --json"],
  ["explain src/pool.ts", { explain: async () => ({ ...EXPLANATION, commits: [], origins: [] }) }],
  ["index"],
  ["index --full"],
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
  ["status"],
  ["status", { list: async () => [] }],
  ["status --json", ofStatus({ indexes: [] })],
  ["status --why src/pool.ts"],
  ["status --why src", { why: async () => "src is a folder; name a file in it" }],
  ["status --why none.ts", { why: async () => "none.ts does not exist" }],
  ["status --why src/pool.ts --json"],
  ["status --excluded"],
  ["status --excluded --json"],
  ["status --excluded", { excluded: async () => [] }],
  ["doctor"],
  ["doctor --json", { list: async () => [] }],
  ["doctor", { list: async () => [] }, { cwd: "bare" }],
  ["doctor", { whenIdle: () => Promise.reject(new Error("the model is not there")) }],
  ["doctor", { doctor: async () => [{ what: "store", ok: true, detail: "fine" }] }],
  ["list"],
  ["list --json"],
  ["list", { list: async () => [] }],
  ["clear"],
  ["clear", { list: async () => [] }],
  ["clear two --json"],
  ["clear two", { clear: async () => false }],
  ["clear --unused"],
  ["clear --unused", { list: async () => [RECORD, { ...RECORD, name: "gone", root: "/none" }] }],
  ["clear --unused --json", { list: async () => [{ ...RECORD, name: "gone", root: "/none" }] }],
  ["clear --unused", { list: async () => [{ ...RECORD, root: "/none", installation: "another" }] }],
  ["clear two --unused"],
  ["pause"],
  ["pause --json"],
  ["resume"],
  ["resume --json"],
  ["languages"],
  ["languages --json"],
  ["deps show src/pool.ts"],
  ["deps show src/pool.ts --type call --limit 3 --depth 2 --json"],
  ["deps tree src/pool.ts"],
  ["deps path src/pool.ts src/deep/cart.ts"],
  ["deps path src/pool.ts src/deep/cart.ts --json"],
  ["deps export", {}],
  ["deps export --candidates"],
  ["deps stats"],
  ["deps stats --limit 1"],
  ["deps stats a"],
  ["deps stats ./b/"],
  ["deps stats ."],
  ["deps stats ../..", {}, { cwd: "shop/src/deep" }],
  ["deps stats none"],
  ["deps stats ../other"],
  ["deps stats --limit -1"],
  ["deps show src/pool.ts --type uses"],
  ["deps tree src/pool.ts --depth 6"],
  ["impact src/pool.ts --diff"],
  ["impact src/pool.ts --depth 9"],
  ["impact src/pool.ts --limit 0"],
  ["callers pool --limit 0"],
  ["callees"],
  ["search x --context-before 2000"],
  ["search x --lines -1"],
  ["similar src/pool.ts:1 --lines few"],
  ["deps stats --json"],
  ["deps graph"],
  ["deps graph --format mermaid"],
  ["deps graph --format svg"],
  ["deps graph b --format svg"],
  ["deps graph none"],
  ["deps graph --json"],
  ["deps graph --format png"],
  ["deps impact src/pool.ts --depth 2 --limit 9"],
  ["impact --diff HEAD~1"],
  ["impact src/pool.ts --json"],
  ["impact --patch query.txt"],
  ["callers Pool.connect"],
  ["callees Pool.connect --limit 2"],
  ["callers none", { callers: async () => callsOf([]) }],
  ["callers Pool --json"],
  ["--help"],
  ["--version"],
  ["nothing"],
  ["serach pool"],
  ["status --nothing"],
  ["deps"],
  ..."search similar history explain index status pause resume analyze context list clear languages"
    .concat(" doctor helix-config demo impact deps callers callees completion man")
    .split(" ")
    .map((name): Question => [`${name} --help`]),
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

it("every command prints the recorded output", async () => {
  const said: string[] = [];
  // One after the other: each listens for interrupts of the process.
  for (const question of questions()) said.push(await converse(question));
  await expect(`${said.join("\n\n")}\n`).toMatchFileSnapshot(golden("conversations.txt"));
});
