/** Malformed requests: unknown methods, parameters of wrong types, and duplicate ids. */

import { ErrorCodes } from "vscode-languageserver/node";
import type { Random } from "./random.ts";
import { framed } from "./raw-client.ts";

export interface Malformed {
  /** The kind, for the report of a failure. */
  readonly kind: string;
  readonly bytes: Buffer;
  /** The id that the answer must carry; undefined where none may come. */
  readonly id?: number | string | null;
  /** The expected error code; "served" if the server answers the odd request; some requests allow both. */
  readonly code?: number | "served" | readonly number[];
}

const { InvalidRequest, InvalidParams, MethodNotFound } = ErrorCodes;

export const request = (
  kind: string,
  id: number,
  method: string,
  params: unknown,
  code: Malformed["code"],
) => ({
  kind,
  bytes: framed(JSON.stringify({ jsonrpc: "2.0", id, method, params })),
  id,
  ...(code === undefined ? {} : { code }),
});

export function unknownMethod(random: Random, id: number): Malformed {
  const method = random.pick([
    "textDocument/hover",
    "textDocument/definition",
    "cocosearch/Search",
    "cocosearch/",
    "",
    "__proto__",
    "constructor",
    "toString",
    "workspace/willRenameFiles",
    "🙂",
    "\ud800",
    "x".repeat(100_000),
    "exit ",
    "$/unknown",
  ]);
  return request(
    "unknown method",
    id,
    method,
    random.pick([undefined, {}, [], [1, 2]]),
    MethodNotFound,
  );
}

/** Of no type that any parameter has. */
const WRONG: readonly unknown[] = [{ a: 1 }, [[1]], { length: 3 }, [{}], [null]];
const NO_STRING = [...WRONG, 7, true, 1e308];

const SEARCH: Readonly<Record<string, readonly unknown[]>> = {
  query: [...NO_STRING, null],
  limit: [...WRONG, 0, -1, 201, 1.5, 1e308, "3", null],
  minScore: [...WRONG, -0.1, 1.1, "0", null],
  languages: [{ a: 1 }, 7, "go", [7], [""], ["klingon"], [["go"]], Array(101).fill("go")],
  symbolTypes: [{ a: 1 }, 7, "class", ["klass"], [7]],
  symbolName: [...NO_STRING, "x".repeat(1001)],
  paths: [{ a: 1 }, 7, "src", [7], [""], ["x".repeat(1001)]],
  hybrid: [...WRONG, 0, "true", null],
  indexes: [{ a: 1 }, 7, "x", [7], [""], ['a"; drop table y'], ["../../etc"]],
  contextBefore: [...WRONG, -1, 1001, 0.5, "1"],
  contextAfter: [...WRONG, -1, 1001, 0.5, "1"],
  smartContext: [...WRONG, 1, "yes"],
  includeText: [...WRONG, 1, "yes"],
  explain: [...WRONG, 1, "yes"],
  without: [{ a: 1 }, 7, "vector", [7]],
  unknown: [1],
  __proto: [{}],
};

export function badParams(random: Random, id: number): Malformed {
  const bad = (method: string, params: unknown) =>
    request(
      `${method} ${JSON.stringify(params)?.slice(0, 200)}`,
      id,
      method,
      params,
      InvalidParams,
    );
  const command = (...given: unknown[]) =>
    bad("workspace/executeCommand", { command: "cocosearch.search", arguments: given });
  return random.pick<() => Malformed>([
    () => bad(random.pick(["cocosearch/search", "cocosearch/analyze"]), searchWith(random)),
    () =>
      bad(
        random.pick(["cocosearch/search", "cocosearch/analyze"]),
        random.pick([undefined, null, [], {}, 7, "x", [7]]),
      ),
    () =>
      bad(
        "workspace/symbol",
        random.pick<unknown>([
          undefined,
          null,
          {},
          [],
          7,
          [7],
          ...NO_STRING.map((query) => ({ query })),
        ]),
      ),
    () =>
      bad(
        "cocosearch/clear",
        random.pick<unknown>([undefined, null, {}, [], ...NO_STRING.map((name) => ({ name }))]),
      ),
    () =>
      bad("cocosearch/clear", {
        name: random.pick(['x"; drop table y; --', "../up", "a b", "", "\0"]),
      }),
    () =>
      bad(
        "cocosearch/reindex",
        random.pick<unknown>([{ folder: 7 }, { full: "yes" }, { full: 1 }, { folder: {} }]),
      ),
    () =>
      bad("cocosearch/reindex", {
        folder: random.pick(["file:///no/such", "/no/such", "file://%", "", "untitled:x"]),
      }),
    () =>
      bad(
        "workspace/executeCommand",
        random.pick<unknown>([undefined, null, {}, [], { command: 7 }, { command: null }]),
      ),
    () =>
      bad("workspace/executeCommand", {
        command: random.pick(["x", "", "__proto__", "cocosearch", "cocosearch.clear"]),
      }),
    () =>
      bad("workspace/executeCommand", {
        command: "cocosearch.status",
        arguments: random.pick<unknown>([7, "x", {}, true]),
      }),
    () =>
      bad("workspace/executeCommand", {
        command: "cocosearch.reindex",
        arguments: random.pick<unknown[]>([[7], ["full"], [{ full: "x" }], [{ ful: true }]]),
      }),
    () => command(searchWith(random)),
  ])();
}

function searchWith(random: Random): object {
  const name = random.pick(Object.keys(SEARCH));
  const value = random.pick(SEARCH[name] ?? []);
  return { query: "receipt", [name]: value };
}

/** Strange, and served all the same. */
export function oddParams(random: Random, id: number): Malformed {
  const served = (method: string, params: unknown) =>
    request(`odd ${method}`, id, method, params, "served");
  const text = random.pick([
    "",
    " ",
    "\0",
    "\ud800",
    "'; drop table x; --",
    "((((",
    "%_\\",
    "🙂".repeat(500),
    "\u202e",
    "a".repeat(20_000),
  ]);
  return random.pick<() => Malformed>([
    () => served("cocosearch/search", { query: text }),
    () => served("cocosearch/search", [{ query: text, limit: 200 }]),
    () =>
      served("cocosearch/analyze", {
        query: text,
        paths: ["[", "{{", "**/**/**/**", "!(", "../../*"],
      }),
    () =>
      served("cocosearch/search", {
        query: "lang:klingon type:nothing path:../../ x",
        symbolName: "[[[*",
      }),
    () => served("workspace/symbol", { query: text }),
    () => served("workspace/symbol", { query: text, unknown: 1, partialResultToken: {} }),
    () =>
      served("cocosearch/status", random.pick<unknown>([undefined, null, 7, "x", [], {}, [[]]])),
    () =>
      served("workspace/executeCommand", {
        command: "cocosearch.search",
        arguments: random.pick([[], [""], [7, 8]]),
      }),
    () =>
      served("workspace/executeCommand", {
        command: "cocosearch.reindex",
        arguments: random.pick<unknown[]>([[], [null], [{}]]),
      }),
    () => served("cocosearch/clear", { name: "no-such-index" }),
    () => ({
      ...served("workspace/symbol", {}),
      bytes: framed(
        Buffer.concat([
          Buffer.from(
            `{"jsonrpc":"2.0","id":${id},"method":"workspace/symbol","params":{"query":"`,
          ),
          Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
          Buffer.from(`"}}`),
        ]),
      ),
    }),
    () => ({
      ...served("cocosearch/status", {}),
      bytes: Buffer.from(
        `content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  ${`{"id":${id},"method":"cocosearch/status"}`.length}\r\n\r\n{"id":${id},"method":"cocosearch/status"}`,
      ),
    }),
  ])();
}

export function outOfOrder(random: Random, id: number): Malformed {
  const params = random.pick<unknown>([
    undefined,
    null,
    [],
    7,
    {},
    { capabilities: null },
    { capabilities: 7 },
    { capabilities: {}, workspaceFolders: 7 },
    { capabilities: {}, workspaceFolders: [null] },
    { capabilities: {}, clientInfo: { name: 7 } },
  ]);
  return request("initialize", id, "initialize", params, [InvalidParams, InvalidRequest]);
}
