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

  it("links only to files that are there", () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = ""]) => target);
    const folder = dirname(join(SERVER, file));
    expect(links.filter((target) => !existsSync(join(folder, target)))).toEqual([]);
  });
});

/** Where people read what to do, and name files by their path from the root. */
const GUIDES = [
  "README.md",
  ".github/CONTRIBUTING.md",
  ".github/SECURITY.md",
  "grammars/README.md",
  "scripts/README.md",
  ...documents.map((file) => `server/${file}`),
];

it.each(GUIDES)("%s names only files and folders that are there", (guide) => {
  const text = readFileSync(join(SERVER, "..", guide), "utf8");
  const roots = "server|test|scripts|clients|grammars";
  const path = new RegExp(`\`((?:\\./)?(?:${roots})/[a-z][\\w./-]*)(?= |\`)`, "g");
  const named = [...text.matchAll(path)].map(([, one = ""]) => one);
  // In capitals a path is a pattern, as in `server/cli/NAME.ts`.
  const whole = named.filter((one) => !/[A-Z]{4}/.test(one.replace(/README|CHANGELOG/, "")));
  expect(whole.filter((one) => !existsSync(join(SERVER, "..", one)))).toEqual([]);
});

it("names only files of the server that are there in its README", () => {
  const readme = readFileSync(join(SERVER, "README.md"), "utf8");
  const paths = [...readme.matchAll(/`([\w-]+\/[\w./-]+\.ts)`/g)].map(([, path = ""]) => path);
  const missing = paths.filter(
    (path) => !existsSync(join(SERVER, path)) && !existsSync(join(SERVER, "..", path)),
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

it("lists every decision in the README", () => {
  const readme = readFileSync(join(SERVER, "README.md"), "utf8");
  const decisions = readdirSync(join(SERVER, "docs/decisions"));
  expect(decisions.filter((name) => !readme.includes(`docs/decisions/${name}`))).toEqual([]);
});

it("defines each word once", () => {
  const glossary = readFileSync(join(SERVER, "docs/glossary.md"), "utf8");
  const terms = [...glossary.matchAll(/^\| \*\*(.+?)\*\*/gm)].map(([, term]) => term);
  expect(new Set(terms).size).toBe(terms.length);
});
