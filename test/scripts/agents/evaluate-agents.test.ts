/** `npm run evaluate-agents` as a whole: a scripted agent, the built context server, and a repository with other names. */

import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Outcome, readOutcomes } from "../../../scripts/agents/outcome.ts";
import { MAIN } from "../../../scripts/editor.ts";
import { eventually } from "../../support/eventually.ts";
import { commitAll, initRepository } from "../../support/git.ts";
import { write } from "../../support/workspace.ts";

const SCRIPT = resolve(import.meta.dirname, "../../../scripts/evaluate-agents.ts");
const SCRIPTED = `'${process.execPath}' '${join(import.meta.dirname, "scripted-agent.mjs")}'`;

const folder = mkdtempSync(join(tmpdir(), "cocosearch-agents-"));
const clone = join(folder, "clones", "kestrel");
const work = join(folder, "work");
let commit = "";

beforeAll(() => {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing; run npm run build`);
  write(
    clone,
    `
//- kestrel/pool.py
"""Lends connections."""


def borrow_link(pool):
    """Waits until a connection is given back, and hands it out to the next in line."""
    while not pool.idle_links:
        pool.wait_turn()
    return pool.idle_links.pop()
//- kestrel/crawl.py
from kestrel.pool import borrow_link


def crawl_site(pool):
    link = (
        borrow_link(pool)
    )
    return link


def crawl_all(pool):
    for _ in range(3):
        borrow_link(pool)
`,
  );
  initRepository(clone);
  commitAll(clone, "Lend connections");
  write(clone, "//- kestrel/limits.py\n# Servers refuse more.\nMOST_LINKS = 8\n");
  commit = commitAll(clone, "Allow eight connections, since servers refuse a ninth");
  save("repositories", [{ name: "makers/kestrel", commit, identity: ["kestrel"] }]);
  save(
    "tasks",
    TASKS.map((task) => (task.kind === "why" ? { ...task, commit } : task)),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const place = (path: string, startLine: number, endLine = startLine) => ({
  path,
  startLine,
  endLine,
});

const TASKS = [
  {
    id: "wait",
    kind: "find",
    first: "conceptual",
    text: "Where does a caller queue for a connection to be given back?",
    places: [place("kestrel/pool.py", 4, 8)],
  },
  {
    id: "calls",
    kind: "list",
    first: "literal",
    text: "List each line that calls `borrow_link`.",
    places: [place("kestrel/crawl.py", 6), place("kestrel/crawl.py", 13)],
    neutral: [place("kestrel/pool.py", 4)],
    grep: { pattern: "(?<!\\w)borrow_link\\(", paths: ["*.py"] },
  },
  {
    id: "eight",
    kind: "why",
    first: "conceptual",
    text: "Why is the limit in kestrel/limits.py:2 eight?",
    places: [place("kestrel/limits.py", 2)],
  },
].map((task) => ({ ...task, repository: "makers/kestrel" }));

function save(name: string, value: unknown): void {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
}

interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function evaluate(command: string | undefined, ...more: readonly string[]): Promise<Printed> {
  const options = {
    clones: join(folder, "clones"),
    work,
    tasks: join(folder, "tasks.json"),
    repositories: join(folder, "repositories.json"),
    rename: "7",
  };
  const named = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const args = ["--import", "tsx", SCRIPT, ...named, ...more];
  const { AGENT_COMMAND: _, ...env } = process.env;
  if (command !== undefined) env["AGENT_COMMAND"] = command;
  return new Promise((done) => {
    // The last of two equal options counts.
    execFile(process.execPath, args, { env }, (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

const runFile = (name: string) => join(folder, `${name}.jsonl`);

/** By task and arm. */
function outcomesIn(name: string): Map<string, Outcome> {
  return new Map(readOutcomes(runFile(name)).map((each) => [`${each.task} ${each.arm}`, each]));
}

const row = (out: string, start: string) =>
  out
    .split("\n")
    .find((line) => line.startsWith(start))
    ?.replace(/(?:\| [^|]*){2}\|$/, "|");

describe("a scripted agent", { tags: ["slow"] }, () => {
  it("finds the tasks right in both trees", async () => {
    const { code, out } = await evaluate(undefined, "--check");
    expect({ code, out }).toEqual({ code: 0, out: "3 tasks, 0 problems\n" });
  });

  it("calls the real tools, whose figures are printed", async () => {
    const { code, out, err } = await evaluate(
      SCRIPTED,
      "--parallel",
      "3",
      "--out",
      runFile("good"),
    );
    expect({ code, err }).toMatchObject({ code: 0 });
    const outcomes = outcomesIn("good");
    const tools = (key: string) => outcomes.get(key)?.calls.map(({ tool }) => tool);
    expect(tools("wait with")).toEqual(["search_code"]);
    expect(tools("calls with")).toEqual(["search_code"]);
    expect(tools("eight with")).toEqual(["explain_change"]);
    expect(tools("calls without")).toEqual(["grep_files"]);
    expect(tools("eight without")).toEqual(["git_history"]);
    expect([...outcomes.values()].filter(({ isRight }) => isRight).length).toBe(6);
    expect(tools("wait without")).toEqual(["grep_files", "read_file", "read_file"]);
    expect(row(out, "| all | with |")).toBe("| all | with | 3 | 1.00 | 1.00 | 1.00 |");
    expect(out).toContain("| conceptual | 2 | 2 | 100 % |");
    expect(out).toContain("| literal | 1 | 1 | 100 % |");
    expect(out).not.toContain("no answer");
  });

  it("saw other names, and notes its calls and the texts that it saw", async () => {
    const calls = outcomesIn("good").get("calls with");
    const [input] = calls?.calls.map((call) => call.arguments as { exact: string }) ?? [];
    expect(input?.exact).toMatch(/^\w+\($/);
    expect(input?.exact).not.toBe("borrow_link(");
    expect(calls?.places.map(({ path }) => path).join()).not.toContain("kestrel");
    const lines = readFileSync(runFile("good"), "utf8").trim().split("\n");
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed[0]?.["instructions"]).toContain("Searches the code");
    expect(parsed.filter(({ call }) => call !== undefined).length).toBe(
      [...outcomesIn("good").values()].flatMap((each) => each.calls).length,
    );
  });

  it("is not run again for a task that has ended", async () => {
    const before = readFileSync(runFile("good"), "utf8");
    const { code, out } = await evaluate(
      "exit 9",
      "--out",
      runFile("good"),
      "--compare",
      runFile("good"),
    );
    expect(code).toBe(0);
    expect(readFileSync(runFile("good"), "utf8")).toBe(before);
    expect(out).toContain("| with | 3 | 0.00 ± 0.00 |");
    const report = await evaluate(undefined, "--report", "--out", runFile("good"));
    expect(out.startsWith(report.out.trimEnd())).toBe(true);
  });
});

/** The behavior of a failing agent, and the name of its outcome. */
const BAD = {
  error: { does: "echo no key >&2; exit 3", fault: "exit", detail: "3: no key" },
  prose: { does: "echo It is in pool.py.", fault: "no answer", detail: "It is in pool.py." },
  half: { does: `echo '{"places": [{"path":'`, fault: "no answer", detail: '{"places": [{"path":' },
  missing: { does: "no-such-agent", fault: "exit", detail: "127: " },
  endless: { does: "sleep 100 & wait", fault: "timeout", detail: "15000 ms" },
};

describe("a bad agent", { tags: ["slow"] }, () => {
  let out = "";
  beforeAll(async () => {
    const [task] = TASKS;
    const ids = [...Object.keys(BAD), "other-arm"];
    save(
      "bad",
      ids.map((id) => ({ ...task, id })),
    );
    const cases = Object.entries(BAD).map(([id, { does }]) => `${id}-*) ${does};;`);
    const other = `search_code '{"query":"pool"}' || grep_files pool || echo '{"places":[]}'`;
    const command = `case "$TASK_NAME" in ${cases.join(" ")} *) ${other};; esac`;
    const options = ["--tasks", join(folder, "bad.json"), "--arms", "without", "--parallel", "3"];
    const run = await evaluate(command, ...options, "--seconds", "15", "--out", runFile("bad"));
    if (run.code !== 0) throw new Error(run.err);
    out = run.out;
  });

  it.each(Object.entries(BAD))("is wrong, and named: %s", (id, { fault, detail }) => {
    const outcome = outcomesIn("bad").get(`${id} without`);
    expect(outcome).toMatchObject({ fault, isRight: false, recall: 0, places: [], calls: [] });
    expect(outcome?.detail).toContain(detail);
    expect(out).toContain(`no answer: ${id} (without): ${fault}: `);
  });

  it("cannot call tools that its arm lacks", () => {
    const outcome = outcomesIn("bad").get("other-arm without");
    expect(outcome).toMatchObject({ places: [], isRight: false });
    expect(outcome?.fault).toBeUndefined();
    expect(outcome?.calls).toMatchObject([
      { tool: "grep_files", arguments: "pool", isError: true },
    ]);
  });

  it("is asked for", async () => {
    const { code, err } = await evaluate(undefined);
    expect({ code, usage: err.includes("usage: AGENT_COMMAND") }).toEqual({ code: 2, usage: true });
  });
});

it("The queue passes prompts on, and takes the answers", { tags: ["slow"] }, async () => {
  const queue = join(folder, "queue");
  const command = `'${process.execPath}' "$HARNESS/scripts/agents/queue-agent.mjs" '${queue}'`;
  const options = [
    "--only",
    "wait,calls",
    "--arms",
    "without",
    "--parallel",
    "2",
    "--seconds",
    "60",
  ];
  const run = evaluate(command, ...options, "--out", runFile("queue"));
  const prompts = () =>
    existsSync(queue) ? readdirSync(queue).filter((name) => name.endsWith(".prompt")) : [];
  await eventually(() => expect(prompts().toSorted()).toEqual(["1.prompt", "2.prompt"]));
  for (const name of prompts()) {
    const prompt = readFileSync(join(queue, name), "utf8");
    const [, cd = ""] = /^Before each command: (.*)$/m.exec(prompt) ?? [];
    const listed = execFileSync("sh", ["-c", `${cd} && list_files '{}'`], { encoding: "utf8" });
    const path = listed.split("\n").find((each) => each.includes("/")) ?? "";
    const part = join(queue, `${name}.mine`);
    writeFileSync(part, JSON.stringify({ places: [{ path, startLine: 1 }] }));
    renameSync(part, join(queue, name.replace("prompt", "answer")));
  }
  expect((await run).code).toBe(0);
  const outcomes = [...outcomesIn("queue").values()];
  expect(outcomes.map(({ calls }) => calls.map(({ tool }) => tool))).toEqual([
    ["list_files"],
    ["list_files"],
  ]);
  expect(outcomes.every(({ places, fault }) => places.length === 1 && fault === undefined)).toBe(
    true,
  );
});
