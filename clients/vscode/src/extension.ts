/** The VS Code extension: starts the server, shows results in lists, and shows the state of the index. */

import * as vscode from "vscode";
import { ask, askAgain, selectedText, textHere } from "./ask.js";
import { showCalls, showImpact, showPath, showRelated, showSimilar } from "./graph.js";
import { showOccurrences } from "./occurrences.js";
import { askHistory, explainSelection, registerTexts } from "./past.js";
import type { Status } from "./protocol.js";
import { Server } from "./server.js";

const ICONS: Readonly<Record<string, string>> = {
  ready: "$(search)",
  indexing: "$(sync~spin)",
  paused: "$(debug-pause)",
};

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const started = new Server();
  server = started;
  const memory = context.workspaceState;
  const state = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  state.command = "cocosearch.ask";
  show(state, { state: "indexing", reason: "the server is starting", indexed: 0, total: 0 });
  // The names cocosearch.search, .status, .related and so on are the server's; the client library registers those.
  const commands: Readonly<Record<string, () => unknown>> = {
    "cocosearch.ask": () => ask(started, memory),
    "cocosearch.askAgain": () => askAgain(started, memory),
    "cocosearch.askHere": () => ask(started, memory, textHere()),
    "cocosearch.askAboutSelection": async () => ask(started, memory, await selectedText()),
    "cocosearch.showRelated": () => showRelated(started),
    "cocosearch.showImpact": () => showImpact(started),
    "cocosearch.showPath": () => showPath(started),
    "cocosearch.showSimilar": () => showSimilar(started),
    "cocosearch.showOccurrences": () => showOccurrences(started),
    "cocosearch.showCallers": () => showCalls(started, "callers"),
    "cocosearch.showCallees": () => showCalls(started, "callees"),
    "cocosearch.askHistory": () => askHistory(started, memory),
    "cocosearch.explainSelection": () => explainSelection(started),
    "cocosearch.copyContext": () => copyContext(started),
    "cocosearch.showStatus": () => tellStatus(started),
    "cocosearch.indexAgain": () => started.ask("cocosearch/reindex", {}),
    "cocosearch.showLog": () => started.showLog(),
  };
  context.subscriptions.push(
    state,
    registerTexts(),
    started.onStatus((status) => show(state, status)),
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(name, () => told(run)),
    ),
  );
  void told(async () => {
    try {
      await started.ready();
    } catch (error) {
      show(state, { state: "unavailable", reason: sentenceOf(error), indexed: 0, total: 0 });
      throw error;
    }
  });
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Runs a command, and shows the reason of a failure. */
async function told(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    void vscode.window.showWarningMessage(`cocosearch: ${sentenceOf(error)}`);
  }
}

/** Copies the code for a question as Markdown. */
async function copyContext(started: Server): Promise<void> {
  const query = await vscode.window.showInputBox({
    prompt: "Copy the code for a question",
    value: textHere(),
  });
  if (query === undefined || query.trim() === "") return;
  const { markdown, items, tokensUsed } = await started.ask<{
    markdown: string;
    items: readonly unknown[];
    tokensUsed: number;
  }>("cocosearch/context", { query });
  if (markdown !== "") await vscode.env.clipboard.writeText(markdown);
  const copied = `copied ${items.length} passages, ${tokensUsed} tokens`;
  const sentence = markdown === "" ? "nothing found" : copied;
  void vscode.window.showInformationMessage(`cocosearch: ${sentence}`);
}

async function tellStatus(started: Server): Promise<void> {
  const { state, reason, indexed, total } = await started.ask<Status>("cocosearch/status", {});
  const because = reason === undefined ? "" : `; ${reason}`;
  void vscode.window.showInformationMessage(
    `cocosearch: ${state}, ${indexed} of ${total} files${because}`,
  );
}

function show(item: vscode.StatusBarItem, { state, reason }: Status): void {
  item.text = `${ICONS[state] ?? "$(warning)"} cocosearch`;
  item.tooltip = reason === undefined ? state : `${state}: ${reason}`;
  item.show();
}
