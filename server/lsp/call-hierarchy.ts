/** Answers the call hierarchy from the graph. The requests are refused unless `graph.standardRequests` names a language. */

import {
  type CallHierarchyItem,
  type Position,
  type Range,
  SymbolKind,
} from "vscode-languageserver";
import { BadRequest } from "../common/errors.ts";
import { splitLines } from "../common/text.ts";
import type { CallEnd, CallsOfOne, NamePlace, WrittenName } from "../contracts/navigation.ts";
import type { Session } from "../contracts/session.ts";
import { toNameRange, toUri, toUtf16 } from "./convert.ts";
import { unknownMethod } from "./lifecycle.ts";
import { filePath, onRequest } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";

const KINDS: Readonly<Record<CallEnd["kind"], SymbolKind>> = {
  class: SymbolKind.Class,
  interface: SymbolKind.Interface,
  function: SymbolKind.Function,
  method: SymbolKind.Method,
  file: SymbolKind.Module,
};

type Answer = (params: unknown, session: Session) => Promise<unknown>;

export function register(context: ServerContext): void {
  const { workspace, callHierarchyOffer } = context;
  const serve = (method: string, answer: Answer) =>
    onRequest(context, method, async (params) => {
      if (!callHierarchyOffer.isEnabled) return unknownMethod(method);
      return await answer(params, await workspace.session());
    });
  serve("textDocument/prepareCallHierarchy", async (params, session) => {
    const name = nameAt(context, params);
    if (name === undefined) return null;
    const ends = await session.callEnds(name);
    return ends.length === 0 ? null : ends.map((end) => toItem(context, end));
  });
  serve("callHierarchy/incomingCalls", async (params, session) => {
    const calls = await session.callsOfOne({ direction: "incoming", end: endOf(params) });
    return calls.map((one) => ({
      from: toItem(context, one.other),
      fromRanges: ranges(context, one),
    }));
  });
  serve("callHierarchy/outgoingCalls", async (params, session) => {
    const calls = await session.callsOfOne({ direction: "outgoing", end: endOf(params) });
    return calls.map((one) => ({
      to: toItem(context, one.other),
      fromRanges: ranges(context, one),
    }));
  });
}

function documentPath(params: unknown): string {
  const { textDocument } = (params ?? {}) as { textDocument?: { uri?: unknown } | null };
  return filePath("textDocument", textDocument?.uri);
}

/** Names with receivers in the syntax of the languages: `a.b`, `a?.b`, `a::b`, `a->b`, and `a:b(` in Lua. */
const NAME = String.raw`[\p{L}_$@][\p{L}\p{N}_$]*[?!]?`;
const NAMES = new RegExp(NAME, "gu");
const RECEIVERS = new RegExp(String.raw`(?:${NAME}(?:\.|\?\.|::|->|:))+$`, "u");
const SEPARATORS = /\?\.|::|->|[.:]/g;
/** Languages whose names may end in `?` or `!`. Elsewhere `?.` and `!.` after a name are operators. */
const HAS_MARKED_NAMES = /\.(?:rb|rake|gemspec|exs?)$/;

/** The name at the position in the open buffer, with its receivers; undefined between names. */
function nameAt(
  { client, documents, folders }: ServerContext,
  params: unknown,
): WrittenName | undefined {
  const path = documentPath(params);
  const { position } = params as { position?: Partial<Position> };
  const { line, character } = position ?? {};
  if (typeof line !== "number" || typeof character !== "number")
    throw new BadRequest("position: expected a line and a character");
  const text = splitLines(documents.text(path) ?? "")[line];
  if (text === undefined) return undefined;
  const at = toUtf16({ line, character }, text, client().encoding).character;
  for (const { index, 0: written } of text.matchAll(NAMES)) {
    const end = index + written.length;
    if (at < index || at > end) continue;
    const isMarked = text[end] === "." && !HAS_MARKED_NAMES.test(path);
    const name = isMarked ? written.replace(/[?!]$/, "") : written;
    const before = RECEIVERS.exec(text.slice(0, index))?.[0] ?? "";
    const isCalled = text.startsWith("(", index + name.length);
    const usable = before.endsWith(":") && !before.endsWith("::") && !isCalled ? "" : before;
    const chain = `${usable.replaceAll(SEPARATORS, ".")}${name}`;
    return { path: folders.toIndex(path), line, column: index, chain };
  }
  return undefined;
}

function rangeOf({ client }: ServerContext, place: NamePlace): Range {
  return toNameRange(place, client().encoding);
}

function ranges(context: ServerContext, { places }: CallsOfOne): Range[] {
  return places.map((place) => rangeOf(context, place));
}

/** The client sends `data` back with the requests for calls. */
function toItem(context: ServerContext, end: CallEnd): CallHierarchyItem {
  const { root, path, line, name, kind, qualifiedName, endLine } = end;
  const selectionRange = rangeOf(context, end);
  return {
    name: name === "" ? qualifiedName : name,
    kind: KINDS[kind],
    detail: qualifiedName,
    uri: toUri(context.folders.toClient(root, path)),
    range: {
      start: { line, character: 0 },
      end: { line: Math.max(endLine, line) + 1, character: 0 },
    },
    selectionRange,
    data: { root, path, line, name },
  };
}

function endOf(params: unknown): Pick<CallEnd, "root" | "path" | "line" | "name"> {
  const { item } = (params ?? {}) as { item?: { data?: unknown } | null };
  const { root, path, line, name } = (item?.data ?? {}) as Record<string, unknown>;
  const isWhole =
    typeof root === "string" &&
    typeof path === "string" &&
    typeof line === "number" &&
    typeof name === "string";
  if (!isWhole) throw new BadRequest("item: expected an item of prepareCallHierarchy");
  return { root, path, line, name };
}
