/** The tool search_code in published repositories that are not checked out. */

import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { RootedSession } from "../../server/mcp/rooted-session.ts";
import { dropDatabase, NO_POSTGRES } from "../support/databases.ts";
import { engineInProcess } from "../support/engine-in-process.ts";
import { commitAll, git, initRepository } from "../support/git.ts";
import { connectClient } from "../support/linked-mcp-client.ts";
import { createTeamDatabase, publish } from "../support/published.ts";
import { temporaryWorkspace, workspace, write } from "../support/workspace.ts";

const SHOP = `
//- shop/src/scale.py
class Scale:
    def weigh_apples(self, count):
        return count * 2
`;

describe.skipIf(NO_POSTGRES !== undefined)("search_code with team", () => {
  let url = "";
  let commit = "";
  let remove = () => {};
  beforeAll(async () => {
    url = await createTeamDatabase();
    const made = temporaryWorkspace();
    remove = made.remove;
    const root = join(made.root, "shop");
    write(made.root, SHOP);
    initRepository(root);
    git(root, "remote", "add", "origin", "https://git.example.com/acme/shop.git");
    commit = commitAll(root, "Begin");
    await publish(url, join(root, "src"));
  });
  afterAll(async () => {
    await dropDatabase(url);
    remove();
  });

  async function search(parameters: Readonly<Record<string, unknown>>) {
    const { engine, dispose } = engineInProcess();
    onTestFinished(() => dispose());
    const session = new RootedSession({
      connect: async () => engine.session(),
      env: { COCOSEARCH_TEAM_URL: url },
      folder: workspace("//- fruit.ts\nexport const apples = 3;\n"),
      isNamed: true,
      note: () => undefined,
    });
    const client = await connectClient(session);
    onTestFinished(() => client.close());
    const call = { name: "search_code", arguments: { query: "weigh apples", ...parameters } };
    const { content, structuredContent } = await client.callTool(call);
    return { text: JSON.stringify(content), answer: structuredContent };
  }

  it("finds code of a published folder by its path in the repository, and says that its file is not here", async () => {
    const { text, answer } = await search({ team: true });
    const link = `https://git.example.com/acme/shop/blob/${commit}/src/scale.py#L2-L2`;
    expect(answer).toMatchObject({
      hits: expect.arrayContaining([
        expect.objectContaining({
          path: "git.example.com/acme/shop/src/scale.py",
          published: { repository: "git.example.com/acme/shop", commit, link },
        }),
      ]),
    });
    expect(text).toContain("git.example.com/acme/shop/src/scale.py:2");
    expect(text).toContain(`at ${commit.slice(0, 10)}, not checked out: ${link}`);
    expect(text).toContain("def weigh_apples");
  });

  it("searches the workspace alone without the parameter", async () => {
    expect((await search({})).text).not.toContain("acme/shop");
  });

  it("refuses the parameter beside a text, which is looked for in files", async () => {
    const { text } = await search({ query: undefined, exact: "apples", team: true });
    expect(text).toMatch(/team: /);
  });
});
