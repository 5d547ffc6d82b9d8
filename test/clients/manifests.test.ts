/** The names in the clients' manifests and documents exist: commands, files and functions. */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { capabilities } from "../../server/lsp/commands.ts";

const CLIENTS = resolve(import.meta.dirname, "../../clients");
const read = (path: string) => readFileSync(join(CLIENTS, path), "utf8");

/** The first group of each match, sorted. */
const all = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, found = ""]) => found))].toSorted();

describe("VS Code", () => {
  const manifest = JSON.parse(read("vscode/package.json")) as {
    readonly icon: string;
    readonly categories: readonly string[];
    readonly files: readonly string[];
    readonly contributes: {
      readonly commands: readonly { readonly command: string }[];
      readonly walkthroughs: readonly {
        readonly steps: readonly { readonly media: { readonly markdown: string } }[];
      }[];
    };
  };
  const commands = manifest.contributes.commands.map(({ command }) => command).toSorted();

  it("offers the commands that it registers, and none of the server's names", () => {
    expect(commands).toEqual(all(read("vscode/src/extension.ts"), /"(cocosearch\.\w+)": /g));
    const served = capabilities.executeCommandProvider?.commands ?? [];
    expect(commands.filter((command) => served.includes(command))).toEqual([]);
  });

  it("has an icon, a category, and the pages of its walkthrough", () => {
    const pages = manifest.contributes.walkthroughs.flatMap(({ steps }) =>
      steps.map(({ media }) => media.markdown),
    );
    for (const file of [manifest.icon, ...pages]) {
      expect(existsSync(join(CLIENTS, "vscode", file))).toBe(true);
    }
    expect(manifest.categories.length).toBeGreaterThan(0);
  });

  it("packs only the files that the extension needs", () => {
    const said = execFileSync("npm", ["pack", "--dry-run", "--json"], {
      cwd: join(CLIENTS, "vscode"),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [{ files }] = JSON.parse(said) as [{ files: readonly { readonly path: string }[] }];
    const packed = files.map(({ path }) => path).filter((path) => path !== "dist/extension.cjs");
    expect(packed.toSorted()).toEqual([
      "README.md",
      "icon.png",
      "package.json",
      "walkthrough/ask.md",
      "walkthrough/install.md",
      "walkthrough/report.md",
    ]);
  });
});

it("documents every command of Neovim, and no other", () => {
  const made = all(read("neovim/plugin/cocosearch.lua"), /(?:command|asking)\('(\w+)'/g);
  expect(all(read("neovim/doc/cocosearch.txt"), /\*:(CocoSearch\w*)\*/g)).toEqual(made);
  expect(made.length).toBeGreaterThan(10);
});

it("names in the README of Emacs only commands that are there, and all of them", () => {
  const files = readdirSync(join(CLIENTS, "emacs")).filter((file) => file.endsWith(".el"));
  const made = files.flatMap((file) =>
    all(read(`emacs/${file}`), /;;;###autoload\n\(defun ([\w-]+)/g),
  );
  const [, autoloads = ""] = /\(dolist \(each '\((.*?)\)\)\n/s.exec(read("emacs/README.md")) ?? [];
  const named = all(autoloads, /(?<!")\b(cocosearch[\w-]*)(?!")/g);
  expect(named).toEqual(made.toSorted());
});

it("names in the READMEs of Helix and Zed only commands that the server has", () => {
  const served = capabilities.executeCommandProvider?.commands ?? [];
  for (const client of ["helix", "zed"]) {
    const named = all(read(`${client}/README.md`), /\b(cocosearch\.[a-z]\w+)/gi).filter(
      (name) => !["cocosearch.yaml"].includes(name),
    );
    expect(named.filter((name) => !served.includes(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(1);
  }
});
