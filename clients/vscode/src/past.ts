/** History commands: a list of commits with diffs, and the commits that shaped the selected lines. */

import { join } from "node:path";
import * as vscode from "vscode";
import { type Choice, openPicker } from "./picker.js";
import { bar, rememberPlace } from "./places.js";
import type { Commit, HistoryAnswer } from "./protocol.js";
import type { Server } from "./server.js";

const SCHEME = "cocosearch";

/** Virtual documents, by path. */
const texts = new Map<string, string>();

/** Provides the virtual documents to VS Code. */
export function registerTexts(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ path }) => texts.get(path) ?? "",
  });
}

function textUri(path: string, text: string): vscode.Uri {
  texts.set(path, text);
  return vscode.Uri.from({ scheme: SCHEME, path });
}

/** The parts of VS Code's git extension that are used. */
interface GitApi {
  getRepository(uri: vscode.Uri): unknown;
  toGitUri(uri: vscode.Uri, revision: string): vscode.Uri;
}

async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
  if (extension === undefined) return undefined;
  try {
    return (await extension.activate()).getAPI(1);
  } catch (error) {
    // The git extension is installed, but git is disabled.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function textOf({ sha, author, age, subject, hunks }: Commit): string {
  const head = `commit ${sha}\nAuthor: ${author}\nDate:   ${age}\n\n    ${subject}\n`;
  const parts = hunks.map(({ path, patch }) => `--- a/${path}\n+++ b/${path}\n${patch ?? ""}\n`);
  return [head, ...parts].join("\n");
}

async function showText(commit: Commit, preserveFocus: boolean): Promise<void> {
  const uri = textUri(`/${commit.sha.slice(0, 10)}.diff`, textOf(commit));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus });
}

/** Opens a commit in VS Code's git extension, else its diff as text. */
async function openCommit(commit: Commit): Promise<void> {
  const git = await gitApi();
  const root = vscode.Uri.file(commit.root);
  if (git === undefined || git.getRepository(root) === null) return showText(commit, false);
  const changes = commit.files.map(({ path }) => {
    const uri = vscode.Uri.file(join(commit.root, path));
    return [uri, git.toGitUri(uri, `${commit.sha}^`), git.toGitUri(uri, commit.sha)];
  });
  const title = `${commit.sha.slice(0, 10)} ${commit.subject}`;
  await vscode.commands.executeCommand("vscode.changes", title, changes);
}

function toChoice(commit: Commit): Choice {
  return {
    label: commit.subject,
    description: `${commit.age}  ${bar(commit.score)}`,
    detail: `${commit.sha.slice(0, 10)} ${commit.author}`,
    alwaysShow: true,
    preview: () => showText(commit, true),
    accept: () => openCommit(commit),
  };
}

/** Searches commits while the user types. */
export function askHistory(server: Server, memory: vscode.Memento): void {
  openPicker({
    server,
    memory,
    title: "Find commits",
    placeholder: "Ask about the past: when were retries added?",
    text: "",
    buttons: [],
    left: rememberPlace(),
    ask: async (query, token) => {
      const answer = await server.ask<HistoryAnswer>(
        "cocosearch/history",
        { query, patch: true },
        token,
      );
      const { state, reason } = answer.history;
      const count = answer.commits.length;
      const found = count === 0 ? "no commit found" : `${count} commits`;
      return {
        choices: answer.commits.map(toChoice),
        title: state === "ready" ? found : `${found}, ${reason ?? `the history is ${state}`}`,
        isUnfinished: false,
        canImprove: false,
      };
    },
  });
}

/** Shows the commits that shaped the selected lines as a document. */
export async function explainSelection(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return;
  const { document, selection } = editor;
  const last = selection.end.line;
  const range = {
    start: { line: selection.start.line, character: 0 },
    end: { line: last + 1, character: 0 },
  };
  const { summary } = await server.ask<{ summary: string }>("cocosearch/explain", {
    uri: document.uri.toString(),
    range,
  });
  const name = vscode.workspace.asRelativePath(document.uri);
  const title = `# ${name}:${selection.start.line + 1}-${last + 1}`;
  const uri = textUri(
    "/explain.md",
    `${title}\n\n${summary === "" ? "Not committed." : summary}\n`,
  );
  await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
}
