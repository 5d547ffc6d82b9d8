/** The list of search results for a question. */

import * as vscode from "vscode";
import { Filters } from "./filters.js";
import { type Choice, openPicker } from "./picker.js";
import { bar, rememberPlace, showHit } from "./places.js";
import type { Answer, Hit, RelatedToHits } from "./protocol.js";
import type { Server } from "./server.js";

const EXPORT = {
  iconPath: new vscode.ThemeIcon("list-flat"),
  tooltip: "Keep these answers as a list of places",
};

/** A title has room for this many characters. */
const MAX_TITLE_LENGTH = 60;

let lastQuestion = "";

/** Opens the list and searches for `text` immediately. */
export function ask(server: Server, memory: vscode.Memento, text = ""): void {
  const filters = new Filters();
  openPicker({
    server,
    memory,
    title: "Find code",
    placeholder: "Ask about this workspace: where are receipts sent?",
    text,
    buttons: filters.buttons,
    left: rememberPlace(),
    asked: (question) => {
      lastQuestion = question;
    },
    ask: async (query, token, isTyping) => {
      const typed = isTyping ? { typing: true } : {};
      const parameters = { query, includeText: true, ...filters.parameters, ...typed };
      const answer = await server.ask<Answer>("cocosearch/search", parameters, token);
      return {
        choices: choicesOf(answer, query),
        title: [titleOf(answer), ...filters.words].join(" · "),
        isUnfinished: answer.state !== "ready",
        canImprove: answer.canImprove === true,
      };
    },
  });
}

/** Opens the list with the last question. */
export function askAgain(server: Server, memory: vscode.Memento): void {
  ask(server, memory, lastQuestion);
}

/** Searches for the selection, else for the clipboard: a bug report or a stack trace. */
export async function selectedText(): Promise<string> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor?.document.getText(editor.selection) ?? "";
  return selected.trim() === "" ? await vscode.env.clipboard.readText() : selected;
}

/** The selection, else the word at the cursor. */
export function textHere(): string {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return "";
  const word = editor.document.getWordRangeAtPosition(editor.selection.active);
  return editor.document.getText(editor.selection.isEmpty ? word : editor.selection);
}

function titleOf({ hits, state, indexed, total }: Answer): string {
  const count = hits.length === 1 ? "1 answer" : `${hits.length} answers`;
  const found = hits.length === 0 ? "nothing found" : count;
  return state === "ready" ? found : `${found}, ${state}, ${indexed} of ${total} files`;
}

function choicesOf({ hits, related = [], warnings }: Answer, question: string): Choice[] {
  const strong = hits.filter((hit) => !isWeak(hit));
  const weak = hits.filter(isWeak);
  const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const exported = strong.length > 0 ? strong : weak;
  return [
    ...warnings.map((label): Choice => ({ label: `$(warning) ${label}`, alwaysShow: true })),
    ...strong.map((hit) => toChoice(hit, question)),
    ...(weak.length === 0
      ? []
      : [separator("weak matches"), ...weak.map((hit) => toChoice(hit, question))]),
    ...(related.length === 0 ? [] : [separator("related files"), ...related.map(toRelatedChoice)]),
    ...(exported.length < 2 ? [] : [exportOf(exported, question)]),
  ];
}

/** Whether the hit is a weak match. */
function isWeak({ relevance }: Hit): boolean {
  return relevance === "weak" || relevance === "chance";
}

/** VS Code must not filter or sort: all choices are shown in the order of the server. */
function toChoice(hit: Hit, question: string): Choice {
  const uri = vscode.Uri.parse(hit.location.uri);
  const path = vscode.workspace.asRelativePath(uri);
  return {
    label: hit.symbol?.name ?? hit.hierarchy ?? path,
    description: `${path}:${hit.selectionRange.start.line + 1}  ${bar(hit.score)}`,
    detail: lineOf(hit),
    alwaysShow: true,
    preview: () => showHit(hit, question, true),
    accept: () => showHit(hit, question, false),
  };
}

/** The line of the edge is in the dependent file. */
function toRelatedChoice({ uri, via, edge, dependent }: RelatedToHits): Choice {
  const file = vscode.Uri.parse(uri);
  const { line } = edge.range.start;
  const at = new vscode.Position(dependent ? line : 0, 0);
  const show = async (preserveFocus: boolean) => {
    const selection = new vscode.Range(at, at);
    await vscode.window.showTextDocument(file, { selection, preserveFocus, preview: true });
  };
  const other = vscode.workspace.asRelativePath(vscode.Uri.parse(via));
  return {
    label: vscode.workspace.asRelativePath(file),
    description: `${dependent ? "uses" : "used by"} ${other}`,
    alwaysShow: true,
    preview: () => show(true),
    accept: () => show(false),
  };
}

/** The text of the best line, including unsaved changes. */
function lineOf({ bestLine, contextRange, selectionRange, symbol, text = "" }: Hit): string {
  const line = text.split("\n")[selectionRange.start.line - contextRange.start.line];
  return (bestLine?.text ?? line ?? symbol?.signature ?? "").trim();
}

/** Shows the results in VS Code's view of references, which stays open. */
function exportOf(hits: readonly Hit[], question: string): Choice {
  return {
    label: `$(${EXPORT.iconPath.id}) ${EXPORT.tooltip}`,
    alwaysShow: true,
    accept: async () => {
      const places = hits.map(({ location, selectionRange: { start } }) => {
        return new vscode.Location(
          vscode.Uri.parse(location.uri),
          new vscode.Position(start.line, start.character),
        );
      });
      await showPlaces(places, question.slice(0, MAX_TITLE_LENGTH));
    },
  };
}

/** Shows a peek view at the first place. */
export async function showPlaces(places: readonly vscode.Location[], what: string): Promise<void> {
  const [first] = places;
  if (first === undefined) {
    void vscode.window.showInformationMessage(`cocosearch: ${what}: nothing found`);
    return;
  }
  const editor = vscode.window.activeTextEditor;
  const uri = editor?.document.uri ?? first.uri;
  const at = editor?.selection.active ?? first.range.start;
  if (editor === undefined) await vscode.window.showTextDocument(first.uri);
  await vscode.commands.executeCommand("editor.action.peekLocations", uri, at, places, "peek");
}
