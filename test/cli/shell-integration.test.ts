/** The completion of a shell and the manual page are made from the commands, so that they never differ. */

import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { run } from "./run-cli.ts";

const script = async (shell: string) => (await run(["completion", shell])).out;
const commands = async () =>
  [...(await run(["--help"])).out.matchAll(/^ {2}([a-z][a-z-]+) /gm)].flatMap(([, name]) =>
    name === undefined || name === "help" ? [] : name,
  );

/** The completions of bash for the last word of a command line. */
async function offered(...words: string[]): Promise<string[]> {
  const line = ["cocosearch-lsp", ...words].map((word) => `'${word}'`).join(" ");
  const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _cocosearch_lsp; printf '%s\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync("bash", ["-c", `${await script("bash")}\n${ask}`], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((word) => word !== "");
}

describe("bash", () => {
  it("completes every command", async () => {
    const names = await commands();
    expect(names).toContain("search");
    expect(await offered("")).toEqual(expect.arrayContaining(names));
  });
  it("completes the options of a command", async () =>
    expect(await offered("search", "--vi")).toEqual(["--vimgrep"]));
  it("completes the values of an option", async () =>
    expect(await offered("search", "--type", "me")).toEqual(["method"]));
  it("completes the choices of an option per command", async () => {
    expect(await offered("deps", "show", "--type", "")).toEqual(["import", "call", "reference"]);
    expect(await offered("context", "--strategy", "")).toEqual([
      "relevance",
      "diversity",
      "balanced",
    ]);
    expect(await offered("deps", "graph", "--format", "")).toEqual(["dot", "mermaid", "svg"]);
  });
  it("completes the choices of an argument", async () =>
    expect(await offered("completion", "z")).toEqual(["zsh"]));
  it("completes the context server", async () => {
    expect(await offered("mc")).toEqual(["mcp"]);
    expect(await offered("mcp", "--")).toEqual(["--root", "--config", "--help"]);
  });
  it("completes subcommands and their options", async () => {
    expect(await offered("deps", "im")).toEqual(["impact"]);
    expect(await offered("deps", "impact", "--dif")).toEqual(["--diff"]);
  });
});

describe.each(["zsh", "fish"])("%s", (shell) => {
  it("contains every command and option", async () => {
    const text = await script(shell);
    for (const name of await commands()) expect(text).toContain(name);
    expect(text).toContain("vimgrep");
    expect(text).toContain("one line per hit");
    for (const words of ["import call reference", "dot mermaid svg", "bash zsh fish"]) {
      expect(text).toContain(words);
    }
  });
  it("is valid syntax for the shell", async () => {
    const { error, status, stderr } = spawnSync(shell, ["-n"], {
      input: await script(shell),
      encoding: "utf8",
    });
    // Where the shell is not installed, its script is not read.
    const outcome = error === undefined ? [status, stderr] : [(error as { code?: string }).code];
    expect([[0, ""], ["ENOENT"]]).toContainEqual(outcome);
  });
});

describe("a program called by its path", () => {
  const env = { COCOSEARCH_PROGRAM: "/home/me/.local/bin/cocosearch-lsp" };
  it.each(["bash", "zsh", "fish"])("is completed by its name in %s", async (shell) =>
    expect((await run(["completion", shell], { env })).out).toBe(await script(shell)),
  );
  it("is named by its base name in the manual page", async () =>
    expect((await run(["man"], { env })).out).toBe((await run(["man"])).out));
});

it("`completion` refuses an unknown shell", async () =>
  expect((await run(["completion", "csh"])).code).toBe(2));

describe("the manual page", () => {
  it("describes every command with its options", async () => {
    const { out } = await run(["man"]);
    for (const name of await commands()) {
      expect(out).toContain(`cocosearch\\-lsp ${name.replaceAll("-", "\\-")}`);
    }
    expect(out).toContain("\\-\\-vimgrep");
    expect(out).toContain(".SH NAME\ncocosearch\\-lsp \\- finds code by meaning and by word\n.SH");
    expect(out).toContain("Exit codes");
  });
});
