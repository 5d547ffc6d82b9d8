/** cocosearch/context: packs the code for a question into a token budget. */

import type { Location } from "vscode-languageserver";
import type { ContextItem } from "../contracts/context-request.ts";
import type { ContextAnswer } from "../contracts/session.ts";
import { toRange, toUri } from "./convert.ts";
import type { Folders } from "./folders.ts";
import { type FoundSymbol, withoutLines } from "./found-hit.ts";
import { onRequest } from "./requests.ts";
import type { ServerContext } from "./server-context.ts";

/** An item in the form of the protocol. */
interface PlacedItem extends Omit<ContextItem, "root" | "path" | "lines" | "symbol"> {
  readonly location: Location;
  readonly symbol?: FoundSymbol;
}

interface ContextResponse extends Omit<ContextAnswer, "text" | "items"> {
  readonly markdown: string;
  readonly items: readonly PlacedItem[];
}

export function register(context: ServerContext): void {
  const { documents, folders, workspace } = context;
  onRequest(context, "cocosearch/context", async (params, signal) => {
    const { parseMarkdownContext } = await import("../contracts/client-requests.ts");
    const request = parseMarkdownContext(params);
    const session = await workspace.session();
    documents.flush(session);
    return toContextResponse(folders, await session.context(request, signal));
  });
}

export function toContextResponse(
  folders: Folders,
  { text, items, ...rest }: ContextAnswer,
): ContextResponse {
  return {
    markdown: text,
    items: items.map(({ root, path, lines, symbol, ...item }) => ({
      location: { uri: toUri(folders.toClient(root, path)), range: toRange(lines) },
      ...item,
      ...(symbol === undefined ? {} : { symbol: withoutLines(symbol) }),
    })),
    ...rest,
  };
}
