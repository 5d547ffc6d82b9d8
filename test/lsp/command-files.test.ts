/** How commands take the names of files, and what a user hears of a command that fails. */

import { execFileSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import type { Session } from "../../server/contracts/session.ts";
import { temporaryWorkspace } from "../support/workspace.ts";
import { ABLE, connectClient, fakeSession, type TestClient } from "./test-client.ts";

const FILES = `
//- README.md
root
//- docs/README.md
docs
//- docs/guide/README.md
guide
`;

interface Asked {
  readonly client: TestClient;
  readonly root: string;
  readonly related: ReturnType<typeof vi.fn<Session["related"]>>;
}

/** A client that was started in a folder of a workspace, and has these files open. */
async function started(name: string, folder: string, ...open: string[]): Promise<Asked> {
  const { root, remove } = temporaryWorkspace(FILES);
  onTestFinished(remove);
  const related = vi.fn<Session["related"]>(async () => ({ files: [], packages: [], total: 0 }));
  const client = connectClient(fakeSession({ related }), { PWD: join(root, folder) });
  const clientInfo = { name };
  await client.start({ clientInfo, rootUri: `file://${root}`, capabilities: ABLE });
  for (const path of open) {
    const textDocument = { uri: `file://${root}/${path}`, languageId: "", version: 1, text: "x" };
    await client.notify("textDocument/didOpen", { textDocument });
  }
  return { client, root, related };
}

const run = (client: TestClient, command: string, ...args: unknown[]) =>
  client.request("workspace/executeCommand", { command, arguments: args });

it.each([
  ["its start folder", "docs", ["docs/guide/README.md", "docs/README.md"]],
  [
    "its start folder, before the last opened buffer",
    "docs",
    ["docs/README.md", "docs/guide/README.md"],
  ],
  ["another current folder", "gone", ["README.md", "docs/README.md"]],
])("a buffer name of Helix is resolved from %s", async (_, folder, open) => {
  const { client, root, related } = await started("helix", folder, ...open);
  await run(client, "cocosearch.related", "README.md");
  expect(related.mock.calls[0]?.[0]).toMatchObject({ path: `${root}/docs/README.md` });
});

it.each([
  ["helix", []],
  ["Zed", ["docs/README.md"]],
])("a relative path of %s is resolved from the opened folder", async (name, open) => {
  const { client, root, related } = await started(name, "docs", ...open);
  await run(client, "cocosearch.related", "README.md");
  expect(related.mock.calls[0]?.[0]).toMatchObject({ path: `${root}/README.md` });
});

it("`~` is expanded to the home folder", async () => {
  const { client } = await started("helix", "");
  await expect(run(client, "cocosearch.related", "~/a.py")).rejects.toThrow(
    `${homedir()}/a.py is outside the opened folders`,
  );
});

it("a path outside the opened folders is refused", async () => {
  const { client } = await started("test", "");
  await expect(run(client, "cocosearch.searchLines", "../x:1")).rejects.toThrow(
    "../x is outside the opened folders",
  );
});

it.each([
  ["README.md/x:1", "the file does not exist"],
  [`${"x".repeat(5000)}:1`, "the file does not exist"],
  ["docs:1", "it is not a file"],
  ["pipe:1", "it is not a file"],
  ["\0:1", "expected the path of a file"],
])("%j is refused without waiting", async (place, reason) => {
  const { client, root } = await started("test", "");
  execFileSync("mkfifo", [join(root, "pipe")]);
  await expect(run(client, "cocosearch.searchLines", place)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining(reason),
  });
});

it("Helix users see once why a command failed", async () => {
  for (const name of ["helix", "Neovim"]) {
    const { client, related } = await started(name, "");
    const heard = () => client.told.filter(({ method }) => method === "window/showMessage");
    related.mockRejectedValue(new Unavailable("the graph is not read yet", "ask again"));
    await expect(run(client, "cocosearch.related", "README.md")).rejects.toThrow("ask again");
    await client.request("cocosearch/status");
    expect(heard().map(({ params }) => params)).toEqual(
      name === "helix"
        ? [{ type: 2, message: "cocosearch: the graph is not read yet: ask again" }]
        : [],
    );
  }
});
