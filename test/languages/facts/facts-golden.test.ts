/** Facts of a sample of each language, and the targets of its calls: read the files under golden/. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { decodeFacts } from "../../../server/contracts/encoded-facts.ts";
import {
  CALL_CONTEXT,
  type CallFact,
  type DefinitionFact,
  FLAG,
  type ImportFact,
} from "../../../server/contracts/facts.ts";
import { callsIn, factsOf, graphOf } from "../../support/graph.ts";

const GRAMMARS = resolve(import.meta.dirname, "../../../grammars");
/** More forms of calls and types, with an extension that tools do not treat as code. */
const CALLS = join(import.meta.dirname, "samples");

const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" });
const samples = [
  ...filesIn(GRAMMARS)
    .filter((path) => /(?:^|\/)sample\.\w+$/.test(path))
    .map((path) => ({ file: join(GRAMMARS, path), name: path.replaceAll("/", "-") })),
  ...filesIn(CALLS).map((path) => ({ file: join(CALLS, path), name: path.replace(".txt", "") })),
].toSorted((a, b) => (a.name < b.name ? -1 : 1));

it.each(samples)("$name", async ({ file, name }) => {
  const text = readFileSync(file, "utf8");
  const path = name.replace(/^.*-/, "");
  const facts = decodeFacts(await factsOf(path, text));
  const shown = [
    `package ${facts?.packageName ?? "none"}`,
    ...(facts?.imports ?? []).map(showImport),
    ...(facts?.definitions ?? []).map(showDefinition),
    ...(facts?.calls ?? []).map(showCall),
    ...callsIn(await graphOf(`//- ${path}\n${text}`)).map((edge) => `edge ${edge}`),
  ];
  const golden = join(import.meta.dirname, "golden", `${name}.txt`);
  await expect(`${shown.join("\n")}\n`).toMatchFileSnapshot(golden);
});

/** Lines are 1-based; `in 3` means inside definition 3. */
const scopeOf = (scope: number) => (scope < 0 ? "" : ` in ${scope}`);

function showImport({ kind, module, names, line, scope }: ImportFact): string {
  const named = names.map(({ name, alias }) => `${name ?? "*"} as ${alias}`);
  return `import ${line + 1} ${kind} ${module} {${named.join(", ")}}${scopeOf(scope)}`;
}

function showDefinition(one: DefinitionFact, i: number): string {
  const { kind, name, line, endLine, parent, flags, type, value, bases, owner } = one;
  const parts = [
    `${i} ${kind} ${name} ${line + 1}-${endLine + 1}${scopeOf(parent)}`,
    ...namesOf(FLAG, flags),
    ...(type === "" ? [] : [`type ${type}`]),
    ...(value === "" ? [] : [`value ${value}`]),
    ...(bases.length === 0 ? [] : [`bases ${bases.join(", ")}`]),
    ...(owner === "" ? [] : [`owner ${owner}`]),
  ];
  return parts.join("; ").replaceAll("\n", "\\n");
}

function showCall({ chain, line, column, scope, context }: CallFact): string {
  const place = `${line + 1}:${column + 1}${scopeOf(scope)}`;
  return [`call ${chain} ${place}`, ...namesOf(CALL_CONTEXT, context)].join("; ");
}

function namesOf(bits: Readonly<Record<string, number>>, value: number): string[] {
  return Object.entries(bits).flatMap(([name, bit]) => ((value & bit) === 0 ? [] : [name]));
}
