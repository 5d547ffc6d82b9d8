/** The capabilities of the client, and quirks of known editors that its capabilities do not declare. */

import type { InitializeParams, PositionEncodingKind } from "vscode-languageserver";
import { chooseEncoding } from "./convert.ts";

export interface Client {
  readonly name: string;
  readonly encoding: PositionEncodingKind;
  readonly showsProgress: boolean;
  readonly showsDocuments: boolean;
  readonly answersConfiguration: boolean;
  /** Whether the client lets a server register the call hierarchy after `initialize`, for some languages only. */
  readonly registersCallHierarchy: boolean;
  readonly initializationOptions: unknown;
  /**
   * Zed filters symbols by the text after the last `::` of the query, and sorts them by name. So a query that ends in
   * `::` passes its filter with any name; the server drops the `::` and prefixes each name with its rank.
   */
  readonly sortsSymbolsByName: boolean;
  /**
   * Helix's picker makes columns as wide as their widest entry, cuts rows on the right, where the path is, and shows no
   * line number. Its list of choices is as wide as the message above it, at most 80 columns, and is cut there.
   */
  readonly cutsFromTheRight: boolean;
  /**
   * Helix passes names of buffers to commands relative to its own working folder, but starts the server in the folder
   * of the project.
   */
  readonly namesBuffersFromItsFolder: boolean;
  /** Helix writes errors of commands only to its log. */
  readonly hidesCommandErrors: boolean;
  /**
   * How long workspace/symbol waits for a stored index to load. Vim and Neovim use the request for tag jumps, block, and
   * time out after 1 s. Emacs times out after 10 s; other clients do not, and waiting is better than an empty picker.
   */
  readonly openingTimeoutMs: number;
}

const OPENING_TIMEOUT_MS = 8_000;

export function clientOf(params: InitializeParams): Client {
  const { window, workspace, general, textDocument } = params.capabilities;
  const name = params.clientInfo?.name ?? "";
  const isZed = name.startsWith("Zed");
  const isHelix = name === "helix";
  return {
    name,
    encoding: chooseEncoding(general?.positionEncodings),
    showsProgress: window?.workDoneProgress === true,
    showsDocuments: window?.showDocument?.support === true,
    answersConfiguration: workspace?.configuration === true,
    registersCallHierarchy: textDocument?.callHierarchy?.dynamicRegistration === true,
    initializationOptions: isZed
      ? zedOptions(params.initializationOptions)
      : params.initializationOptions,
    sortsSymbolsByName: isZed,
    cutsFromTheRight: isHelix,
    namesBuffersFromItsFolder: isHelix,
    hidesCommandErrors: isHelix,
    openingTimeoutMs: /vim/i.test(name) ? 0 : OPENING_TIMEOUT_MS,
  };
}

/** Zed starts cocosearch-lsp as another server (clients/zed), and sends the options of both. */
function zedOptions(options: unknown): unknown {
  return (options as { cocosearch?: unknown } | null | undefined)?.cocosearch;
}

const HELIX_WIDTH = 80;

const OPEN_END = /::\s*$/;

/** The query text without editor syntax, and whether names need a rank prefix. */
export function symbolQuery(client: Client, query: string): { text: string; ranked: boolean } {
  const ranked = client.sortsSymbolsByName && OPEN_END.test(query);
  return { text: ranked ? query.replace(OPEN_END, "") : query, ranked };
}

/** Two digits, so that the alphabetical order is the order of the ranks. */
export function withRank(name: string, rank: number): string {
  return `${String(rank).padStart(2, "0")} ${name}`;
}

/** The message above a list of choices, padded to the width of the choices if the client cuts them to its width. */
export function messageAbove(client: Client, message: string, choices: readonly string[]): string {
  if (!client.cutsFromTheRight) return message;
  const widest = Math.max(...choices.map((choice) => choice.length));
  return message.padEnd(Math.min(widest, HELIX_WIDTH));
}
