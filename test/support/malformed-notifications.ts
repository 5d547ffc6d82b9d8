/** Malformed notifications and responses: they get no answer and must not break the server. */

import type { Malformed, Row } from "./malformed-requests.ts";
import type { Random } from "./random.ts";
import { framed } from "./raw-client.ts";

export const notification = (kind: string, method: string, params?: unknown): Malformed => ({
  kind: `${kind} ${method} ${JSON.stringify(params)?.slice(0, 200)}`,
  bytes: framed(JSON.stringify({ jsonrpc: "2.0", method, params })),
});

export function unknownId(random: Random, round: number): Malformed {
  const id = random.pick<unknown>([round + 5_000_000, -1, "nobody", null, "__proto__", 0]);
  const error = random.pick<unknown>([7, null, "x", {}, { code: "x" }]);
  const response = (more: object): Malformed => ({
    kind: "response",
    bytes: framed(JSON.stringify({ jsonrpc: "2.0", id, ...more })),
  });
  if (random.chance(1 / 3)) return response(random.pick([{ result: { x: 1 } }, { error }]));
  const [method, params] = random.pick<Row>([
    ["$/cancelRequest", [{ id: {} }, { id: round }, { id: "x" }]],
    ["$/progress", [undefined, null, {}, { token: {} }, { token: "x", value: 7 }]],
    ["$/setTrace", [undefined, null, {}, { value: "x" }, { value: 7 }]],
    ["window/workDoneProgress/cancel", [undefined, null, {}, { token: {} }, { token: "x" }]],
  ]);
  return notification("unknown", method, random.pick(params));
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
  const anyUri = random.chance(0.5) ? uri : random.pick(URIS);
  const document = {
    uri: anyUri,
    languageId: random.pick<unknown>(["python", 7, null]),
    version: random.pick<unknown>([1, "x", null, -1]),
    text: random.pick<unknown>(["x = 1\n", 7, null, {}, ["x"], "\0\ud800", undefined]),
  };
  const changed = { uri, version: random.pick<unknown>([2, null, "x"]) };
  const edits = [{ text: 7 }, { text: null, range: null }, { range: {} }];
  const changes = [null, 7, {}, [], [null], [7], [{}], ...edits.map((edit) => [edit])];
  const added = [{ uri: random.pick(URIS), name: 7 }];
  const events = [null, {}, { added, removed: [] }, { added: 7, removed: null }];
  const settings = { unknown: round % 5, search: { limit: -1 } };
  const configurations = [7, { cocosearch: settings }, [[]]];
  const none = [undefined, null, {}];
  const unknown = ["unknown/thing", "$/unknown", "", "__proto__"];
  const requests = ["cocosearch/search", "initialize", "shutdown"];
  const [method, params] = random.pick<Row>([
    ["textDocument/didOpen", [...none, [], 7, { textDocument: null }]],
    ["textDocument/didOpen", [{ textDocument: document }]],
    ["textDocument/didOpen", [[{ textDocument: document }]]],
    ["textDocument/didChange", [...none, [], { textDocument: { uri } }]],
    [
      "textDocument/didChange",
      changes.map((contentChanges) => ({ textDocument: changed, contentChanges })),
    ],
    ["textDocument/didSave", [undefined, {}, { textDocument: { uri: anyUri }, text: 7 }]],
    ["textDocument/didClose", [undefined, null, {}, { textDocument: { uri: anyUri } }]],
    [
      "workspace/didChangeWatchedFiles",
      [
        ...none,
        ...[null, [null], [{ uri: anyUri, type: "x" }], 7].map((all) => ({ changes: all })),
      ],
    ],
    [
      "workspace/didChangeWorkspaceFolders",
      [...none, ...[...events, { added: [null], removed: [7] }].map((event) => ({ event }))],
    ],
    [
      "workspace/didChangeConfiguration",
      [
        ...none,
        ...[...configurations, { cocosearch: { "embedding.apiKey": 7 } }].map((each) => ({
          settings: each,
        })),
      ],
    ],
    ["initialized", [undefined, null, 7, []]],
    [random.pick([...unknown, ...requests]), [undefined, {}, [], 7]],
  ]);
  return notification("bad", method, random.pick(params));
}

const NUMBERS = [0, 1, 2, 3, 1_000, 2 ** 31 - 1, 2 ** 53, 1e308, -1, 0.5];
const LINES: readonly unknown[] = [...NUMBERS, "1", null, undefined, {}];

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
