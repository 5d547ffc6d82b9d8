/** The other commands: index, status, list, clear, doctor, demo. */

import { homedir } from "node:os";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { renderIndexed } from "../../server/cli/index-command.ts";
import type { Session } from "../../server/contracts/session.ts";
import { workspace } from "../support/workspace.ts";
import { ANSWER, INDEX, RECORD, run, STATUS } from "./run-cli.ts";

const HERE = ["--root", import.meta.dirname];
const status = () => Promise.resolve(STATUS);
const list = () => Promise.resolve([RECORD]);
const nothing = () => Promise.resolve([]);
/** The parts of the output that depend on the machine: the folder of these tests, and durations. */
const plain = (text: string) =>
  text.replaceAll(import.meta.dirname, "/shop").replaceAll(/after [\d.]+ \w+/g, "after 5 ms");

describe("index", () => {
  it("prints excluded rules only if a file is excluded", () => {
    const indexed = (excluded: Record<string, number>) => renderIndexed({ ...INDEX, excluded }, 5);
    expect(indexed({ binary: 3 })).toMatch(/\nexcluded 3 by binary$/);
    expect(indexed({})).not.toContain("left out");
  });

  it("indexes changed files, and everything with --full", async () => {
    const asked: unknown[] = [];
    const reindex = (options: unknown) => Promise.resolve(void asked.push(options));
    await run(["index", ...HERE], { session: { status, reindex } });
    await run(["index", "--full", ...HERE], { session: { status, reindex } });
    expect(asked).toEqual([{ onlyChanged: true }, { full: true }]);
  });

  it("suggests a remedy for an index of another model", async () => {
    const compatibility = { kind: "refresh", reason: "it was embedded with a" } as const;
    const indexes = [{ ...INDEX, compatibility }];
    const degraded = { ...STATUS, state: "degraded", reason: "a long story", indexes } as const;
    const session = { status: () => Promise.resolve(degraded) };
    const { code, err } = await run(["index", ...HERE], { session });
    expect(code).toBe(3);
    expect(err).toBe(
      "error: it was embedded with a\nrun cocosearch-lsp index --full, or configure the model that made the index\n",
    );
  });

  it("refuses folders that the engine does not index", async () => {
    const session: Partial<Session> = {
      openFolders: () => Promise.resolve(["/ is the whole disk and is not indexed"]),
      status: () => Promise.resolve({ ...STATUS, state: "no-root", indexes: [] }),
    };
    const { code, err } = await run(["index", "--root", "/"], { session });
    expect([code, err]).toEqual([2, "error: / is the whole disk and is not indexed\n"]);
  });
});

describe("status", () => {
  it("prints the state of index and engine", async () => {
    const { out, code } = await run(["status", ...HERE], { session: { status, list } });
    expect(plain(out)).toMatchInlineSnapshot(`
      "ready

      shop  /shop
        files    12 stored, 12 of 12 up to date
        chunks   1,234
        size     2.5 MB
        model    builtin
        commit   0123456789 on main, 2 commits behind
        history  0 commits
        parsed  ok  partial  error  no grammar
        python   9        1      0           2
        most parse errors
          legacy/old.py  12 % of the text could not be parsed, first in line 3
        excluded
          40  .gitignore:3 dist/
           2  binary

      engine  1.2.3, process 4321, 210.0 MB, 1 client
      store   /home/me/postgres (Postgres 18.6, pgvector 0.8.7)
      log     /home/me/engine.log
      "
    `);
    expect(code).toBe(0);
  });

  it("waits until files are compared, unless another client has the workspace open", async () => {
    let waits = 0;
    const whenIdle = async () => void waits++;
    for (const clients of [1, 2]) {
      const indexes = [{ ...INDEX, state: "indexing" as const, clients }];
      const found = async () => ({ ...STATUS, state: "indexing" as const, indexes });
      const { out } = await run(["status", ...HERE], {
        session: { status: found, list, whenIdle },
      });
      expect(out).toMatch(/^indexing\n/);
    }
    expect(waits).toBe(1);
  });

  it.each([
    ["/", "the whole disk"],
    [homedir(), "your home folder"],
  ])("does not suggest indexing %s", async (folder, what) => {
    const session = { status, list: nothing, doctor: async () => [] };
    const setting = { session, env: { PATH: NO_EDITORS } };
    for (const command of ["status", "doctor"]) {
      const { out, err } = await run([command, "--root", folder], setting);
      expect(`${out}${err}`).toContain(`is ${what} and is not indexed`);
      expect(`${out}${err}`).not.toContain(" index ");
    }
  });

  it("does not offer to index the whole disk", async () => {
    const { code, err } = await run(["search", "x"], { cwd: "/", session: { list: nothing } });
    expect(code).toBe(2);
    expect(err).toContain("/ is the whole disk and is not indexed; open a project folder");
  });

  it("does not start to index a new workspace", async () => {
    const openFolders = () => Promise.reject(new Error("opened"));
    const session = { status, list: nothing, openFolders };
    const { code, out, err } = await run(["status", ...HERE], { session });
    expect([code, out]).toEqual([1, ""]);
    expect(plain(err)).toBe("/shop is not indexed yet; run cocosearch-lsp index\n");
  });

  it("resolves --why files relative to the current folder and to the root", async () => {
    const why = (path: string) => Promise.resolve(`${path} is indexed`);
    for (const named of ["run-cli.ts", "cli/run-cli.ts"]) {
      const args = ["status", "--why", named, "--root", `${import.meta.dirname}/..`];
      const { out } = await run(args, { session: { why, status }, cwd: import.meta.dirname });
      expect(plain(out)).toBe("/shop/run-cli.ts is indexed\n");
    }
  });

  it("--excluded lists files and rules, but no content", async () => {
    const excluded = async () => [
      { path: ".env", rule: "secret file" },
      { path: "src/login.py", rule: "1 chunk with a secret left out" },
    ];
    const { out, code } = await run(["status", "--excluded", ...HERE], { session: { excluded } });
    expect([code, plain(out)]).toEqual([
      0,
      ".env          secret file\nsrc/login.py  1 chunk with a secret left out\n",
    ]);
    const none = await run(["status", "--excluded", ...HERE], {
      session: { excluded: async () => [] },
    });
    expect([none.code, none.out]).toEqual([1, ""]);
  });

  it("--excluded notes that its list is cut", async () => {
    const all = Array.from({ length: 20_000 }, (_, i) => ({ path: `${i}.log`, rule: "*.log" }));
    const check = async (length: number, expected: string) => {
      const excluded = async (_: string, limit: number) => all.slice(0, Math.min(limit, length));
      const { out, err } = await run(["status", "--excluded", ...HERE], { session: { excluded } });
      expect([out.trim().split("\n").length, err]).toEqual([10_000, expected]);
    };
    await check(10_000, "");
    await check(10_001, "note: only the first 10,000 files are shown\n");
  });
});

describe("list", () => {
  it("prints a table of the indexes", async () => {
    const { out, code } = await run(["list"], { session: { list } });
    expect(plain(out)).toMatchInlineSnapshot(`
      "name  state     updated           model    root
      shop  complete  2026-01-02 10:20  builtin  /shop
      "
    `);
    expect(code).toBe(0);
  });

  it("prints times in the local time zone", async () => {
    vi.stubEnv("TZ", "America/New_York");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { out } = await run(["list"], { session: { list } });
    expect(out).toContain("2026-01-02 05:20");
  });

  it("counts indexes of other installations, and lists them with --others", async () => {
    const foreign = { ...RECORD, name: "shop-1", installation: "another" } as const;
    const session = { list: () => Promise.resolve([RECORD, foreign]) };
    const own = await run(["list"], { session });
    expect(own.out).not.toContain("shop-1");
    expect(own.err).toBe(
      "1 index of other installations not shown; run cocosearch-lsp list --others\n",
    );
    const { out, err } = await run(["list", "--others"], { session });
    expect(plain(out)).toMatchInlineSnapshot(`
      "name    state     updated           model    installation  root
      shop    complete  2026-01-02 10:20  builtin  this one      /shop
      shop-1  complete  2026-01-02 10:20  builtin  another       /shop
      "
    `);
    expect(err).toBe("");
  });

  it("exits with 1 without an index", async () => {
    const { out, code } = await run(["list", "--json"], { session: { list: nothing } });
    expect([code, JSON.parse(out)]).toEqual([1, []]);
  });
});

describe("clear", () => {
  const clear = (name: string) => Promise.resolve(name === "shop");

  it("deletes every index of the workspace, also under earlier names", async () => {
    const cleared: string[] = [];
    const records = ["old", "shop"].map((name) => ({ ...RECORD, name }));
    const session: Partial<Session> = {
      list: () => Promise.resolve([{ ...RECORD, root: "/elsewhere" }, ...records]),
      clear: (name) => Promise.resolve(cleared.push(name) > 0),
    };
    const { out, code } = await run(["clear", "--json", ...HERE], { session });
    expect(code).toBe(0);
    expect([JSON.parse(out), cleared]).toEqual([{ cleared: ["old", "shop"] }, ["old", "shop"]]);
  });

  it("deletes the index of the workspace", async () => {
    const { out, code } = await run(["clear", ...HERE], { session: { list, clear } });
    expect([code, out]).toEqual([0, "deleted the index shop\n"]);
  });

  it("deletes an index by name", async () => {
    const { code } = await run(["clear", "shop", ...HERE], { session: { clear } });
    expect(code).toBe(0);
  });

  it("--unused deletes only indexes whose folder is missing", async () => {
    const cleared: string[] = [];
    const gone = { ...RECORD, name: "gone", root: "/no/such/folder" };
    const session: Partial<Session> = {
      status,
      list: () => Promise.resolve([{ ...RECORD, root: import.meta.dirname }, gone]),
      clear: (name) => Promise.resolve(cleared.push(name) > 0),
    };
    const { out, code } = await run(["clear", "--unused"], { session });
    expect([code, out, cleared]).toEqual([0, "deleted gone of /no/such/folder\n", ["gone"]]);
  });

  it.each(["another", "unknown"] as const)(
    "--unused deletes no index of %s installation",
    async (installation) => {
      const gone = { ...RECORD, root: "/no/such/folder", installation };
      const session = { list: () => Promise.resolve([gone]) };
      const { code, err } = await run(["clear", "--unused"], { session });
      expect([code, err]).toEqual([1, "the folder of every index exists\n"]);
    },
  );

  it("exits with 1 for a missing folder without an index", async () => {
    const { code, err } = await run(["clear", "--root", "/no/such"], { session: { list, clear } });
    expect([code, err]).toEqual([1, "/no/such has no stored index\n"]);
  });
});

describe("languages", () => {
  const languages: Session["languages"] = () =>
    Promise.resolve([
      {
        id: "go",
        aliases: ["golang"],
        files: ["*.go"],
        category: "implementation",
        grammar: "@vscode/tree-sitter-wasm@0.3.1",
        symbols: "query",
        graph: "calls",
      },
    ]);

  it("prints all fields with --json", async () => {
    const { out } = await run(["languages", "--json"], { session: { languages } });
    expect(JSON.parse(out)).toEqual(await languages());
  });
});

const NO_EDITORS = "/nowhere";

const indexedIn = (root: string) => () => Promise.resolve([{ ...RECORD, root }]);

describe("doctor", () => {
  it("notes that most editors do not recognize a folder without .git or cocosearch.yaml", async () => {
    const root = workspace();
    const session = { doctor: () => Promise.resolve([]), list: indexedIn(root) };
    const setting = { session, env: { PATH: NO_EDITORS } };
    const { out, code } = await run(["doctor", "--root", root], setting);
    expect(out).toContain(`note     root: ${root} has neither .git nor cocosearch.yaml`);
    expect(code).toBe(0);
  });
});

describe("demo", () => {
  it("indexes, searches, and suggests next commands with the program's name", async () => {
    const search = () => Promise.resolve(ANSWER);
    const env = { COCOSEARCH_PROGRAM: "./scripts/run" };
    const { out, err, code } = await run(["demo", ...HERE], { session: { status, search }, env });
    expect(plain(out)).toMatchInlineSnapshot(`
      "/shop: 12 files, 1,234 chunks, 2.5 MB stored, up to date after 5 ms
      excluded 40 by .gitignore:3 dist/, 2 by binary

      $ ./scripts/run search "how are stack frames in a bug report recognized" --path 'server/search/**' --limit 3

      src/pool.ts:11:1  function openPool  0.83 both
        10  /** Opens it. */
        11  function openPool(url: string): Pool {
        12      return new Pool(url);
        13  }

      Next
        ./scripts/run search "your question" --root DIR  search a repository of yours
        ./scripts/run search --help                      filters, JSON, explanations of the ranking
        ./scripts/run doctor --root DIR                  check the editors, the model and the store
        clients/                                         set up Neovim, Helix, Emacs, VS Code or Zed
      "
    `);
    expect(plain(err)).toBe("Indexing /shop\n");
    expect(code).toBe(0);
  });
});

it("`search` waits for files while no chunk waits for its vector", async () => {
  let isWaiting = true;
  let settle: () => void = () => undefined;
  const whenIdle = async () => {
    await new Promise<void>((resolve) => (settle = resolve));
    isWaiting = false;
  };
  const indexing = async () => {
    settle();
    return { ...STATUS, indexed: isWaiting ? 1 : STATUS.total };
  };
  const search = async () => {
    expect(isWaiting).toBe(false);
    return ANSWER;
  };
  const asked = ["search", "x", ...HERE];
  const { code, err } = await run(asked, { session: { status: indexing, whenIdle, search } });
  expect([code, err]).toEqual([0, ""]);
});

it("`search` does not wait for vectors", async () => {
  const pending = { ...STATUS, indexes: [{ ...INDEX, pending: 7 }] };
  const session: Partial<Session> = {
    status: () => Promise.resolve(pending),
    whenIdle: () => new Promise(() => undefined),
    search: () => Promise.resolve(ANSWER),
  };
  const { code, err } = await run(["search", "x", ...HERE], { session });
  expect(code).toBe(0);
  expect(err).toBe("note: 7 chunks not embedded yet; only keyword search finds these\n");
});
