/** Graph commands: lists of related files and calls. */

import * as vscode from "vscode";
import { showPlaces } from "./ask.js";
import type { Answer, Call, ImpactFile, RelatedFile } from "./protocol.js";
import type { Server } from "./server.js";

/** The active file, and the folder that paths in answers are relative to. */
function current(): { readonly path: string; readonly folder: vscode.Uri } | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const folder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
  if (uri !== undefined && folder !== undefined) return { path: uri.fsPath, folder: folder.uri };
  void vscode.window.showInformationMessage("cocosearch: open a file of the workspace first");
  return undefined;
}

/** Notes that a list is cut. An older server sends no total. */
function noteMore(what: string, shown: number, total = shown): void {
  if (shown >= total) return;
  void vscode.window.showInformationMessage(`cocosearch: ${shown} of ${total} ${what} are shown`);
}

function placeIn(folder: vscode.Uri, path: string, line = 0): vscode.Location {
  return new vscode.Location(vscode.Uri.joinPath(folder, path), new vscode.Position(line, 0));
}

/** The line of the edge is in the dependent file. */
function placeOf(
  folder: vscode.Uri,
  file: Partial<RelatedFile> & { path: string },
): vscode.Location {
  return placeIn(folder, file.path, file.dependent === true ? file.line : 0);
}

export async function showRelated(server: Server): Promise<void> {
  const here = current();
  if (here === undefined) return;
  const { files, total } = await server.ask<{
    files: readonly RelatedFile[];
    total?: number;
  }>("cocosearch/related", { path: here.path });
  noteMore("files", files.length, total);
  await showPlaces(
    files.map((file) => placeOf(here.folder, file)),
    "related files",
  );
}

export async function showImpact(server: Server): Promise<void> {
  const here = current();
  if (here === undefined) return;
  const { files, total, tests, testsTotal } = await server.ask<{
    files: readonly ImpactFile[];
    total?: number;
    tests: readonly string[];
    testsTotal?: number;
  }>("cocosearch/impact", { paths: [here.path] });
  noteMore("files", files.length, total);
  noteMore("tests", tests.length, testsTotal);
  const others = tests.filter((test) => files.every(({ path }) => path !== test));
  const places = [
    ...files.map((file) => placeOf(here.folder, file)),
    ...others.map((test) => placeIn(here.folder, test)),
  ];
  await showPlaces(places, "what a change of this file may touch");
}

export async function showPath(server: Server): Promise<void> {
  const here = current();
  if (here === undefined) return;
  const [target] =
    (await vscode.window.showOpenDialog({
      title: "How this file depends on",
      defaultUri: here.folder,
    })) ?? [];
  if (target === undefined) return;
  const { files } = await server.ask<{ files: readonly string[] }>("cocosearch/path", {
    from: here.path,
    to: target.fsPath,
  });
  await showPlaces(
    files.map((path) => placeIn(here.folder, path)),
    "the way between the two files",
  );
}

/** Finds code in other files that resembles the code at the cursor. */
export async function showSimilar(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || current() === undefined) return;
  const { hits } = await server.ask<Pick<Answer, "hits">>("cocosearch/similar", {
    uri: editor.document.uri.toString(),
    position: { line: editor.selection.active.line, character: 0 },
  });
  const places = hits.map(({ location, selectionRange: { start } }) => {
    return new vscode.Location(
      vscode.Uri.parse(location.uri),
      new vscode.Position(start.line, start.character),
    );
  });
  await showPlaces(places, "similar code");
}

export async function showCalls(server: Server, method: "callers" | "callees"): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const word = editor?.document.getWordRangeAtPosition(editor.selection.active);
  const name =
    word === undefined
      ? await vscode.window.showInputBox({ prompt: "The name of a definition: Pool.open" })
      : editor?.document.getText(word);
  if (name === undefined || name === "") return;
  const { calls, total } = await server.ask<{ calls: readonly Call[]; total?: number }>(
    `cocosearch/${method}`,
    { name },
  );
  noteMore("calls", calls.length, total);
  const places = calls.map(({ location, target }) => {
    const { uri, range } = method === "callers" ? location : target.location;
    return new vscode.Location(
      vscode.Uri.parse(uri),
      new vscode.Position(range.start.line, range.start.character),
    );
  });
  await showPlaces(places, `${method} of ${name}`);
}
