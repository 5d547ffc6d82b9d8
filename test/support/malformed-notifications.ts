/** Malformed notifications and responses: they get no answer and must not break the server. */

import type { Malformed } from "./malformed-requests.ts";
import type { Random } from "./random.ts";
import { framed } from "./raw-client.ts";

export const notification = (kind: string, method: string, params?: unknown): Malformed => ({
  kind: `${kind} ${method} ${JSON.stringify(params)?.slice(0, 200)}`,
  bytes: framed(JSON.stringify({ jsonrpc: "2.0", method, params })),
});

export function unknownId(random: Random, round: number): Malformed {
  const id = random.pick<unknown>([round + 5_000_000, -1, "nobody", null, "__proto__", 0]);
  return random.pick<() => Malformed>([
    () => ({
      kind: "response",
      bytes: framed(JSON.stringify({ jsonrpc: "2.0", id, result: { x: 1 } })),
    }),
    () => ({
      kind: "response",
      bytes: framed(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          error: random.pick<unknown>([7, null, "x", {}, { code: "x" }]),
        }),
      ),
    }),
    () =>
      notification(
        "cancel",
        "$/cancelRequest",
        random.pick<unknown>([{ id: {} }, { id: round }, { id: "x" }]),
      ),
    () =>
      notification(
        "progress",
        "$/progress",
        random.pick<unknown>([undefined, null, {}, { token: {} }, { token: "x", value: 7 }]),
      ),
    () =>
      notification(
        "trace",
        "$/setTrace",
        random.pick<unknown>([undefined, null, {}, { value: "x" }, { value: 7 }]),
      ),
    () =>
      notification(
        "progress",
        "window/workDoneProgress/cancel",
        random.pick<unknown>([undefined, null, {}, { token: {} }, { token: "x" }]),
      ),
  ])();
}

const URIS: readonly unknown[] = [
  "",
  "file:",
  "file://",
  "file:///",
  "file:///%",
  "file:///%ff%fe",
  "file:///a%2fb",
  "file:///a%00b",
  "file://host/share/x.py",
  "untitled:Untitled-1",
  "http://example.org/x",
  "/no/uri",
  "C:\\x",
  "\ud800",
  "../../etc/passwd",
  `file:///${"a/".repeat(5_000)}`,
  "file:///dev/zero",
  "file:///proc/self/mem",
  7,
  null,
  {},
  [],
];

export function badNotification(random: Random, round: number, uri: string): Malformed {
  const bad = (method: string, params?: unknown) => notification("bad", method, params);
  const anyUri = random.chance(0.5) ? uri : random.pick(URIS);
  const document = {
    uri: anyUri,
    languageId: random.pick<unknown>(["python", 7, null]),
    version: random.pick<unknown>([1, "x", null, -1]),
    text: random.pick<unknown>(["x = 1\n", 7, null, {}, ["x"], "\0\ud800", undefined]),
  };
  return random.pick<() => Malformed>([
    () =>
      bad(
        "textDocument/didOpen",
        random.pick<unknown>([undefined, null, {}, [], 7, { textDocument: null }]),
      ),
    () => bad("textDocument/didOpen", { textDocument: document }),
    () => bad("textDocument/didOpen", [{ textDocument: document }]),
    () =>
      bad(
        "textDocument/didChange",
        random.pick<unknown>([undefined, null, {}, [], { textDocument: { uri } }]),
      ),
    () =>
      bad("textDocument/didChange", {
        textDocument: { uri, version: random.pick<unknown>([2, null, "x"]) },
        contentChanges: random.pick<unknown>([
          null,
          7,
          {},
          [],
          [null],
          [7],
          [{}],
          [{ text: 7 }],
          [{ text: null, range: null }],
          [{ range: {} }],
        ]),
      }),
    () =>
      bad(
        "textDocument/didSave",
        random.pick<unknown>([undefined, {}, { textDocument: { uri: anyUri }, text: 7 }]),
      ),
    () =>
      bad(
        "textDocument/didClose",
        random.pick<unknown>([undefined, null, {}, { textDocument: { uri: anyUri } }]),
      ),
    () =>
      bad(
        "workspace/didChangeWatchedFiles",
        random.pick<unknown>([
          undefined,
          null,
          {},
          { changes: null },
          { changes: [null] },
          { changes: [{ uri: anyUri, type: "x" }] },
          { changes: 7 },
        ]),
      ),
    () =>
      bad(
        "workspace/didChangeWorkspaceFolders",
        random.pick<unknown>([
          undefined,
          null,
          {},
          { event: null },
          { event: {} },
          { event: { added: [{ uri: random.pick(URIS), name: 7 }], removed: [] } },
          { event: { added: 7, removed: null } },
          { event: { added: [null], removed: [7] } },
        ]),
      ),
    () =>
      bad(
        "workspace/didChangeConfiguration",
        random.pick<unknown>([
          undefined,
          null,
          {},
          { settings: 7 },
          { settings: { cocosearch: { unknown: round % 5, search: { limit: -1 } } } },
          { settings: [[]] },
          { settings: { cocosearch: { "embedding.apiKey": 7 } } },
        ]),
      ),
    () => bad("initialized", random.pick<unknown>([undefined, null, 7, []])),
    () =>
      bad(
        random.pick([
          "unknown/thing",
          "$/unknown",
          "",
          "__proto__",
          "cocosearch/search",
          "initialize",
          "shutdown",
        ]),
        random.pick<unknown>([undefined, {}, [], 7]),
      ),
  ])();
}

const LINES: readonly unknown[] = [
  0,
  1,
  2,
  3,
  1_000,
  2 ** 31 - 1,
  2 ** 53,
  1e308,
  -1,
  0.5,
  "1",
  null,
  undefined,
  {},
];

/** Edits of an open document: beyond its lines, backwards, inside of what one character takes, or of no type. */
export function oddEdit(random: Random, round: number, uri: string): Malformed {
  const text = "a🙂b\r\n\ud83d\nüñ漢字\n\u2028x";
  const position = () => ({ line: random.pick(LINES), character: random.pick(LINES) });
  const change = () => ({
    range: random.pick<unknown>([
      { start: position(), end: position() },
      { start: position() },
      null,
      7,
    ]),
    text: random.pick<unknown>(["", "x", "🙂", "\ud83d", "a\r\nb", "\0"]),
    rangeLength: random.pick<unknown>([undefined, -1, 1e9]),
  });
  if (random.chance(0.2)) {
    return notification("edit", "textDocument/didOpen", {
      textDocument: { uri, languageId: "python", version: round, text },
    });
  }
  const contentChanges = Array.from({ length: 1 + random.int(4) }, change);
  return notification("edit", "textDocument/didChange", {
    textDocument: { uri, version: round },
    contentChanges,
  });
}
