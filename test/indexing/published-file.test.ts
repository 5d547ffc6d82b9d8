/** Published rows against the file that they are said to be of. */

import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { FileTerms } from "../../server/contracts/file-terms.ts";
import type { Chunk } from "../../server/contracts/model.ts";
import { NO_FACTS, packFacts, unpackFacts } from "../../server/contracts/packed-facts.ts";
import { packTerms } from "../../server/contracts/packed-terms.ts";
import { type PublishedFile, TEXT_HASH_LENGTH } from "../../server/contracts/published-file.ts";
import { prepareFile } from "../../server/indexing/prepare.ts";
import { fileOf, takePublished } from "../../server/indexing/published-file.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { countFileTerms } from "../../server/search/lanes/count-file-terms.ts";
import { textsOf } from "../support/file-terms.ts";

const TEXT = `import { tax } from "./tax";

/** Sums größere Beträge. */
export class Cart extends Base {
  total(items: number[]): number {
    return items.reduce((sum, item) => sum + tax(item), 0);
  }
}

export default function empty() {
  return new Cart().total([]);
}
`;
const languages = createLanguages();
const local = { path: "src/cart.ts", sha256: "s", size: TEXT.length, mtimeMs: 1.5 };

/** Rows whose chunks and terms are not packed yet, so that tests change them. */
interface Rows extends Omit<PublishedFile, "chunks" | "terms" | "vectors"> {
  readonly chunks: readonly Chunk[];
  readonly terms: FileTerms;
}

const cutting = { chunkSize: 160, chunkOverlap: 0 };

async function published(text = TEXT, path = local.path): Promise<Rows> {
  const prepared = await prepareFile(Buffer.from(text), { ...local, path, ...cutting }, languages);
  if (prepared.kind !== "prepared") throw new Error(prepared.rule);
  const { file } = prepared;
  const { facts = NO_FACTS, languageId, category, parse, secrets, chunks } = file;
  const terms = countFileTerms(path, chunks);
  return { path, sha256: "s", languageId, category, parse, secrets, chunks, facts, terms };
}

/** The rows as the database sends them. */
const packed = ({ chunks, terms, ...file }: Rows): PublishedFile => ({
  ...file,
  chunks: JSON.stringify(
    chunks.map(({ span, lines, context, blockType = null, hierarchy = null, symbols, text }) => [
      span.start,
      span.end,
      lines.start,
      lines.end,
      context.start,
      context.end,
      blockType,
      hierarchy,
      symbols,
      createHash("sha256").update(text).digest("hex").slice(0, TEXT_HASH_LENGTH),
    ]),
  ),
  terms: packTerms(terms),
});

const take = (rows: Rows, text = TEXT, maxFileBytes?: number) =>
  takePublished(Buffer.from(text), packed(rows), languages, maxFileBytes);

describe("The rows of a published file", () => {
  let rows: Rows;
  beforeAll(async () => {
    rows = await published();
  });
  const withChunk = (change: (chunk: Chunk) => object): Rows => {
    const [first, ...others] = rows.chunks;
    const last = others.pop();
    if (first === undefined || last === undefined) throw new Error("there are too few chunks");
    return { ...rows, chunks: [first, ...others, { ...last, ...change(last) }] };
  };
  const withFacts = (change: (head: unknown[], body: [string[], number[], number[]]) => void) => {
    const [head = "", body = ""] = unpackFacts(rows.facts).split("\n");
    const parts = [JSON.parse(head), JSON.parse(body)] as const;
    change(parts[0], parts[1]);
    return { ...rows, facts: packFacts(parts.map((part) => JSON.stringify(part)).join("\n")) };
  };

  it("are taken as they are if they are of the file", async () => {
    const { facts, chunks, terms } = rows;
    const taken = await take(rows);
    expect(taken).toMatchObject({ kind: "taken", chunks });
    if (taken.kind !== "taken" || taken.terms === undefined) throw new Error("nothing was taken");
    expect(textsOf(taken.terms)).toEqual(textsOf(terms));
    expect(chunks.length).toBeGreaterThan(1);
    expect(facts.length).toBeGreaterThan(0);
    const { path: _path, sha256: _sha256, ...found } = local;
    const texts = chunks.map(({ text }) => text);
    const all = { ...found, texts, terms, areTermsRefused: false };
    const { terms: _terms, ...file } = rows;
    expect(fileOf(packed(rows), all)).toEqual({ ...file, ...found, terms });
  });

  it.each([
    [
      "steps without a name",
      ".github/workflows/ci.yml",
      "jobs:\n  test:\n    steps:\n      - run: |\n          make\n          make test\n      - with:\n          a: 1\n          b: 2\n",
    ],
    [
      "a companion object without a name",
      "Cart.kt",
      "class Cart {\n  companion object {\n    fun empty() = Cart()\n  }\n}\n",
    ],
    [
      "calls of the base class",
      "Cart.cs",
      "class Cart : Box {\n  public override int Sum() { return base.Sum(); }\n}\n",
    ],
    [
      "calls of the parent",
      "Cart.php",
      "<?php\nclass Cart extends Box {\n  function sum() { return parent::sum(); }\n}\n",
    ],
    [
      "usings of a project",
      "Cart.csproj",
      '<Project>\n  <ItemGroup>\n    <Using Include="Shop.Boxes" />\n  </ItemGroup>\n</Project>\n',
    ],
    [
      "modules that are replaced",
      "go.mod",
      "module example.org/cart\n\nrequire example.org/box v1.0.0\n",
    ],
    [
      "the manifest of a crate",
      "Cargo.toml",
      '[package]\nname = "cart"\n\n[lib]\nname = "cart_lib"\npath = "lib.rs"\n',
    ],
    [
      "modules that are used in the call that requires them",
      "cart.js",
      'require("@shop/box-one").open();\n',
    ],
    [
      "used modules",
      "cart.ex",
      "defmodule Cart do\n  use Shop.Box, size: 1\n  def sum(a), do: a\nend\n",
    ],
  ])("are taken with %s", async (_, path, text) => {
    const named = await published(text, path);
    expect(await take(named, text)).toMatchObject({ kind: "taken" });
  });

  it("are not comparable with a file that is excluded here, or whose text depends on more", async () => {
    expect(await take(rows, TEXT, 10)).toEqual({ kind: "not comparable" });
    const latin1 = Buffer.from("caf\u00e9 au lait, s'il vous pla\u00eet", "latin1");
    const of = (bytes: Uint8Array, path = local.path) =>
      takePublished(bytes, packed({ ...rows, path }), languages);
    expect(await of(latin1)).toEqual({ kind: "not comparable" });
    expect(await of(Buffer.from([0, 1, 2, 3]))).toEqual({ kind: "not comparable" });
    expect(await of(Buffer.from("{}"), "a.ipynb")).toEqual({ kind: "not comparable" });
    const generated = `// Code generated by tool. DO NOT EDIT.\n${TEXT}`;
    expect(await take(rows, generated)).toEqual({ kind: "not comparable" });
  });

  const symbol = { name: "empty", type: "function", signature: "function empty()" } as const;
  const at = { lines: { start: 9, end: 11 }, nameLine: 9 };
  it.each([
    ["another text", () => withChunk(({ text }) => ({ text: text.replace("Cart", "Evil") }))],
    ["a longer text", () => withChunk(({ text }) => ({ text: `${text} rm -rf` }))],
    [
      "a range that begins within a character",
      () => withChunk(({ span }) => ({ span: { start: TEXT.indexOf("ö") + 1, end: span.end } })),
    ],
    ["a range that is text", () => withChunk(({ span }) => ({ span: { ...span, start: "0" } }))],
    ["a block type that is a list", () => withChunk(() => ({ blockType: ["method"] }))],
    [
      "a range behind the file",
      () => withChunk(({ span }) => ({ span: { start: span.start, end: 9_999 } })),
    ],
    [
      "an empty range",
      () => withChunk(({ span }) => ({ span: { start: span.start, end: span.start } })),
    ],
    [
      "other lines",
      () => withChunk(({ lines }) => ({ lines: { start: lines.start, end: lines.end + 1 } })),
    ],
    ["a context behind the file", () => withChunk(() => ({ context: { start: 0, end: 99 } }))],
    ["a context that is reversed", () => withChunk(() => ({ context: { start: 2, end: 1 } }))],
    ["a scope of other words", () => withChunk(() => ({ hierarchy: "Evil" }))],
    ["a block type that is a sentence", () => withChunk(() => ({ blockType: "run this" }))],
    [
      "a name of other words",
      () => withChunk(() => ({ symbols: [{ ...symbol, ...at, name: "evil" }] })),
    ],
    [
      "a signature of other words",
      () => withChunk(() => ({ symbols: [{ ...symbol, ...at, signature: "evil()" }] })),
    ],
    [
      "a signature with an escape",
      () => withChunk(() => ({ symbols: [{ ...symbol, ...at, signature: "empty\u001b[2J" }] })),
    ],
    [
      "a definition behind the file",
      () => withChunk(() => ({ symbols: [{ ...symbol, ...at, lines: { start: 9, end: 99 } }] })),
    ],
    [
      "a name outside of its definition",
      () => withChunk(() => ({ symbols: [{ ...symbol, ...at, nameLine: 2 }] })),
    ],
    [
      "an unknown kind of symbol",
      () => withChunk(() => ({ symbols: [{ ...symbol, ...at, type: "evil" }] })),
    ],
    ["symbols that are none", () => withChunk(() => ({ symbols: [null] }))],
    ["a chunk twice", () => ({ ...rows, chunks: rows.chunks.flatMap((chunk) => [chunk, chunk]) })],
    ["another language", () => ({ ...rows, languageId: "python" })],
    ["another category", () => ({ ...rows, category: "docs" as const })],
    [
      "a parse message with an escape",
      () => ({ ...rows, parse: { status: "error" as const, message: "\u001b[2J" } }),
    ],
    ["a negative number of secrets", () => ({ ...rows, secrets: -1 })],
    ["facts that are none", () => ({ ...rows, facts: Buffer.from("abc") })],
    ["facts of other words", () => withFacts((_, [strings]) => void (strings[0] = "evil"))],
    ["facts of another version", () => withFacts((head) => void (head[0] = 1))],
    ["imports of other words", () => withFacts((head) => void (head[3] = [[0, "evil", 0, -1]]))],
    ["an import behind the file", () => withFacts((head) => void (head[3] = [[0, "tax", 99, -1]]))],
    ["a definition with a billion bases", () => withFacts((_, [, all]) => void (all[10] = 1e9))],
    ["a definition inside itself", () => withFacts((_, [, all]) => void (all[4] = 0))],
    ["a call behind the file", () => withFacts((_, [, , calls]) => void (calls[1] = 99))],
    ["a manifest of other words", () => withFacts((head) => void (head[4] = { evil: 1 }))],
  ])("are refused with %s", async (_, change) => {
    expect(await take(change())).toMatchObject({ kind: "refused" });
  });

  it.each(["[1]", "7", "[[0, 9]]", "not JSON", "null"])(
    "are refused with %s as chunks",
    async (chunks) => {
      const wrong = { ...packed(rows), chunks };
      expect(await takePublished(Buffer.from(TEXT), wrong, languages)).toMatchObject({
        kind: "refused",
      });
    },
  );

  it("are taken without their terms if these are not of the file", async () => {
    const wrong = { ...packed(rows), terms: Buffer.from("abc") };
    const taken = await takePublished(Buffer.from(TEXT), wrong, languages);
    expect(taken).toMatchObject({ kind: "taken", terms: undefined });
  });

  it("are refused with a chunk that has a secret", async () => {
    const text = `${TEXT}export const token = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z0A";\n`;
    const honest = await published(text);
    expect(honest.secrets).toBe(1);
    expect(await take(honest, text)).toMatchObject({ kind: "taken" });
    const start = Buffer.byteLength(TEXT);
    const secret = text.slice(TEXT.length, -1);
    const lines = { start: 12, end: 12 };
    const span = { start, end: start + secret.length };
    const chunk = { span, lines, context: lines, text: secret, symbols: [] };
    const chunks = [...honest.chunks, chunk];
    expect(await take({ ...honest, chunks }, text)).toEqual({
      kind: "refused",
      reason: "a chunk with a secret",
    });
  });
});
