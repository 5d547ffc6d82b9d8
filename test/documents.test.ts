/** The documents for contributors agree with the tree. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const SERVER = resolve(import.meta.dirname, "../server");
const documents = readdirSync(SERVER, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".md"),
);

describe.each(documents)("server/%s", (file) => {
  const text = readFileSync(join(SERVER, file), "utf8");

  it("The document links only to files that exist", () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = ""]) => target);
    const folder = dirname(join(SERVER, file));
    expect(links.filter((target) => !existsSync(join(folder, target)))).toEqual([]);
  });
});

/** Documents that name files by their path from the root of the repository. */
const GUIDES = [
  "README.md",
  ".github/CONTRIBUTING.md",
  ".github/SECURITY.md",
  "grammars/README.md",
  "scripts/README.md",
  ...documents.map((file) => `server/${file}`),
];

/** Each file that states the version of the program, with a pattern that captures it. */
const VERSIONS: readonly (readonly [file: string, pattern: RegExp])[] = [
  ["package-lock.json", /^ {2}"version": "(.+)"/m],
  ["clients/vscode/package.json", /^ {2}"version": "(.+)"/m],
  ["clients/zed/extension.toml", /^version = "(.+)"/m],
  ["clients/zed/Cargo.toml", /^version = "(.+)"/m],
  ["clients/zed/Cargo.lock", /^name = "zed-cocosearch"\nversion = "(.+)"/m],
  ["CHANGELOG.md", /^## (\d\S*) \(/m],
];

it.each(VERSIONS)("%s states the version of package.json", (file, pattern) => {
  const read = (name: string) => readFileSync(join(SERVER, "..", name), "utf8");
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(pattern.exec(read(file))?.[1]).toBe(version);
});

it.each(GUIDES)("%s names only files and folders that exist", (guide) => {
  const text = readFileSync(join(SERVER, "..", guide), "utf8");
  const roots = "server|test|scripts|clients|grammars";
  const path = new RegExp(`\`((?:\\./)?(?:${roots})/[a-z][\\w./-]*)(?= |\`)`, "g");
  const named = [...text.matchAll(path)].map(([, one = ""]) => one);
  // A path in capitals is a placeholder, as in `server/cli/NAME.ts`.
  const whole = named.filter((one) => !/[A-Z]{4}/.test(one.replace(/README|CHANGELOG/, "")));
  expect(whole.filter((one) => !existsSync(join(SERVER, "..", one)))).toEqual([]);
});

it("server/README.md names only files that exist", () => {
  const readme = readFileSync(join(SERVER, "README.md"), "utf8");
  const paths = [...readme.matchAll(/`([\w-]+\/[\w./-]+\.ts)`/g)].map(([, path = ""]) => path);
  const missing = paths.filter(
    (path) => !existsSync(join(SERVER, path)) && !existsSync(join(SERVER, "..", path)),
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

it("server/README.md lists every decision", () => {
  const readme = readFileSync(join(SERVER, "README.md"), "utf8");
  const decisions = readdirSync(join(SERVER, "docs/decisions"));
  expect(decisions.filter((name) => !readme.includes(`docs/decisions/${name}`))).toEqual([]);
});

it("The glossary defines each word once", () => {
  const glossary = readFileSync(join(SERVER, "docs/glossary.md"), "utf8");
  const terms = [...glossary.matchAll(/^\| \*\*(.+?)\*\*/gm)].map(([, term]) => term);
  expect(new Set(terms).size).toBe(terms.length);
});
