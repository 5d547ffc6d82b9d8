/** Folders, settings, buffers and states between client and session. */

import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import type { Session } from "../../server/contracts/session.ts";
import { eventually } from "../support/eventually.ts";
import { ANSWER, connectClient, type FakeSession, fakeSession, hit } from "./test-client.ts";

const TEMPORARY = realpathSync(mkdtempSync(join(tmpdir(), "cocosearch-lsp-")));
const REAL = join(TEMPORARY, "real folder");
const LINK = join(TEMPORARY, "link");
mkdirSync(REAL);
symlinkSync(REAL, LINK);
afterAll(() => rmSync(TEMPORARY, { recursive: true }));

const uri = (path: string) => pathToFileURL(path).href;
const folder = (path: string) => ({ uri: uri(path), name: path });
const argumentsOf = ({ calls }: FakeSession, method: keyof Session) =>
  calls.filter(([name]) => name === method).map(([, ...given]) => given);

describe("folders", () => {
  it.each([
    [
      "workspaceFolders",
      { workspaceFolders: [folder(REAL), folder(TEMPORARY)] },
      [REAL, TEMPORARY],
    ],
    ["rootUri", { rootUri: uri(REAL) }, [REAL]],
    ["rootPath", { rootUri: null, rootPath: REAL }, [REAL]],
    ["no folders but a root", { workspaceFolders: [], rootUri: uri(REAL) }, [REAL]],
    ["nothing", { rootUri: null }, []],
    ["another machine", { rootUri: "ssh://host/x" }, []],
  ])("come from %s", async (_, params, roots) => {
    const session = fakeSession();
    await connectClient(session).start(params);
    expect(argumentsOf(session, "openFolders")).toEqual([[roots]]);
  });

  it("missing folders are reported and ignored", async () => {
    const session = fakeSession();
    const client = connectClient(session);
    const missing = join(TEMPORARY, "missing");
    await client.start({ workspaceFolders: [folder(missing), folder(REAL)] });
    expect(argumentsOf(session, "openFolders")).toEqual([[[REAL]]]);
    expect(await client.next("window/showMessage")).toMatchObject({
      message: `cocosearch: ${missing} is not a folder and is not indexed`,
    });
  });

  it("are added and removed", async () => {
    const session = fakeSession();
    const client = connectClient(session);
    await client.start({ workspaceFolders: [folder(REAL)] });
    const missing = join(TEMPORARY, "missing");
    const event = { added: [folder(TEMPORARY), folder(missing)], removed: [folder(REAL)] };
    await client.notify("workspace/didChangeWorkspaceFolders", { event });
    await eventually(() =>
      expect(argumentsOf(session, "openFolders")).toEqual([[[REAL]], [[TEMPORARY]]]),
    );
    expect(await client.next("window/showMessage")).toMatchObject({
      message: `cocosearch: ${missing} is not a folder and is not indexed`,
    });
  });

  it("are distinct by real path, with or without a trailing slash", async () => {
    const session = fakeSession();
    const client = connectClient(session);
    const slash = { uri: `${uri(REAL)}/`, name: "slash" };
    await client.start({ rootUri: slash.uri });
    const event = { added: [folder(REAL), folder(LINK), folder(TEMPORARY)], removed: [] };
    await client.notify("workspace/didChangeWorkspaceFolders", { event });
    await eventually(() =>
      expect(argumentsOf(session, "openFolders")).toEqual([[[REAL]], [[REAL, TEMPORARY]]]),
    );
    const left = { added: [], removed: [folder(LINK), slash] };
    await client.notify("workspace/didChangeWorkspaceFolders", { event: left });
    await eventually(() =>
      expect(argumentsOf(session, "openFolders").at(-1)).toEqual([[TEMPORARY]]),
    );
  });

  it("folders that are links keep the client's path", async () => {
    const found = hit({ root: REAL, path: "a.py" });
    const session = fakeSession({ search: async () => ({ ...ANSWER, hits: [found] }) });
    const client = connectClient(session);
    await client.start({ rootUri: uri(LINK) });
    expect(argumentsOf(session, "openFolders")).toEqual([[[REAL]]]);
    expect(await client.request("cocosearch/search", { query: "q" })).toMatchObject({
      hits: [{ location: { uri: uri(join(LINK, "a.py")) } }],
    });
    const changes = [
      { uri: uri(join(LINK, "b.py")), type: 1 },
      { uri: "untitled:1", type: 1 },
    ];
    await client.notify("workspace/didChangeWatchedFiles", { changes });
    await eventually(() =>
      expect(argumentsOf(session, "filesChanged")).toEqual([[[join(REAL, "b.py")]]]),
    );
  });

  it("folders that are links are resolved again at each request", async () => {
    const [first, second, link] = ["first", "second", "current"].map((name) =>
      join(TEMPORARY, name),
    ) as [string, string, string];
    mkdirSync(first);
    mkdirSync(second);
    symlinkSync(first, link);
    let open: readonly string[] = [];
    const session = fakeSession({
      openFolders: async (roots) => {
        open = roots;
        return [];
      },
      search: async () => ({ ...ANSWER, hits: open.map((root) => hit({ root, path: "a.py" })) }),
    });
    const client = connectClient(session);
    await client.start({ rootUri: uri(link) });
    const found = async () => {
      const answer = await client.request("cocosearch/search", { query: "q" });
      return [open, (answer as { hits: { location: { uri: string } }[] }).hits[0]?.location.uri];
    };
    const file = uri(join(link, "a.py"));
    expect(await found()).toEqual([[first], file]);
    rmSync(link);
    expect(await found()).toEqual([[first], file]);
    symlinkSync(second, link);
    expect(await found()).toEqual([[second], file]);
    rmSync(link);
    mkdirSync(link);
    expect(await found()).toEqual([[link], file]);
    renameSync(link, `${link}.moved`);
    symlinkSync(`${link}.moved`, link);
    expect(await found()).toEqual([[`${link}.moved`], file]);
    expect(await found()).toEqual([[`${link}.moved`], file]);
    expect(argumentsOf(session, "openFolders")).toHaveLength(4);
  });

  it("refused folders are explained once, and in the status", async () => {
    const refusal = `${TEMPORARY} is your home folder and is not indexed`;
    const session = fakeSession({
      openFolders: async () => [refusal],
      status: async () => ({
        ...(await fakeSession().status()),
        state: "no-root",
      }),
    });
    const client = connectClient(session);
    await client.start({ rootUri: uri(TEMPORARY) });
    expect(await client.request("cocosearch/status")).toMatchObject({
      state: "no-root",
      reason: refusal,
    });
    session.emit({ kind: "message", level: "warning", text: refusal });
    await client.request("cocosearch/status");
    expect(client.told.filter(({ method }) => method === "window/showMessage")).toHaveLength(1);
  });

  it("absent folders are explained", async () => {
    const client = connectClient(fakeSession());
    await client.start({ rootUri: null });
    expect(await client.next("window/showMessage")).toMatchObject({
      message: expect.stringContaining("no folder is open"),
    });
  });
});

describe("settings", () => {
  const able = { workspace: { configuration: true } };

  it("ignored settings are reported once, and in the status", async () => {
    const client = connectClient(fakeSession());
    await client.start({ rootUri: null, initializationOptions: { nonsense: 1 } });
    const warning = 'initialization options: unknown setting "nonsense"';
    await vi.waitFor(async () =>
      expect(await client.request("cocosearch/status")).toMatchObject({ warnings: [warning] }),
    );
    const shown = client.told.filter(({ params }) => JSON.stringify(params).includes("nonsense"));
    expect(shown.map(({ method }) => method)).toContain("window/showMessage");
  });

  it("come from options, configuration and environment; the last of these wins", async () => {
    const session = fakeSession();
    const client = connectClient(session, { COCOSEARCH_INDEX_NAME: "env" });
    client.answers["workspace/configuration"] = () => [
      { search: { limit: 7 }, indexName: "client" },
    ];
    await client.start({
      capabilities: able,
      initializationOptions: { cocosearch: { search: { limit: 3, minScore: 0.5 } } },
    });
    expect(argumentsOf(session, "configure")).toEqual([
      [{ "search.limit": 7, "search.minScore": 0.5, indexName: "env" }],
    ]);
    expect(await client.next("workspace/configuration")).toEqual({
      items: [{ section: "cocosearch" }],
    });
  });

  it("are sent before any folder is opened", async () => {
    const session = fakeSession();
    await connectClient(session).start();
    const order = session.calls.map(([name]) => name);
    expect(order.slice(0, 2)).toEqual(["configure", "openFolders"]);
  });

  it("invalid settings are reported once, and the others apply", async () => {
    const session = fakeSession();
    const client = connectClient(session);
    const settings = { cocosearch: { search: { limit: 0, minScore: 1 } } };
    await client.start({ initializationOptions: settings });
    await client.notify("workspace/didChangeConfiguration", { settings: {} });
    await eventually(() => expect(argumentsOf(session, "configure")).toHaveLength(2));
    expect(argumentsOf(session, "configure")[1]).toEqual([{ "search.minScore": 1 }]);
    await client.next("window/showMessage");
    const shown = client.told.filter(({ method }) => method === "window/showMessage");
    expect(shown).toHaveLength(1);
    expect(shown[0]?.params).toMatchObject({ message: expect.stringContaining("search.limit") });
  });

  it("are pushed by clients without workspace/configuration", async () => {
    const session = fakeSession();
    const client = connectClient(session);
    await client.start();
    const settings = { cocosearch: { search: { limit: 9 } } };
    await client.notify("workspace/didChangeConfiguration", { settings });
    await eventually(() =>
      expect(argumentsOf(session, "configure").at(-1)).toEqual([{ "search.limit": 9 }]),
    );
  });

  it("settings that arrive late apply when they arrive", async () => {
    const session = fakeSession();
    const client = connectClient(session);
    let tell: (settings: unknown) => void = () => undefined;
    client.answers["workspace/configuration"] = () =>
      new Promise((resolve) => {
        tell = resolve;
      });
    await client.start({ capabilities: able });
    expect(argumentsOf(session, "configure")).toEqual([[{}]]);
    tell([{ search: { limit: 9 } }]);
    await eventually(() =>
      expect(argumentsOf(session, "configure")).toEqual([[{}], [{ "search.limit": 9 }]]),
    );
    const asked = client.told.filter(({ method }) => method === "workspace/configuration");
    expect(asked).toHaveLength(1);
  });

  it("settings that the client refuses are treated as unset", async () => {
    const session = fakeSession();
    const client = connectClient(session);
    client.answers["workspace/configuration"] = () => {
      throw new Error("not now");
    };
    await client.start({ capabilities: able });
    expect(argumentsOf(session, "configure")).toEqual([[{}]]);
  });
});

describe("buffers", () => {
  const file = join(REAL, "a.py");
  const opened = (text: string) => ({
    textDocument: { uri: uri(file), languageId: "python", version: 1, text },
  });
  const changed = (line: number, from: number, to: number, text: string) => ({
    textDocument: { uri: uri(file), version: 2 },
    contentChanges: [
      { range: { start: { line, character: from }, end: { line, character: to } }, text },
    ],
  });

  it.each([
    ["utf-16", 4, 5],
    ["utf-8", 7, 8],
    ["utf-32", 3, 4],
  ])("are updated in %s, and a search sees them immediately", async (encoding, from, to) => {
    const session = fakeSession();
    const client = connectClient(session);
    await client.start({ capabilities: { general: { positionEncodings: [encoding] } } });
    await client.notify("textDocument/didOpen", opened("one\nü\u{1f600}1x\n"));
    await client.notify("textDocument/didChange", changed(1, from, to, "y"));
    await client.request("cocosearch/search", { query: "q" });
    expect(argumentsOf(session, "buffer").at(-1)).toEqual([file, "one\nü\u{1f600}1y\n"]);
    const order = session.calls.map(([name]) => name);
    expect(order.indexOf("buffer")).toBeLessThan(order.indexOf("search"));
  });

  it("are sent once after a pause in typing", async () => {
    const session = fakeSession();
    const client = connectClient(session);
    await client.start();
    await client.notify("textDocument/didOpen", opened(""));
    for (const letter of "abc") {
      await client.notify("textDocument/didChange", changed(0, 0, 0, letter));
    }
    await eventually(() => expect(argumentsOf(session, "buffer")).toEqual([[file, "cba"]]));
  });

  it("are dropped when closed, and a save is a file change", async () => {
    const session = fakeSession();
    const client = connectClient(session);
    await client.start();
    await client.notify("textDocument/didOpen", opened("text"));
    await client.notify("textDocument/didSave", { textDocument: { uri: uri(file) } });
    await client.notify("textDocument/didClose", { textDocument: { uri: uri(file) } });
    await eventually(() => expect(argumentsOf(session, "buffer")).toEqual([[file, undefined]]));
    expect(argumentsOf(session, "filesChanged")).toEqual([[[file]]]);
  });

  it("buffers without a file are ignored", async () => {
    const session = fakeSession();
    const client = connectClient(session);
    await client.start();
    const untitled = { uri: "untitled:Untitled-1", languageId: "python", version: 1, text: "x" };
    await client.notify("textDocument/didOpen", { textDocument: untitled });
    await client.request("cocosearch/search", { query: "q" });
    expect(argumentsOf(session, "buffer")).toEqual([]);
  });
});

describe("an unavailable engine", () => {
  it("is reported once and retried, and the server continues", async () => {
    let isUp = false;
    const session = fakeSession({
      openFolders: async () => {
        if (!isUp) throw new Unavailable("the engine does not start", "see its log");
        return [];
      },
    });
    const client = connectClient(session);
    await client.start();
    expect(await client.next("cocosearch/statusChanged")).toEqual({
      state: "unavailable",
      reason: "the engine does not start: see its log",
    });
    expect(await client.request("cocosearch/status")).toMatchObject({ state: "unavailable" });
    expect(await client.request("cocosearch/search", { query: "q" })).toMatchObject({
      state: "unavailable",
    });
    isUp = true;
    await eventually(async () =>
      expect(await client.request("cocosearch/search", { query: "q" })).toEqual(ANSWER),
    );
  });

  it("is retried immediately after a change by the client", async () => {
    let attempts = 0;
    const session = fakeSession({
      openFolders: async () => {
        attempts++;
        if (attempts <= 4) throw new Unavailable("the database", "start it");
        return [];
      },
    });
    const client = connectClient(session);
    await client.start();
    for (let change = 0; change < 4; change++) {
      await client.notify("workspace/didChangeConfiguration", { settings: {} });
      await eventually(() => expect(attempts).toBeGreaterThan(change + 1));
    }
    expect(await client.request("cocosearch/search", { query: "q" })).toEqual(ANSWER);
  });

  it("may fail to start", async () => {
    let attempts = 0;
    const client = connectClient(async () => {
      attempts++;
      if (attempts === 1) throw new Unavailable("the socket", "wait");
      return fakeSession();
    });
    await client.start();
    await eventually(async () =>
      expect(await client.request("cocosearch/search", { query: "q" })).toEqual(ANSWER),
    );
  });
});

it("each state is sent to the client", async () => {
  const session = fakeSession();
  const client = connectClient(session);
  await client.start();
  session.emit({ kind: "status", state: "degraded", reason: "Ollama does not answer" });
  expect(await client.next("cocosearch/statusChanged")).toEqual({
    state: "degraded",
    reason: "Ollama does not answer",
  });
  expect(await client.next("window/showMessage")).toMatchObject({
    message: "cocosearch: Ollama does not answer",
  });
});
