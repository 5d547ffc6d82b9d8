/** The commands of server/docs/team.md run as the page prints them, in its order. */

import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { isObject } from "../../server/common/is-object.ts";
import { administer, dropDatabase, NO_POSTGRES, POSTGRES_URL } from "../support/databases.ts";
import { MAIN, testEngine } from "../support/engine.ts";
import { repositoryOf } from "../support/git.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { alone } from "../support/team.ts";
import { workspace } from "../support/workspace.ts";

const run = promisify(execFile);
/** In place of the question of the page, about the code of the test. */
const ASKED = "refresh the token of a session";
const PAGE = resolve(import.meta.dirname, "../../server/docs/team.md");

interface Block {
  readonly language: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const blocks = page.matchAll(/^```(\w+)\n([^]*?)^```/gm);
  return [...blocks].map(([, language = "", text = ""]) => ({ language, text }));
}

/** The commands of a CI configuration that run the program. */
function commandsIn(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("cocosearch-lsp ") ? [value] : [];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(commandsIn) : [];
}

/** A shell that keeps its folder and the address of the database from one block to the next. */
function shell(folder: string, env: NodeJS.ProcessEnv) {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "cocosearch-lsp"),
    `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`,
  );
  chmodSync(join(bin, "cocosearch-lsp"), 0o755);
  const state = join(folder, "state");
  let [cwd, url] = [folder, ""];
  return async (script: string): Promise<string> => {
    const keep = `printf '%s\\n' "$PWD" "$COCOSEARCH_TEAM_URL" > "${state}"`;
    const { stdout } = await run("bash", ["-ec", `${script}\n${keep}`], {
      cwd,
      env: { ...env, PATH: `${bin}:${process.env["PATH"]}`, COCOSEARCH_TEAM_URL: url },
    });
    [cwd = "", url = ""] = readFileSync(state, "utf8").split("\n");
    return stdout;
  };
}

describe.skipIf(NO_POSTGRES !== undefined)(`server/docs/team.md ${NO_POSTGRES ?? ""}`, () => {
  it("leads from an empty server to indexes that are published from CI, listed and removed", async () => {
    const server = new URL(POSTGRES_URL ?? "");
    const unique = `${process.pid}_${Date.now()}`;
    const page = readFileSync(PAGE, "utf8")
      .replaceAll("postgresql://postgres@", `postgresql://${server.username}@`)
      .replaceAll("db.example.org", server.host)
      .replaceAll("where are invoices rounded", ASKED)
      .replaceAll(/\b(code_index|build_server|team_member)\b/g, `$1_${unique}`);
    onTestFinished(async () => {
      server.pathname = `/code_index_${unique}`;
      await dropDatabase(server.href);
      for (const name of ["build_server", "team_member"])
        await administer(`drop role ${name}_${unique}`);
    });
    const origin = repositoryOf(SMALL_SHOP);
    const folder = workspace();
    const engine = testEngine();
    onTestFinished(() => engine.dispose());
    const sh = shell(folder, {
      ...engine.env,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.file://${origin}.insteadOf`,
      GIT_CONFIG_VALUE_0: "https://git.example.org/acme/shop.git",
      GITHUB_REF_NAME: "main",
      CI_COMMIT_BRANCH: "release",
    });
    const said: string[] = [];
    for (const { language, text } of blocksOf(page)) {
      if (language === "sql") await administer(text);
      else if (language === "sh") said.push(await alone(() => sh(text)));
      else if (language === "yaml")
        for (const command of commandsIn(parse(text))) said.push(await sh(command));
    }
    const patterns = [
      /is set up for a team/,
      /published git\.example\.org\/acme\/shop, branch main, commit \w{10}: 2 files indexed/,
      /already published; nothing was written/,
      /branch release, commit \w{10}: 2 files indexed/,
      /src\/token\.py:1[^]*git\.example\.org\/acme\/shop\/src\/token\.py:1/,
      /main [^]*release [^]*removed 1 index:[^]*branch main[^]*removed 1 index:[^]*branch release/,
    ];
    expect(said).toEqual(patterns.map((pattern) => expect.stringMatching(pattern)));
  });
});
