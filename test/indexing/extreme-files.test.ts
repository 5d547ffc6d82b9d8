/** Hostile and generated files are prepared in linear time. */

import { expect, it } from "vitest";
import { decodeFacts } from "../../server/contracts/encoded-facts.ts";
import { NO_FACTS, unpackFacts } from "../../server/contracts/packed-facts.ts";
import { Graph } from "../../server/graph/graph.ts";
import { prepareFile } from "../../server/indexing/prepare.ts";
import { createLanguages } from "../../server/languages/languages.ts";

const languages = createLanguages();

/** The largest text that a worker matches with regular expressions; quadratic time would take minutes. */
const LENGTH = 290_000;
const many = (unit: string) => unit.repeat(LENGTH / unit.length);
/** Shorter, for cubic time. */
const some = (unit: string) => unit.repeat(20_000 / unit.length);

it.each<[path: string, text: string, unparsed?: string]>([
  ["a.yaml", many("- ")],
  ["a.yaml", many("\n")],
  ["a.dart", many("\n"), "it is too long"],
  ["a.ex", `${many("\n")}-`],
  ["a.ex", many("alias A.{\n")],
  ["go.mod", many("if (\n")],
  ["Cargo.toml", `[package]\n${"\n".repeat(190_000)}x`],
  ["a.tmpl", many('{{define "a"}}\n')],
  ["a.rs", many("foo! {\n")],
  ["a.rs", `foo! {\n${"/".repeat(60)}\nx}\n`],
  ["a.rs", `foo! {\n${many("/*/*/*")}\nstruct A\n}\n`],
  ["a.rs", `use a::{${many(" ")}b};\n`],
  ["a.php", `<?php\nuse A\\{${many(" ")}B};\n`],
  ["a.py", `from${" ".repeat(3000)}a${" ".repeat(3000)}import(b)\n`],
  ["a.md", `# a${some(" ")}b\n`],
  ["a.md", `# ${many("[")}\n`],
  ["a.md", `# ${many("<a")}\n`],
  ["a.md", many("](<")],
  ["a.md", many("](")],
  ["a.toml", `[${some(" ")}a\n`],
  ["a.toml", `a = [ ${many('"\\')}\n`],
  ["Makefile", `a${many(" ")}\n`],
  ["a.xml", `<${many("a")}">`],
  ["package.json", "/*".repeat(95_000)],
  ["package.json", `,${" ".repeat(190_000)}`],
  ["a.vue", many("<script>")],
  ["a.vue", `<script>\n${many("import\n")}</script>`],
  ["a.lua", `x = require${many(" ")}(a)`],
])("%#: %s", async (path, text, unparsed) => {
  const bytes = Buffer.from(text);
  const record = { path, sha256: "00", size: bytes.length, mtimeMs: 1 };
  const options = { ...record, chunkSize: 1500, chunkOverlap: 300 };
  const prepared = await prepareFile(
    bytes,
    unparsed === undefined ? options : { ...options, unparsed },
    languages,
  );
  if (prepared.kind !== "prepared") throw new Error(prepared.rule);
  const { chunks, facts = NO_FACTS } = prepared.file;
  for (const { span } of chunks) expect(span.end).toBeGreaterThan(span.start);
  if (facts.length === 0) return;
  const graph = new Graph([{ path, facts: decodeFacts(unpackFacts(facts)) }], {});
  for (const file of graph.project.files) {
    graph.importsOf(file);
    graph.callsOf(file);
  }
});
