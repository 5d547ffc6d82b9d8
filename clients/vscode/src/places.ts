/** Previews places with the query words highlighted, and restores the previous position. */

import * as vscode from "vscode";
import type { Hit, Range } from "./protocol.js";

const CONTEXT = vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
});
const LINE = vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor("editor.selectionHighlightBackground"),
});
const WORDS = vscode.window.createTextEditorDecorationType({
  backgroundColor: new vscode.ThemeColor("editor.findMatchHighlightBackground"),
  borderRadius: "2px",
});

/** The list covers the upper part of the editor, so previews scroll the line below it. */
const SHOWN_AT = 0.7;

const COMMON = new Set(
  "a about all an and any are as at be by can code do does find for from get gets has have how i if in into is it its me my not of on or our should that the their them then there these this to up us use used uses using was we were what when where which who why will with you".split(
    " ",
  ),
);

export function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** The ranges of the query words in lines of a document. */
function wordsIn(
  document: vscode.TextDocument,
  lines: vscode.Range,
  question: string,
): vscode.Range[] {
  const words = question
    .replaceAll(/\b[a-z]+:\S+/g, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word.length > 1 && !COMMON.has(word))
    .map((word) => (word.length > 3 ? word.replace(/(?:ing|ed|es|s)$/, "") : word));
  if (words.length === 0) return [];
  const text = document.getText(lines);
  const from = document.offsetAt(lines.start);
  const lower = text.toLowerCase();
  return [...new Set(words)].flatMap((word) => {
    const found: vscode.Range[] = [];
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
      const start = document.positionAt(from + at);
      found.push(new vscode.Range(start, document.positionAt(from + at + word.length)));
    }
    return found;
  });
}

function clear(editor: vscode.TextEditor): void {
  for (const each of [CONTEXT, LINE, WORDS]) editor.setDecorations(each, []);
}

/** Shows a hit. While the list is open, its line is scrolled below the list and highlighted. */
export async function showHit(hit: Hit, question: string, isPreview: boolean): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(hit.location.uri));
  const editor = await vscode.window.showTextDocument(document, {
    preview: true,
    preserveFocus: isPreview,
  });
  const { start } = hit.selectionRange;
  const place = new vscode.Position(start.line, start.character);
  editor.selection = new vscode.Selection(place, place);
  if (!isPreview) {
    clear(editor);
    editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenter);
    return;
  }
  const lines = document.validateRange(toRange(hit.contextRange));
  editor.setDecorations(CONTEXT, [lines]);
  editor.setDecorations(LINE, [new vscode.Range(place, place)]);
  editor.setDecorations(WORDS, wordsIn(document, lines, question));
  const [visible] = editor.visibleRanges;
  const height = visible === undefined ? 40 : visible.end.line - visible.start.line;
  const top = Math.max(0, place.line - Math.round(height * SHOWN_AT));
  editor.revealRange(new vscode.Range(top, 0, top, 0), vscode.TextEditorRevealType.AtTop);
}

/** Saves the current position; the returned function restores it. */
export function rememberPlace(): () => Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const document = editor?.document;
  const selection = editor?.selection;
  const [visible] = editor?.visibleRanges ?? [];
  return async () => {
    for (const each of vscode.window.visibleTextEditors) clear(each);
    if (document === undefined || selection === undefined) {
      if (vscode.window.activeTextEditor !== undefined) {
        await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
      }
      return;
    }
    const back = await vscode.window.showTextDocument(document, { selection });
    if (visible !== undefined) back.revealRange(visible, vscode.TextEditorRevealType.AtTop);
  };
}

/** A score as a bar of four characters. */
export function bar(score: number): string {
  const full = Math.round(Math.min(1, Math.max(0, score)) * 4);
  return "■".repeat(full) + "□".repeat(4 - full);
}
