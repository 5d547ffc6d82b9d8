/** Notebooks: cells are indexed at the lines of the file, without outputs. */

import { expect, it } from "vitest";
import { decodeFacts } from "../../../server/contracts/encoded-facts.ts";
import type { CutFile } from "../../../server/contracts/model.ts";
import { NO_FACTS, unpackFacts } from "../../../server/contracts/packed-facts.ts";
import { leadInFile } from "../../../server/indexing/notebooks/file-lead.ts";
import { notebookLines, readNotebook } from "../../../server/indexing/notebooks/notebook.ts";
import { type Prepared, prepareFile } from "../../../server/indexing/prepare.ts";
import { createLanguages } from "../../../server/languages/languages.ts";

const languages = createLanguages();
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAA".repeat(50);

interface CellSource {
  readonly type?: string;
  readonly code: string;
  readonly outputs?: unknown;
}

/** The format of Jupyter: each line of a cell is a line of the file. */
function notebook(cells: readonly CellSource[], kernel = "python", indent = 1) {
  const written = cells.map(({ type = "code", code, outputs }) => ({
    cell_type: type,
    metadata: {},
    ...(type === "code" ? { outputs: outputs ?? [] } : {}),
    source: code.split(/(?<=\n)/),
  }));
  const metadata = { kernelspec: { language: kernel, name: "k" }, language_info: { name: kernel } };
  return JSON.stringify({ cells: written, metadata, nbformat: 4 }, undefined, indent);
}

function prepare(text: string, path = "work/model.ipynb", maxFileBytes?: number) {
  const bytes = Buffer.from(text);
  const record = { path, sha256: "00", size: bytes.length, mtimeMs: 1 };
  const limit = maxFileBytes === undefined ? {} : { maxFileBytes };
  return prepareFile(bytes, { ...record, chunkSize: 1500, chunkOverlap: 300, ...limit }, languages);
}

function fileOf(prepared: Prepared): CutFile {
  if (prepared.kind !== "prepared") throw new Error(`left out: ${prepared.rule}`);
  return prepared.file;
}

/** The 0-based line of the file that contains a text. */
function lineWith(text: string, part: string): number {
  return text.split("\n").findIndex((line) => line.includes(part));
}

const TRAIN = `import pandas as pd\n%matplotlib inline\ndef train(df):\n    return df["a\\tb"]\n`;
const CELLS: readonly CellSource[] = [
  { type: "markdown", code: "# Training\n\nHow it is *done*." },
  { code: TRAIN, outputs: [{ data: { "image/png": PICTURE, "text/plain": ["train(1)\n"] } }] },
  { code: "!pip install x\nmodel = train(pd.DataFrame())" },
];

it("Definitions and calls have the lines of the file", async () => {
  const text = notebook(CELLS);
  const { chunks, facts, languageId, parse } = fileOf(await prepare(text));
  expect([languageId, parse.status]).toEqual(["python", "ok"]);
  const definition = lineWith(text, "def train");
  expect(chunks.flatMap(({ symbols }) => symbols)).toMatchObject([
    { name: "train", type: "function", nameLine: definition },
  ]);
  const decoded = decodeFacts(unpackFacts(facts ?? NO_FACTS));
  expect(decoded?.definitions[0]).toMatchObject({ name: "train", line: definition });
  expect(decoded?.calls.map(({ chain, line }) => [chain, line])).toContainEqual([
    "train",
    lineWith(text, "model = "),
  ]);
});

it("Each cell is a chunk of unescaped code, without outputs", async () => {
  const text = notebook(CELLS);
  const { chunks } = fileOf(await prepare(text));
  expect(chunks.map((chunk) => chunk.text)).toEqual([
    "# Training\n\nHow it is *done*.",
    TRAIN.trimEnd(),
    "!pip install x\nmodel = train(pd.DataFrame())",
  ]);
  expect(chunks.map(({ lines }) => lines.start)).toEqual(
    ["# Training", "import pandas", "!pip"].map((part) => lineWith(text, part)),
  );
});

it("`notebookLines` returns the code of cells and empty lines elsewhere", () => {
  const text = notebook(CELLS);
  const lines = notebookLines(text) ?? [];
  expect(lines).toHaveLength(text.split("\n").length);
  expect(lines[lineWith(text, "return df")]).toBe('    return df["a\\tb"]');
  expect(lines.filter((line) => line !== "")).toHaveLength(8);
});

it("A notebook on one line keeps its code and definitions on that line", async () => {
  const text = notebook(CELLS, "python", 0);
  const { chunks } = fileOf(await prepare(text));
  expect(chunks).toHaveLength(3);
  expect(new Set(chunks.map(({ lines }) => `${lines.start}-${lines.end}`))).toEqual(
    new Set(["0-0"]),
  );
  expect(chunks.flatMap(({ symbols }) => symbols)).toMatchObject([{ name: "train", nameLine: 0 }]);
  expect(new Set(chunks.map(({ span }) => span.start)).size).toBe(3);
  expect(notebookLines(text)?.[0]).toContain("def train(df):  ");
});

it("A cell source may be one string", () => {
  const text = `{"cells": [\n{"cell_type": "code",\n"source": "a = 1\\nb = \\"\\u00e9\\""}],\n"metadata": {}}`;
  expect(readNotebook(text)?.cells).toEqual([
    {
      type: "code",
      lines: [
        { text: "a = 1", line: 2 },
        { text: 'b = "é"', line: 2 },
      ],
    },
  ]);
});

it("Notebooks from before 2015 have their cells in worksheets", () => {
  const cell = { cell_type: "code", language: "python", input: ["def f():\n", "  pass"] };
  const text = JSON.stringify({ worksheets: [{ cells: [cell] }], nbformat: 3 }, undefined, 1);
  expect(readNotebook(text)?.cells[0]?.lines.map((line) => line.text)).toEqual([
    "def f():",
    "  pass",
  ]);
});

it("A cell may have its own language", async () => {
  const text = notebook([{ code: "%%bash\nbuild_all() {\n  make\n}" }, { code: "x = 1" }]);
  const { chunks } = fileOf(await prepare(text));
  expect(chunks.flatMap(({ symbols }) => symbols)).toMatchObject([{ name: "build_all" }]);
});

it("Constants of a notebook are definitions, its other variables are not", async () => {
  const text = notebook([
    { code: "SEED = 3\nframe = read(SEED)" },
    { code: "class Model:\n  SIZE = 1" },
  ]);
  const { chunks } = fileOf(await prepare(text));
  const names = chunks.flatMap(({ symbols }) => symbols.map(({ name }) => name));
  expect(names).toEqual(["SEED", "Model", "Model.SIZE"]);
});

it("Commands leave the code around them parsable", async () => {
  const code =
    "%matplotlib inline\nfor i in a:\n    %time run(i)\nrun?\nfiles = !ls\ndef run(n): pass";
  const { chunks, parse } = fileOf(await prepare(notebook([{ code }])));
  expect(parse).toEqual({ status: "ok" });
  expect(chunks.flatMap(({ symbols }) => symbols)).toMatchObject([{ name: "run" }]);
});

it.each([
  ['    "\\tdef f():\\n",', "\t", '    "\\t'],
  ['    "s = \\"a\\"; f()"', 's = "a"; ', '    "s = \\"a\\"; '],
  ["    \"s = '\\u00e9\\\\'; f()\"", "s = 'é\\'; ", "    \"s = '\\u00e9\\\\'; "],
  ['  "source": "a = 1\\nf()"', "", undefined],
])("in %s, the text before a column is that of the file", (written, lead, expected) => {
  expect(leadInFile(written, lead)).toBe(expected);
});

it("A notebook has the language of its kernel", async () => {
  const text = notebook([{ code: "area <- function(r) {\n  pi * r\n}" }], "R");
  const { chunks, languageId } = fileOf(await prepare(text));
  expect(languageId).toBe("r");
  expect(chunks.flatMap(({ symbols }) => symbols)).toMatchObject([{ name: "area" }]);
});

it("maxFileBytes applies to the code, not to outputs", async () => {
  const text = notebook(CELLS);
  expect((await prepare(text, undefined, 1_000)).kind).toBe("prepared");
  expect(await prepare(text, undefined, 50)).toEqual({
    kind: "excluded",
    rule: "larger than maxFileBytes (50)",
  });
});

it.each([
  ["is cut off", notebook(CELLS).slice(0, -3)],
  ["is not a notebook", '{"a": [1, 2]}'],
  ["has a hundred thousand cells", `{"cells": [${'{"source": "a"},'.repeat(100_000)}1]}`],
  ["is deeply nested", `{"cells": ${"[".repeat(100_000)}`],
])("A notebook is indexed as JSON if it %s", async (_, text) => {
  expect(readNotebook(text)).toBeUndefined();
  expect(fileOf(await prepare(text)).languageId).toBe("json");
});

it("A cell with a secret is redacted, and the others are kept", async () => {
  const secret = `key = "${["AKIA", "ABCDEFGH12345678"].join("")}"`;
  const file = fileOf(await prepare(notebook([...CELLS, { code: secret }])));
  expect([file.secrets, file.chunks.length]).toEqual([1, 3]);
});
