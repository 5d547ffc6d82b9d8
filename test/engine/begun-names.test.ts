/** A name that is half typed, in every door: the terminal, an editor's request, the tool of an agent. */

import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { SESSION_METHOD_NAMES, type SearchAnswer } from "../../server/contracts/session.ts";
import { RootedSession } from "../../server/mcp/rooted-session.ts";
import { run } from "../cli/run-cli.ts";
import { connectClient as connectEditor } from "../lsp/test-client.ts";
import { engineInProcess, type InProcessEngine, openedIn } from "../support/engine-in-process.ts";
import { connectClient as connectAgent } from "../support/linked-mcp-client.ts";
import { temporaryWorkspace } from "../support/workspace.ts";

/** The score is tested for chance in an index of a hundred chunks only. */
const OTHERS = Array.from(
  { length: 120 },
  (_, n) =>
    `//- src/shelf${n}.ts\nexport function fillShelf${n}(jars: number) {\n  return jars + ${n};\n}\n`,
);
const FILES = `
//- src/snapshots.ts
/** Where the jars were. */
export class JarSnapshotFilter {
  accepts(jar: string) {
    return jar !== "";
  }
}
${OTHERS.join("")}`;

let made: ReturnType<typeof temporaryWorkspace>;
let engine: InProcessEngine;

beforeAll(async () => {
  made = temporaryWorkspace(FILES);
  engine = engineInProcess();
  const session = engine.engine.session();
  await session.openFolders([made.root]);
  await session.whenIdle();
  await session.dispose();
});
afterAll(async () => {
  await engine.dispose();
  made.remove();
});

/** A beginning, the same in small letters, and abbreviations. */
const TYPED = ["JarSnap", "jarsnaps", "JaSnFi", "JSF"];
const NONSENSE = "wubzlqat";

describe("in the terminal", () => {
  const search = async (query: string) => {
    const opened = await openedIn(engine, made.root);
    const session = Object.fromEntries(
      SESSION_METHOD_NAMES.map((name) => [name, opened[name].bind(opened)]),
    );
    return await run(["search", query, "--root", made.root], { session, cwd: made.root });
  };
  it.each(TYPED)("%s finds the name", async (typed) => {
    const { code, out } = await search(typed);
    expect(code).toBe(0);
    expect(out).toMatch(/^src\/snapshots\.ts:2:\d+ +class JarSnapshotFilter/);
  });
  it("a nonsense word finds nothing", async () => {
    const { code, out, err } = await search(NONSENSE);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^nothing(?: better than chance)? found/m);
  });
});

describe("in an editor", () => {
  const search = async (query: string) => {
    const client = connectEditor(engine.engine.session());
    const uri = pathToFileURL(made.root).href;
    await client.start({ capabilities: {}, workspaceFolders: [{ uri, name: "shop" }] });
    const answer = await client.request("cocosearch/search", { query });
    return answer as Pick<SearchAnswer, "hits">;
  };
  it.each(TYPED)("%s finds the name", async (typed) => {
    const { hits } = await search(typed);
    expect(hits[0]).toMatchObject({ symbol: { name: "JarSnapshotFilter" }, relevance: "strong" });
  });
  it("a nonsense word finds nothing", async () => {
    const { hits } = await search(NONSENSE);
    expect(hits.filter(({ relevance }) => relevance !== "chance")).toEqual([]);
  });
});

describe("for an agent", () => {
  const search = async (query: string) => {
    const session = new RootedSession({
      connect: async () => engine.engine.session(),
      env: {},
      folder: made.root,
      isNamed: true,
      note: () => undefined,
    });
    const client = await connectAgent(session);
    onTestFinished(() => client.close());
    const { content } = await client.callTool({ name: "search_code", arguments: { query } });
    return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  };
  it.each(TYPED)("%s finds the name", async (typed) => {
    expect(await search(typed)).toMatch(/snapshots\.ts:\S+ class JarSnapshotFilter \(0\.\d+\)/);
  });
  it("a nonsense word finds nothing", async () => {
    expect(await search(NONSENSE)).not.toContain("JarSnapshotFilter");
  });
});
