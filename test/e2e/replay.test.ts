/**
 * Zed and VS Code, which no test can run: the traffic that their sources say they send, and of the answers what
 * their own filters let a user see.
 */

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ClientCapabilities, SymbolInformation } from "vscode-languageserver/node";
import { type TestEngine, testEngine } from "../support/engine.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { SHOP } from "../support/shops.ts";
import { write } from "../support/workspace.ts";

/** Each editor starts a server and an engine; on a busy machine that alone takes a while. */

const QUESTION = "where are receipts sent to the customer";

interface Seen {
  readonly label: string;
  readonly detail: string;
}

interface Shown {
  readonly actions: readonly string[];
  readonly uri: string;
  readonly line: number;
}

interface Editor {
  readonly server: LspClient;
  /** The list in the symbol picker after the last of these keys. */
  types(query: string): Promise<Seen[]>;
  /** Runs our search with a plain string and picks the first item; returns the items and the place that was opened. */
  commands(question: string): Promise<Shown>;
}

/** Case-insensitive subsequence match: the condition for a label in both editors, independent of the score. */
function isSubsequence(query: string, label: string): boolean {
  let rest = label.toLowerCase();
  for (const character of query.toLowerCase()) {
    const at = rest.indexOf(character);
    if (at < 0) return false;
    rest = rest.slice(at + character.length);
  }
  return true;
}

/** Consecutive letters count more. Only ties and single matches are asserted, so that the exact weights do not matter. */
function scoreOf(query: string, label: string): number {
  if (query === "") return 0;
  return label.toLowerCase().includes(query.toLowerCase()) ? 2 : 1;
}

const byLabel = (a: Seen, b: Seen) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0);

function byScore(query: string): (a: Seen, b: Seen) => number {
  return (a, b) => scoreOf(query, b.label) - scoreOf(query, a.label) || byLabel(a, b);
}

const pathOf = (uri: string) => uri.split("/").slice(-2).join("/");

/** project_symbols.rs: filters by the part behind the last `::`, sorts by score, then alphabetically. */
function seenInZed(query: string, symbols: readonly SymbolInformation[]): Seen[] {
  const filter = query.split("::").at(-1) ?? "";
  return symbols
    .map(({ name, location }) => ({ label: name, detail: pathOf(location.uri) }))
    .filter(({ label }) => isSubsequence(filter, label))
    .toSorted(byScore(filter));
}

/** symbolsQuickAccess.ts: the first word must be in the label, or all of them; the others in container and path. */
function seenInVSCode(query: string, symbols: readonly SymbolInformation[]): Seen[] {
  const [first = "", ...others] = query.split(" ").filter((word) => word !== "");
  return symbols
    .map(({ name, containerName, location }) => ({
      label: name,
      detail: `${containerName} • ${pathOf(location.uri)}`,
    }))
    .filter(({ label, detail }) => {
      if ([first, ...others].every((word) => isSubsequence(word, label))) return true;
      return isSubsequence(first, label) && others.every((word) => isSubsequence(word, detail));
    })
    .toSorted(byScore(first));
}

interface Behavior {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly capabilities: ClientCapabilities;
  /** The queries that the editor sends while a user types this text. */
  sends(query: string): readonly string[];
  sees(query: string, symbols: readonly SymbolInformation[]): Seen[];
}

/** lsp.rs, with the change that lets servers show documents. */
const ZED: Behavior = {
  clientInfo: { name: "Zed", version: "1.0.0" },
  capabilities: {
    general: { positionEncodings: ["utf-16"] },
    workspace: {
      configuration: true,
      workspaceFolders: true,
      didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
      symbol: { dynamicRegistration: true },
      executeCommand: { dynamicRegistration: true },
    },
    window: { workDoneProgress: true, showMessage: {}, showDocument: { support: true } },
  },
  // Each keystroke at once, beginning with none.
  sends: (query) => Array.from({ length: query.length + 1 }, (_, end) => query.slice(0, end)),
  sees: seenInZed,
};

/** vscode-languageclient. */
const VSCODE: Behavior = {
  clientInfo: { name: "Visual Studio Code", version: "1.110.0" },
  capabilities: {
    general: { positionEncodings: ["utf-16"] },
    workspace: {
      configuration: true,
      workspaceFolders: true,
      didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
      symbol: { dynamicRegistration: true, resolveSupport: { properties: ["location.range"] } },
      executeCommand: { dynamicRegistration: true },
    },
    window: {
      workDoneProgress: true,
      showMessage: { messageActionItem: { additionalPropertiesSupport: true } },
      showDocument: { support: true },
    },
  },
  // Only the first word, after the user stops typing.
  sends: (query) => [query.split(" ")[0] ?? ""],
  sees: seenInVSCode,
};

async function start(
  { clientInfo, capabilities, sends, sees }: Behavior,
  engine: TestEngine,
  root: string,
): Promise<Editor> {
  const server = startServer(engine.env);
  const { connection } = server;
  const offered: string[] = [];
  let show: (shown: Shown) => void = () => undefined;
  connection.onRequest("workspace/configuration", ({ items }: { items: unknown[] }) =>
    items.map(() => null),
  );
  connection.onRequest(
    "window/showMessageRequest",
    ({ actions }: { actions: { title: string }[] }) => {
      offered.push(...actions.map(({ title }) => title));
      return actions[0] ?? null;
    },
  );
  connection.onRequest(
    "window/showDocument",
    ({ uri, selection }: { uri: string; selection: { start: { line: number } } }) => {
      show({ actions: offered, uri, line: selection.start.line });
      return { success: true };
    },
  );
  const { capabilities: offers } = await server.initialize(root, {
    clientInfo,
    capabilities,
  });
  // Both editors read the commands here.
  expect(offers.executeCommandProvider?.commands).toContain("cocosearch.search");
  await server.progressEnded();
  return {
    server,
    types: async (query) => {
      const answers = await Promise.all(sends(query).map((sent) => server.symbols(sent)));
      return sees(query, answers.at(-1) ?? []);
    },
    commands: async (question) => {
      const shown = new Promise<Shown>((resolve) => {
        show = resolve;
      });
      const call = { command: "cocosearch.search", arguments: [question] };
      await connection.sendRequest("workspace/executeCommand", call);
      return await shown;
    },
  };
}

/** The editor in front of an indexed shop, for all tests of a block. */
function started(behavior: Behavior): () => Editor {
  let engine: TestEngine;
  let editor: Editor;
  let root: string;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-replay-")));
    write(root, SHOP);
    engine = testEngine();
    editor = await start(behavior, engine, root);
  });
  afterAll(async () => {
    await editor.server.shutdown();
    await engine.dispose();
    rmSync(root, { recursive: true });
  });
  return () => editor;
}

function checkOffered({ actions, uri, line }: Shown): void {
  expect(actions[0]).toBe("1. SendReceipt - src/mail.go:4");
  expect(new Set(actions).size).toBe(actions.length);
  expect([pathOf(uri), line]).toEqual(["src/mail.go", 3]);
}

describe("Zed", () => {
  const zed = started(ZED);

  it("shows a name by its letters", async () => {
    const [first] = await zed().types("sendrec");
    expect(first).toEqual({ label: "SendReceipt", detail: "src/mail.go" });
  });

  it("shows nothing for a question, because no name has its letters", async () => {
    expect(await zed().server.symbols(QUESTION)).not.toEqual([]);
    expect(await zed().types(QUESTION)).toEqual([]);
  });

  it("shows all answers in their order after a question that ends in ::", async () => {
    const seen = await zed().types(`${QUESTION}::`);
    expect(seen[0]).toEqual({ label: "01 SendReceipt", detail: "src/mail.go" });
    expect(seen.map(({ label }) => label.slice(0, 2))).toEqual(
      seen.map((_, index) => String(index + 1).padStart(2, "0")),
    );
  });

  it("offers the answers to a command with a question in plain text, and opens the chosen one", async () =>
    checkOffered(await zed().commands(QUESTION)));
});

describe("VS Code", () => {
  const code = started(VSCODE);

  it("shows a name by its letters", async () => {
    const [first] = await code().types("receipt");
    expect(first?.label).toBe("SendReceipt");
    expect(first?.detail).toMatch(/ • src\/mail\.go$/);
  });

  it("shows a name when the words after it are in its container or path", async () => {
    expect((await code().types("connection pool"))[0]?.label).toBe("open_connection");
  });

  it("shows nothing for a question, whose first word alone is sent", async () => {
    expect(await code().types(QUESTION)).toEqual([]);
  });

  it("offers the answers to a command with a question in plain text, and opens the chosen one", async () =>
    checkOffered(await code().commands(QUESTION)));

  it("shows answers in rank order through the request of our extension", async () => {
    const { hits } = await code().server.search(QUESTION);
    expect(hits[0]?.symbol?.name).toBe("SendReceipt");
    expect(hits.map(({ score }) => score)).toEqual(
      hits.map(({ score }) => score).toSorted((a, b) => b - a),
    );
  });
});
