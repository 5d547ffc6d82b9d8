/**
 * The first question of an agent about a repository that was never indexed: it is answered, not refused with "nothing".
 * @module-tag slow
 */

import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { MAIN, type TestEngine, testEngine } from "../support/engine.ts";
import { commitAll, initRepository } from "../support/git.ts";
import { workspace, write } from "../support/workspace.ts";

/** Enough files for a first pass that outlasts the first question on any machine. */
const FILES = 120;
const FUNCTIONS = 25;

let engine: TestEngine;
beforeAll(() => {
  engine = testEngine();
});
afterAll(() => engine.dispose());

/** The questions are about the files that a first pass reads last: other files of their folder come first. */
function newRepository(): string {
  const root = workspace();
  initRepository(root);
  const line = (file: number, i: number) =>
    `export function step${file}of${i}(value: number) { return value * ${i}; }\n`;
  const fillers = Array.from({ length: FILES }, (_, file) => {
    const lines = Array.from({ length: FUNCTIONS }, (__, i) => line(file, i)).join("");
    return `//- src/part${String(file).padStart(3, "0")}.ts\n${lines}`;
  });
  write(root, fillers.join(""));
  write(
    root,
    "//- src/zz-vault.ts\nexport function openVault(key: string) {\n  return key;\n}\n" +
      '//- src/zz-visit.ts\nimport { openVault } from "./zz-vault.ts";\nexport const visit = () => openVault("k");\n',
  );
  commitAll(root, "Open the vault with a key");
  return root;
}

async function connect(root: string, env: NodeJS.ProcessEnv = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp", "--root", root],
    env: { ...engine.env, ...env } as Record<string, string>,
    cwd: root,
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

async function ask(
  client: Client,
  name: string,
  input: Record<string, unknown>,
  onprogress?: (told: { message?: string | undefined }) => void,
) {
  const options = onprogress === undefined ? {} : { onprogress };
  const { content } = await client.callTool({ name, arguments: input }, options);
  return (content as { text?: string }[]).map(({ text = "" }) => text).join("\n");
}

const RELATED = { relation: "callers", of: "openVault" };

it.each([
  ["search_code", { query: "openVault" }, "src/zz-vault.ts:1-3 function openVault"],
  ["get_context", { question: "how is openVault used" }, "src/zz-vault.ts"],
  ["related", RELATED, "src/zz-visit.ts:2 visit calls openVault"],
  ["find_pattern", { query: "open the vault" }, "Open the vault with a key"],
  ["explain_change", { path: "src/zz-vault.ts" }, "Open the vault with a key"],
])("%s answers the first question about a new repository", async (name, input, wanted) => {
  const answer = await ask(await connect(newRepository()), name, input);
  expect(answer).toContain(wanted);
  expect(answer).not.toMatch(/^\[index/);
});

it("progress notifications report the state of the index to a client that requests them", async () => {
  const said: string[] = [];
  // An engine that starts takes longer than the second between two notifications.
  const own = testEngine();
  onTestFinished(() => own.dispose());
  const client = await connect(newRepository(), own.env);
  await ask(client, "related", RELATED, ({ message = "" }) => void said.push(message));
  expect(said[0]).toBe("related is running");
  expect(said).toContainEqual(expect.stringMatching(/^indexing files/));
});

it.each([
  ["search_code", { query: "openVault" }],
  ["get_context", { question: "how is openVault used" }],
  ["related", RELATED],
])("%s begins with the state of the index where it may not wait", async (name, input) => {
  const client = await connect(newRepository(), { COCOSEARCH_MCP_WAIT_SECONDS: "0" });
  const answer = await ask(client, name, input);
  expect(answer).toMatch(
    /^\[index indexing, \d+ of \d+ files; .*call again .*for the rest.*\]\n\n/,
  );
});

it("a question about a stored index is answered from the whole index", async () => {
  const root = newRepository();
  const client = await connect(root);
  await ask(client, "related", RELATED);
  expect(await ask(client, "search_code", { query: "openVault" })).toMatch(
    new RegExp(`\\[index ready, ${FILES + 2} of ${FILES + 2} files.*\\]$`),
  );
  expect(
    await ask(client, "related", { relation: "dependents", of: join(root, "nowhere.ts") }),
  ).toMatch(/nowhere\.ts/);
});
