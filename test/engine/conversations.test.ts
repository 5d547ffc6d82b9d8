/** Transcripts of session requests over a small repository in seven languages and its history; see the files in golden/. */

import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLog } from "../../server/common/log.ts";
import type { Hit } from "../../server/contracts/model.ts";
import type { CallEnd, NamePlace } from "../../server/contracts/navigation.ts";
import type { SearchRequest, Session } from "../../server/contracts/session.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { commitAll, git, initRepository, restartClock } from "../support/git.ts";
import { filesOf } from "../support/graph.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";
import { temporaryWorkspace, write } from "../support/workspace.ts";
import { CODE } from "./tea-shop.ts";

const golden = (name: string) => join(import.meta.dirname, "golden", name);

let made: ReturnType<typeof temporaryWorkspace>;
let session: Session;
/** The log entries of the engine. */
const entries: Readonly<Record<string, unknown>>[] = [];
const log = createLog((line) => void entries.push(JSON.parse(line)), "debug");
const begun = Date.now();
const { engine, dispose } = engineInProcess(log);
const shas: string[] = [];

beforeAll(async () => {
  made = temporaryWorkspace(CODE);
  restartClock();
  initRepository(made.root);
  shas.push(commitAll(made.root, "Begin with tea\n\nThe shop opens.\n\nSigned-off-by: Ada"));
  change("py/shop/pool.py", "    size = 3", "    size = 4\n    width = 5");
  shas.push(commitAll(made.root, "Widen the pool (#12)\n\nIt was *too* small,\nby one."));
  git(made.root, "mv", "web/log.ts", "web/say.ts");
  change("web/store.ts", "./log.ts", "./say.ts");
  shas.push(commitAll(made.root, "Name the log after what it does"));
  change("go/pot/more.go", "n * 2", "n + n");
  shas.push(commitAll(made.root, "Add instead of multiplying\n\nFixes #7"));
  git(made.root, "revert", "--no-edit", "HEAD");
  shas.push(git(made.root, "rev-parse", "HEAD"));
  git(made.root, "checkout", "-q", "-b", "side", "HEAD~2");
  change("py/shop/errors.py", "    pass", "    code = 5");
  shas.push(commitAll(made.root, "Give errors a code"));
  git(made.root, "checkout", "-q", "main");
  git(made.root, "cherry-pick", "side");
  git(made.root, "rm", "-q", "rb/app.rb");
  shas.push(commitAll(made.root, "Drop the app in Ruby"));
  write(made.root, `//- rb/app.rb\n${filesOf(CODE).get("rb/app.rb")}`);
  session = engine.session();
  await session.openFolders([made.root]);
  await session.whenIdle();
  for (;;) {
    const { history } = (await session.status()).indexes[0] ?? {};
    if (history?.state === "ready") break;
    await delay(20);
  }
});
/** The files as they are when the session opens them. */
function files(): Map<string, string> {
  const found = filesOf(CODE);
  const moved = found.get("web/log.ts") ?? "";
  found.delete("web/log.ts");
  found.delete("debug.log");
  return found.set("web/say.ts", moved);
}

let isEnded = false;
async function endAll(): Promise<void> {
  if (isEnded) return;
  isEnded = true;
  await session.dispose();
  await dispose();
  made.remove();
}
afterAll(endAll);

function change(path: string, from: string, to: string): void {
  const text = filesOf(CODE).get(path) ?? "";
  write(made.root, `//- ${path}\n${text.replace(from, to)}`);
}

/** Removes values that differ between runs or machines. */
function plain(value: unknown): string {
  const text = JSON.stringify(value, (_, one: unknown) =>
    typeof one === "number" && !Number.isInteger(one) ? Number(one.toFixed(2)) : one,
  );
  return text
    .replaceAll(made.root, "/code")
    .replaceAll(/\d+ (?:year|month|week|day)s? ago/g, "long ago");
}

const place = ({ root, path, line, lead, name }: NamePlace) =>
  `${relative(made.root, join(root, path))}:${line + 1}:${lead.length + 1} ${name}`;
const callEnd = (end: CallEnd) =>
  `${place(end)} (${end.kind} ${end.qualifiedName}, to line ${end.endLine + 1})`;

/** Every name of the code, with the answers to its requests. */
function names(): { path: string; line: number; column: number; chain: string }[] {
  return [...files()].flatMap(([path, text]) =>
    text.split("\n").flatMap((written, line) =>
      [...written.matchAll(/[A-Za-z_]\w*/g)].map(({ index, 0: name }) => {
        const before = /(?:\w+(?:\.|::))+$/.exec(written.slice(0, index))?.[0] ?? "";
        return { path, line, column: index, chain: `${before.replaceAll("::", ".")}${name}` };
      }),
    ),
  );
}

it("finds the callable definitions of every name, their callers and their callees", async () => {
  const lines: string[] = [];
  for (const { path, ...name } of names()) {
    const ends = await session.callEnds({ ...name, path: join(made.root, path) });
    if (ends.length === 0) continue;
    const at = `${path}:${name.line + 1}:${name.column + 1}`;
    lines.push(`${at} ${name.chain} = ${ends.map(callEnd).join(", ")}`);
    for (const end of ends) {
      if (end.path !== path || end.line !== name.line) continue;
      for (const direction of ["incoming", "outgoing"] as const) {
        const calls = await session.callsOfOne({ direction, end });
        lines.push(
          ...calls.map(
            ({ other, places }) =>
              `  ${direction} ${callEnd(other)} at ${places.map(place).join(", ")}`,
          ),
        );
      }
    }
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("names.txt"));
});

it("The session answers related, impact and path of every file", async () => {
  const lines: string[] = [];
  const code = [...files().keys()].filter((path) => /\.(?:ts|py|go|rs|rb|c|h|java)$/.test(path));
  for (const path of code) {
    const whole = join(made.root, path);
    lines.push(`== ${path}`);
    for (const direction of ["imports", "importedBy", "all"] as const)
      lines.push(
        `${direction} ${plain(await session.related({ path: whole, direction, hops: 2 }))}`,
      );
    lines.push(`impact ${plain(await session.impact({ paths: [whole] }))}`);
    for (const other of code) {
      const way = await session.dependencyPath({ from: whole, to: join(made.root, other) });
      if (way.length > 2) lines.push(`way ${way.join(" ")}`);
    }
  }
  for (const types of [["import"], ["call"], ["reference"]] as const)
    lines.push(
      plain(await session.related({ path: join(made.root, "web/store.ts"), types: [...types] })),
    );
  lines.push(plain(await session.related({ path: join(made.root, "web/store.ts"), limit: 1 })));
  for (const name of [
    "Pool.open",
    "open",
    "connect",
    "Store",
    "Store.add",
    "New",
    "fill",
    "pour",
    "brew",
    "nothing",
  ]) {
    lines.push(`callers ${name} ${plain((await session.callers({ name })).calls)}`);
    lines.push(`callees ${name} ${plain((await session.callees({ name, limit: 3 })).calls)}`);
  }
  const { edges, files: known, next } = await session.exportGraph(made.root, 0);
  lines.push(plain({ known, next }), ...edges.map(plain));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("dependencies.txt"));
});

it("The session answers history requests", async () => {
  const lines: string[] = [];
  const questions = [
    { query: "" },
    { query: "why was the pool widened" },
    { query: "multiply", limit: 2 },
    { query: '"n + n"', pickaxe: true },
    { query: "so what", pickaxe: true },
    { query: "log", paths: ["web/**"], patch: true },
    { query: "code", languages: ["python"] },
    { query: "errors", author: "ada" },
    { query: "errors", author: "bob" },
    { query: "tea", since: "2023-11-14T22:20:00Z" },
    { query: "tea", until: "2023-11-14T22:20:00Z" },
    { query: `what did ${shas[1]?.slice(0, 8)} do` },
    { query: "#12" },
  ];
  for (const question of questions) {
    const { commits, ...rest } = await session.history(question);
    lines.push(`== ${plain(question)}`, plain(rest));
    // Other tests check the scores.
    for (const { score: _, why: _why, ...commit } of commits) lines.push(plain(commit));
  }
  const ranges = [
    ["py/shop/pool.py", 0, 100],
    ["py/shop/pool.py", 12, 15],
    ["py/shop/pool.py", 13, 13],
    ["web/store.ts", 0, 4],
    ["web/say.ts", 0, 0],
    ["go/pot/more.go", 0, 9],
    ["py/shop/errors.py", 0, 1],
    ["rb/app.rb", 0, 9],
    ["debug.log", 0, 0],
    ["none.py", 0, 0],
    ["notes.md", 90, 99],
  ] as const;
  const explain = async ([path, start, end]: readonly [string, number, number]) => {
    const asked = session.explain({ path: join(made.root, path), lines: { start, end } });
    lines.push(
      `== ${path}:${start}-${end} ${plain(await asked.catch((error: Error) => error.message))}`,
    );
  };
  for (const range of ranges) await explain(range);
  const pool = filesOf(CODE).get("py/shop/pool.py") ?? "";
  await session.buffer(
    join(made.root, "py/shop/pool.py"),
    `# new\n\n${pool.replace("size = 3", "size = 4")}`,
  );
  for (const range of ranges.slice(0, 3)) await explain(range);
  await session.buffer(join(made.root, "py/shop/pool.py"), undefined);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("past.txt"));
});

it("The session answers symbol, similar, context and changed-since requests", async () => {
  const lines: string[] = [];
  const shown = (hits: readonly Hit[]) =>
    hits.map(
      ({ path, lines: { start, end }, symbol }) =>
        `  ${path}:${start + 1}-${end + 1} ${symbol?.name ?? ""}`,
    );
  for (const query of ["Pool", "pool.open", "sto", "fil", "Store.add", "connect", "zzz"]) {
    lines.push(`symbols ${query}`, ...shown(await session.symbols(query, 5)));
  }
  for (const [path, line] of [
    ["go/pot/pot.go", 6],
    ["java/app/tea/Pot.java", 2],
    ["py/shop/pool.py", 15],
    ["web/store.ts", 15],
    ["notes.md", 0],
  ] as const) {
    const { hits, subject } = await session.similar({ path: join(made.root, path), line });
    const { symbol, lines: own } = subject;
    lines.push(`similar to ${path}:${own.start + 1}-${own.end + 1} ${symbol?.name}`);
    lines.push(...shown(hits.slice(0, 4)));
  }
  const requests: SearchRequest[] = [
    { query: "open the pool", expand: {}, limit: 2 },
    { query: "open the pool", expand: { hops: 2 }, limit: 1 },
    { query: "tea", changedSince: shas[3] ?? "" },
    { query: "tea", changedSince: shas[4] ?? "", paths: ["go/**"] },
    { query: "pool", languages: ["go", "java"], limit: 3 },
    { query: "fill", symbolTypes: ["method"], limit: 3 },
    { query: "log", paths: ["!web/**"], limit: 3 },
  ];
  for (const request of requests) {
    const { hits, related = [], warnings } = await session.search(request);
    lines.push(`search ${plain(request)} ${plain(warnings)}`, ...shown(hits));
    lines.push(...related.map((one) => `  related ${plain(one)}`));
  }
  for (const path of ["web/none.ts", "web/store.ts"]) {
    const asked = session.similar({ path: join(made.root, path), line: 999 });
    lines.push(
      await asked.then(
        () => "found",
        (error: Error) => plain(error.message),
      ),
    );
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("found.txt"));
});

it("The session answers status, why and doctor", async () => {
  const lines: string[] = [];
  const { indexes, engine: _, ...rest } = await session.status();
  const [{ bytes: _bytes, name: _name, ...index } = {} as never] = indexes;
  lines.push(plain(rest), plain(index));
  for (const path of [
    "web/store.ts",
    "debug.log",
    "out",
    "none.ts",
    ".git/config",
    "notes.md",
    "py",
    "",
  ])
    lines.push(`why ${path}: ${plain(await session.why(join(made.root, path)))}`);
  lines.push(
    plain(await session.excluded(made.root, 10)),
    plain(await session.excluded(made.root, 1)),
  );
  const records = await session.list();
  lines.push(
    plain(
      records.map(({ root, state, modelId, dimension }) => ({ root, state, modelId, dimension })),
    ),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(golden("status.txt"));
});

it("The engine logs its passes with plausible times", async () => {
  const [first] = entries.filter(({ message }) => message === "indexed");
  const found = [...files().keys()].length;
  expect(first).toMatchObject({
    files: found,
    read: found,
    changed: found,
    removed: 0,
    secrets: 0,
  });
  const times = entries.flatMap(({ time, ...entry }) =>
    Object.entries(entry).flatMap(([name, ms]) => {
      if (!/^ms$|Ms$/.test(name)) return [];
      // Files are prepared in parallel, so their times are summed.
      const most = (Date.parse(String(time)) - begun + 2) * (name === "prepareMs" ? found : 1);
      return { name, ms: Number(ms), most };
    }),
  );
  expect(times.length).toBeGreaterThan(5);
  expect(times.filter(({ ms, most }) => !(ms >= 0 && ms <= most))).toEqual([]);
});

leaveNothingBehind(endAll);
