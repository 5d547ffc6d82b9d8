/** VS Code: asks in a quick pick that keeps our order, shows the state of the index, and starts the server. */

import * as vscode from "vscode";
import { LanguageClient, type ServerOptions, TransportKind } from "vscode-languageclient/node";

interface Range {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

interface Hit {
  readonly location: { readonly uri: string; readonly range: Range };
  readonly selectionRange: Range;
  readonly contextRange: Range;
  readonly score: number;
  readonly symbol?: { readonly name: string; readonly signature: string };
  readonly hierarchy?: string;
}

interface Answer {
  readonly hits: readonly Hit[];
  readonly warnings: readonly string[];
}

interface Status {
  readonly state: string;
  readonly reason?: string;
  readonly indexed: number;
  readonly total: number;
}

interface Choice extends vscode.QuickPickItem {
  readonly hit?: Hit;
}

/** A question is asked when the keys have rested for so long. */
const REST_MS = 200;

const ICONS: Readonly<Record<string, string>> = {
  ready: "$(search)",
  indexing: "$(sync~spin)",
  paused: "$(debug-pause)",
};

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const started = createClient();
  client = started;
  const state = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  state.command = "cocosearch.ask";
  // The names cocosearch.search, .status and .reindex are the server's; the client library registers those.
  context.subscriptions.push(
    state,
    vscode.commands.registerCommand("cocosearch.ask", () => ask(started)),
    vscode.commands.registerCommand("cocosearch.askAboutSelection", async () =>
      ask(started, await selectedText()),
    ),
    vscode.commands.registerCommand("cocosearch.showStatus", () => tellStatus(started)),
    vscode.commands.registerCommand("cocosearch.indexAgain", () =>
      started.sendRequest("cocosearch/reindex", {}),
    ),
  );
  started.onNotification("cocosearch/statusChanged", (status: Status) => show(state, status));
  await started.start();
  show(state, await started.sendRequest<Status>("cocosearch/status", {}));
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** The program is the user's to choose, and never a workspace's: the setting's scope is the machine. */
function createClient(): LanguageClient {
  const command = vscode.workspace.getConfiguration("cocosearch").get("program", "cocosearch-lsp");
  const server: ServerOptions = { command, args: ["--stdio"], transport: TransportKind.stdio };
  return new LanguageClient("cocosearch", "cocosearch", server, {
    documentSelector: [{ scheme: "file" }],
    synchronize: { configurationSection: "cocosearch" },
  });
}

/** What is selected in the editor, else what is in the clipboard: a bug report or a stack trace. */
async function selectedText(): Promise<string> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor?.document.getText(editor.selection) ?? "";
  return selected.trim() === "" ? await vscode.env.clipboard.readText() : selected;
}

/**
 * Nothing is filtered or sorted again: each choice is always shown, in the order of the server. `text` is asked at once;
 * what is typed then replaces it.
 */
function ask(started: LanguageClient, text = ""): void {
  const pick = vscode.window.createQuickPick<Choice>();
  pick.placeholder = "Ask about this workspace: where are receipts sent?";
  let asked = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  pick.onDidChangeValue((query) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void answer(query, ++asked), REST_MS);
  });
  pick.onDidChangeActive(([choice]) => void preview(choice?.hit));
  pick.onDidAccept(() => {
    const [choice] = pick.selectedItems;
    pick.hide();
    void open(choice?.hit, false);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
  void answer(text, asked);

  async function answer(query: string, turn: number): Promise<void> {
    if (query.trim() === "") return;
    pick.busy = true;
    const { hits, warnings } = await started.sendRequest<Answer>("cocosearch/search", { query });
    if (turn !== asked) return;
    pick.busy = false;
    const said = warnings.map(
      (label): Choice => ({ label: `$(warning) ${label}`, alwaysShow: true }),
    );
    pick.items = [...hits.map(toChoice), ...said];
  }
}

function toChoice(hit: Hit): Choice {
  const uri = vscode.Uri.parse(hit.location.uri);
  const line = hit.selectionRange.start.line + 1;
  return {
    label: hit.symbol?.name ?? hit.hierarchy ?? vscode.workspace.asRelativePath(uri),
    description: `${vscode.workspace.asRelativePath(uri)}:${line}`,
    detail: hit.symbol?.signature ?? "",
    alwaysShow: true,
    hit,
  };
}

async function preview(hit: Hit | undefined): Promise<void> {
  await open(hit, true);
}

async function open(hit: Hit | undefined, isPreview: boolean): Promise<void> {
  if (hit === undefined) return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(hit.location.uri));
  const editor = await vscode.window.showTextDocument(document, {
    preview: true,
    preserveFocus: isPreview,
  });
  const { start } = hit.selectionRange;
  const place = new vscode.Position(start.line, start.character);
  editor.selection = new vscode.Selection(place, place);
  const { start: from, end: to } = hit.contextRange;
  const around = new vscode.Range(from.line, from.character, to.line, to.character);
  editor.revealRange(around, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function tellStatus(started: LanguageClient): Promise<void> {
  const { state, reason, indexed, total } = await started.sendRequest<Status>(
    "cocosearch/status",
    {},
  );
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
