/** Messages that no client should send, each with the answer that the protocol wants. */

import { ErrorCodes } from "vscode-languageserver/node";
import { badNotification, notification, oddEdit, unknownId } from "./malformed-notifications.ts";
import {
  badParams,
  type Malformed,
  oddParams,
  outOfOrder,
  request,
  unknownMethod,
} from "./malformed-requests.ts";
import type { Random } from "./random.ts";
import { framed } from "./raw-client.ts";

const { ParseError, InvalidParams, MethodNotFound } = ErrorCodes;

export interface Order {
  /** Where requests are refused for coming too early or too late: the code of that. */
  readonly refusal?: number;
}

/** The `round`th of a series. `uri` is a document that may be opened. */
export function malformed(
  random: Random,
  round: number,
  uri: string,
  order: Order = {},
): Malformed {
  const make = random.pick([
    brokenJson,
    unknownMethod,
    badParams,
    badParams,
    badParams,
    oddParams,
    unknownId,
    badNotification,
    badNotification,
    oddEdit,
    huge,
    outOfOrder,
  ]);
  const made = make(random, round, uri);
  const { refusal } = order;
  if (refusal === undefined) return made;
  if (made.kind === "initialize") return { ...made, code: [InvalidParams, refusal] };
  const isRefused = [InvalidParams, MethodNotFound, "served"].includes(made.code as never);
  return isRefused ? { ...made, code: refusal } : made;
}

/** A whole message as an editor would send it; also what broken ones are made from. */
function sound(id: number): string {
  const params = { query: "where is the receipt sent", limit: 3 };
  return JSON.stringify({ jsonrpc: "2.0", id, method: "cocosearch/search", params });
}

function brokenJson(random: Random, id: number): Malformed {
  const body = sound(id);
  const text = random.pick<() => string | Buffer>([
    () => body.slice(0, random.int(body.length)),
    () => body.replace(random.pick(['"', "{", "}", ":", "2.0"]), ""),
    () => `${body}${random.pick(["}", "x", "\0", body])}`,
    () => random.bytes(1 + random.int(400)),
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(body, "utf16le")]),
    () => Buffer.concat([Buffer.from(body), Buffer.from([0xc3])]),
    () => body.replace("where", "\u0001"),
    () => "{".repeat(1 + random.int(5000)),
    () => "undefined",
    () => body.replaceAll('"', "'"),
  ])();
  if (isJson(text)) return { kind: "json", bytes: framed("{"), id: null, code: ParseError };
  return { kind: "json", bytes: framed(text), id: null, code: ParseError };
}

function isJson(text: string | Buffer): boolean {
  try {
    JSON.parse(String(text));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Messages of some megabytes. They are rare, because the test is about limits and not about speed. */
function huge(random: Random, id: number, uri: string): Malformed {
  if (random.chance(0.9)) return unknownMethod(random, id);
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const nested = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  const raw = (kind: string, body: string, code?: Malformed["code"]): Malformed =>
    code === undefined ? { kind, bytes: framed(body) } : { kind, bytes: framed(body), id, code };
  const open = `{"jsonrpc":"2.0","id":${id},"method":`;
  return random.pick<() => Malformed>([
    () =>
      request(
        "huge query",
        id,
        "cocosearch/search",
        { query: "receipt ".repeat(300_000) },
        "served",
      ),
    () =>
      request("huge symbol", id, "workspace/symbol", { query: "x".repeat(3_000_000) }, "served"),
    () =>
      request(
        "huge list",
        id,
        "cocosearch/search",
        { query: "x", languages: Array(300_000).fill("go") },
        InvalidParams,
      ),
    () =>
      request(
        "huge object",
        id,
        "cocosearch/search",
        Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i])),
        InvalidParams,
      ),
    () =>
      raw("deep", `${open}"cocosearch/search","params":{"query":${deep(100_000)}}}`, InvalidParams),
    () =>
      raw(
        "deep",
        `${open}"workspace/executeCommand","params":{"command":"cocosearch.search","arguments":[${nested}]}}`,
        InvalidParams,
      ),
    () =>
      raw(
        "deep settings",
        `{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"cocosearch":${nested}}}}`,
      ),
    () =>
      notification("huge buffer", "textDocument/didOpen", {
        textDocument: { uri, languageId: "python", version: 1, text: "x = 1\n".repeat(400_000) },
      }),
    () =>
      notification("many events", "workspace/didChangeWatchedFiles", {
        changes: Array.from({ length: 20_000 }, (_, i) => ({
          uri: `${uri}/${i}`,
          type: 1 + (i % 3),
        })),
      }),
  ])();
}
