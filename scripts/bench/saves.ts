/** Measures the time from saving a file to finding its new text, saved by another program and by an editor. One JSON line each. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { SearchResponse } from "../../server/lsp/search.ts";
import { type Editor, openEditor } from "../editor.ts";
import { ended, indexed } from "../evaluation/server.ts";
import { percentile, rounded } from "./statistics.ts";
import { generateTree } from "./tree.ts";

const USAGE = `usage: node --import tsx scripts/bench/saves.ts [--files N] [--saves N] [--pause MS]

  --files N    a generated tree of N small files (default: 2000)
  --saves N    how often something is saved, each way (default: 100)
  --pause MS   between two saves, and up to 700 ms more (default: 300)`;

/** Short compared with the measured times. */
const POLL_MS = 3;
/** So that saves and timers do not keep step. */
const SPREAD_MS = 700;
const ENGINE_IDLE_SECONDS = 1;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      files: { type: "string", default: "2000" },
      saves: { type: "string", default: "100" },
      pause: { type: "string", default: "300" },
    },
  });
  const [files, saves] = [Number(values.files), Number(values.saves)];
  const pauseMs = Number(values.pause);
  if (!(files > 0 && saves > 0 && pauseMs >= 0)) {
    console.error(USAGE);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-saves-"));
  try {
    const [root, home] = [join(folder, "tree"), join(folder, "home")];
    mkdirSync(root);
    generateTree(root, files);
    const editor = await openEditor(root, home, ENGINE_IDLE_SECONDS);
    const { engine } = await indexed(editor.connection, root);
    const other = await openEditor(root, home, ENGINE_IDLE_SECONDS);
    await indexed(other.connection, root);
    const pause = () => delay(pauseMs + Math.random() * SPREAD_MS);
    await savedByAProgram(editor, root, saves, pause);
    await savedByAnEditor([editor, other], root, saves, pause);
    await other.close();
    await editor.close();
    await ended(engine.pid);
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** From the end of the write until an editor finds it. */
async function savedByAProgram(
  editor: Editor,
  root: string,
  saves: number,
  pause: () => Promise<void>,
): Promise<void> {
  const found: number[] = [];
  for (let n = 0; n < saves; n++) {
    await pause();
    const name = nameOf("program", n);
    writeFileSync(join(root, "area_0", `program_${n % 10}.py`), textOf(name));
    found.push(await untilFound(editor, name));
  }
  print("a program saves, an editor finds", found);
}

/** Typing and saving in one editor, seen by itself right after typing, and by another one after saving. */
async function savedByAnEditor(
  [editor, other]: readonly [Editor, Editor],
  root: string,
  saves: number,
  pause: () => Promise<void>,
): Promise<void> {
  const own: number[] = [];
  const after: number[] = [];
  const byOther: number[] = [];
  const file = join(root, "area_0", "typed.py");
  const uri = pathToFileURL(file).href;
  writeFileSync(file, textOf("typed_at_first"));
  await editor.connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "python", version: 0, text: textOf("typed_at_first") },
  });
  for (let n = 1; n <= saves; n++) {
    await pause();
    const name = nameOf("typed", n);
    await editor.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: n },
      contentChanges: [{ text: textOf(name) }],
    });
    own.push(await untilFound(editor, name));
    await pause();
    writeFileSync(file, textOf(name));
    await editor.connection.sendNotification("textDocument/didSave", { textDocument: { uri } });
    const [mine, theirs] = await Promise.all([untilFound(editor, name), untilFound(other, name)]);
    after.push(mine);
    byOther.push(theirs);
  }
  print("an editor types, finds it itself", own);
  print("an editor saves, finds it itself", after);
  print("an editor saves, another one finds", byOther);
}

async function untilFound({ connection }: Editor, name: string): Promise<number> {
  const start = performance.now();
  for (;;) {
    const { hits } = await connection.sendRequest<SearchResponse>("cocosearch/search", {
      query: name,
      limit: 1,
    });
    if (hits[0]?.symbol?.name === name) return performance.now() - start;
    await delay(POLL_MS);
  }
}

/** Letters only: a name that nothing else is like. */
function nameOf(kind: string, n: number): string {
  const letters = String(n)
    .padStart(4, "0")
    .replaceAll(/\d/g, (digit) => "bdfhjlnprt".charAt(Number(digit)));
  return `${kind}_${letters}`;
}

function textOf(name: string): string {
  return `"""What ${name} is for."""\n\n\ndef ${name}(entries):\n    return [entry for entry in entries if entry]\n`;
}

function print(what: string, ms: readonly number[]): void {
  const of = (share: number) => rounded(percentile(ms, share));
  console.log(JSON.stringify({ what, saves: ms.length, p50: of(0.5), p95: of(0.95), max: of(1) }));
}

process.exitCode = await main();
