/** What the client can do, by its capabilities; and, where those do not tell, what is known of it by its name. */

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
   * Zed filters and sorts symbols by their names: its fuzzy filter takes what follows the last `::` of the
   * query, so that a query that ends in `::` shows every answer, but by the alphabet. There the `::` is not
   * part of the question, and each name begins with its rank.
   */
  readonly sortsSymbolsByName: boolean;
  /**
   * Helix's picker has columns as wide as their widest entry, cuts them from the right, where the path is, and
   * shows no line. Its list of choices is as wide as the message above it, 80 columns at most, and cuts the rest.
   */
  readonly cutsFromTheRight: boolean;
  /**
   * Helix fills the names of buffers into commands as they are from its own working folder, and starts the server in
   * the project's.
   */
  readonly namesBuffersFromItsFolder: boolean;
  /** Helix writes the error of a command to its log only. */
  readonly hidesCommandErrors: boolean;
  /**
   * How long workspace/symbol waits for a stored index that is being opened. Vim and Neovim jump to a tag by this
   * request, stand still meanwhile, and give up after a second. Emacs gives up after ten; other clients wait for ever,
   * and a picker that waits for some seconds is better than one that is empty.
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
      ? ours(params.initializationOptions)
      : params.initializationOptions,
    sortsSymbolsByName: isZed,
    cutsFromTheRight: isHelix,
    namesBuffersFromItsFolder: isHelix,
    hidesCommandErrors: isHelix,
    openingTimeoutMs: /vim/i.test(name) ? 0 : OPENING_TIMEOUT_MS,
  };
}

/** Zed starts us under another server's name (clients/zed) and sends that server's options beside ours. */
function ours(options: unknown): unknown {
  return (options as { cocosearch?: unknown } | null | undefined)?.cocosearch;
}

const HELIX_WIDTH = 80;

const OPEN_END = /::\s*$/;

/** The question behind a query for symbols, and whether names are to carry their rank. */
export function symbolQuery(client: Client, query: string): { text: string; ranked: boolean } {
  const ranked = client.sortsSymbolsByName && OPEN_END.test(query);
  return { text: ranked ? query.replace(OPEN_END, "") : query, ranked };
}

/** Two digits sort by the alphabet as they do by number. */
export function withRank(name: string, rank: number): string {
  return `${String(rank).padStart(2, "0")} ${name}`;
}

/** The message above a list of choices, made as wide as they are where they are cut to its width. */
export function messageAbove(client: Client, message: string, choices: readonly string[]): string {
  if (!client.cutsFromTheRight) return message;
  const widest = Math.max(...choices.map((choice) => choice.length));
  return message.padEnd(Math.min(widest, HELIX_WIDTH));
}
