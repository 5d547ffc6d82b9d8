/** The documents name only existing commands and options. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { run } from "./run-cli.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");
const FOLDERS = [".", ".github", "server", "server/docs", "grammars", "clients/neovim"];
const CLIENTS = ["helix", "emacs", "vscode", "vscode/walkthrough", "zed"].map(
  (name) => `clients/${name}`,
);
const DOCUMENTS = [...FOLDERS, ...CLIENTS].flatMap((folder) =>
  readdirSync(join(REPOSITORY, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

/** Programs of their own, without commander. */
const OTHER_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  mcp: ["--config", "--root"],
  engine: [],
};

/** The help of each command, by its words: `search`, `deps graph`. */
const helps = new Map<string, string>();

beforeAll(() => readHelp([]));

it("the help lists every command", () => expect(helps.size).toBeGreaterThan(25));

async function readHelp(command: readonly string[]): Promise<void> {
  const { out } = await run([...command, "--help"]);
  helps.set(command.join(" "), out);
  const [, list = ""] = /^Commands:\n((?: .*\n)+)/m.exec(out) ?? [];
  for (const [, name = ""] of list.matchAll(/^ {2}([a-z][\w-]*)/gm)) {
    if (name !== "help") await readHelp([...command, name]);
  }
}

/** The commands in a document: in blocks of code, and between backticks, where the program's name may be missing. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].flatMap(([, code = ""]) =>
    code.split("\n").flatMap((line) => /\bcocosearch-lsp ([^|;)#'"\\>]+)/.exec(line)?.[1] ?? []),
  );
  const spans = [...text.replaceAll(/^```.*?^```/gms, "").matchAll(/`([^`\n]+)`/g)].flatMap(
    ([, span = ""]) => {
      const named = /^(?:\$\s+)?cocosearch-lsp (.+)$/.exec(span)?.[1];
      return named ?? (/^[a-z-]+ (?:[a-z]+ )?--?\w/.test(span) ? span : []);
    },
  );
  return [...blocks, ...spans];
}

/** The help of what a command begins with; undefined where it begins with no command. */
function helpOf(words: readonly string[]): string | undefined {
  const [first = "", second = ""] = words;
  if (first.startsWith("-")) return helps.get("");
  return OTHER_PROGRAMS[first]?.join("\n") ?? helps.get(`${first} ${second}`) ?? helps.get(first);
}

it.each(DOCUMENTS)("%s", (file) => {
  const text = readFileSync(join(REPOSITORY, file), "utf8");
  const wrong = commandsIn(text).flatMap((command) => {
    const words = command.trim().split(/\s+/);
    const help = helpOf(words);
    // A span that begins with another word is about another program.
    if (help === undefined) return text.includes(`cocosearch-lsp ${command}`) ? [command] : [];
    const options = words
      .filter((word) => /^--\w/.test(word))
      .map((word) => word.replace(/[=,].*$/, ""));
    return options
      .filter((option) => !new RegExp(`${option}\\b`).test(help))
      .map((option) => `${command}: ${option}`);
  });
  expect(wrong).toEqual([]);
});

it("The guide names only options that some command has", () => {
  const all = [...helps.values()].join("\n");
  const text = readFileSync(join(REPOSITORY, "server/docs/guide.md"), "utf8");
  const named = [...text.matchAll(/^(?:\| )?`(--[a-z-]+)(?: [^`]*)?`/gm)].map(
    ([, name = ""]) => name,
  );
  expect(named.filter((option) => !new RegExp(`${option}\\b`).test(all))).toEqual([]);
});

it("The page about editors names every request of the server", () => {
  const protocol = readFileSync(join(REPOSITORY, "server/docs/protocol.md"), "utf8");
  const requests = [...protocol.matchAll(/^## `cocosearch(\/\w+)`/gm)].map(([, name = ""]) => name);
  const text = readFileSync(join(REPOSITORY, "server/docs/editors.md"), "utf8");
  const missing = requests.filter((name) => !text.includes(`${name}\``));
  expect(missing).toEqual(["/statusChanged"]);
});
