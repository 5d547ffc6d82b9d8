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

/** A method, and parameters: one of them is sent. */
export type Row = readonly [method: string, params: readonly unknown[]];

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
  const others = ["textDocument/hover", "textDocument/definition", "workspace/willRenameFiles"];
  const own = ["cocosearch/Search", "cocosearch/", "exit ", "$/unknown"];
  const odd = ["", "__proto__", "constructor", "toString", "🙂", "\ud800", "x".repeat(100_000)];
  const method = random.pick([...others, ...own, ...odd]);
  const params = random.pick([undefined, {}, [], [1, 2]]);
  return request("unknown method", id, method, params, MethodNotFound);
}

/** Values of types that no parameter has. */
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
  const search = searchWith(random);
  const none = [undefined, null, {}, []];
  const folders = ["file:///no/such", "/no/such", "file://%", "", "untitled:x"];
  const names = ['x"; drop table y; --', "../up", "a b", "", "\0"];
  const commands = ["x", "", "__proto__", "cocosearch", "cocosearch.clear"];
  const [method, params] = random.pick<Row>([
    [random.pick(["cocosearch/search", "cocosearch/analyze"]), [search]],
    [random.pick(["cocosearch/search", "cocosearch/analyze"]), [...none, 7, "x", [7]]],
    ["workspace/symbol", [...none, 7, [7], ...NO_STRING.map((query) => ({ query }))]],
    ["cocosearch/clear", [...none, ...NO_STRING.map((name) => ({ name }))]],
    ["cocosearch/clear", names.map((name) => ({ name }))],
    ["cocosearch/reindex", [{ folder: 7 }, { full: "yes" }, { full: 1 }, { folder: {} }]],
    ["cocosearch/reindex", folders.map((folder) => ({ folder }))],
    ["workspace/executeCommand", [...none, { command: 7 }, { command: null }]],
    ["workspace/executeCommand", commands.map((command) => ({ command }))],
    ["workspace/executeCommand", [7, "x", {}, true].map((given) => command("status", given))],
    [
      "workspace/executeCommand",
      [[7], ["full"], [{ full: "x" }], [{ ful: true }]].map((given) => command("reindex", given)),
    ],
    ["workspace/executeCommand", [command("search", [search])]],
  ]);
  const chosen = random.pick(params);
  const kind = `${method} ${JSON.stringify(chosen)?.slice(0, 200)}`;
  return request(kind, id, method, chosen, InvalidParams);
}

const command = (name: string, given: unknown) => ({
  command: `cocosearch.${name}`,
  arguments: given,
});

function searchWith(random: Random): object {
  const name = random.pick(Object.keys(SEARCH));
  const value = random.pick(SEARCH[name] ?? []);
  return { query: "receipt", [name]: value };
}

/** Strange, and served all the same. */
export function oddParams(random: Random, id: number): Malformed {
  const odd = ["", " ", "\0", "\ud800", "'; drop table x; --", "((((", "%_\\", "\u202e"];
  const query = random.pick([...odd, "🙂".repeat(500), "a".repeat(20_000)]);
  const paths = ["[", "{{", "**/**/**/**", "!(", "../../*"];
  const [method, params] = random.pick<Row>([
    ["cocosearch/search", [{ query }]],
    ["cocosearch/search", [[{ query, limit: 200 }]]],
    ["cocosearch/analyze", [{ query, paths }]],
    [
      "cocosearch/search",
      [{ query: "lang:klingon type:nothing path:../../ x", symbolName: "[[[*" }],
    ],
    ["workspace/symbol", [{ query }]],
    ["workspace/symbol", [{ query, unknown: 1, partialResultToken: {} }]],
    ["cocosearch/status", [undefined, null, 7, "x", [], {}, [[]]]],
    ["workspace/executeCommand", [[], [""], [7, 8]].map((given) => command("search", given))],
    ["workspace/executeCommand", [[], [null], [{}]].map((given) => command("reindex", given))],
    ["cocosearch/clear", [{ name: "no-such-index" }]],
    ["bytes", [notUtf8(id), oddHeader(id)]],
    ["bytes", [notUtf8(id), oddHeader(id)]],
  ]);
  const chosen = random.pick(params);
  const served = request(`odd ${method}`, id, method, chosen, "served");
  return Buffer.isBuffer(chosen) ? { ...served, bytes: chosen } : served;
}

function notUtf8(id: number): Buffer {
  const method = `"method":"workspace/symbol"`;
  const begin = Buffer.from(`{"jsonrpc":"2.0","id":${id},${method},"params":{"query":"`);
  const bytes = Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]);
  return framed(Buffer.concat([begin, bytes, Buffer.from(`"}}`)]));
}

function oddHeader(id: number): Buffer {
  const type = "content-type: application/vscode-jsonrpc; charset=utf-8";
  const body = `{"id":${id},"method":"cocosearch/status"}`;
  return Buffer.from(`${type}\r\ncontent-length:  ${body.length}\r\n\r\n${body}`);
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
