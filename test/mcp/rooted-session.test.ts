/** Which folders an agent's session has open. */

import { mkdirSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { Session } from "../../server/contracts/session.ts";
import { RootedSession } from "../../server/mcp/rooted-session.ts";
import { workspace } from "../support/workspace.ts";

it("the session opens its roots again only if a link has a new target", async () => {
  const above = workspace("");
  const [first, second, link] = ["first", "second", "link"].map((name) => join(above, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(first);
  mkdirSync(second);
  symlinkSync(first, link);
  let opened = 0;
  const session: Pick<Session, "configure" | "openFolders"> = {
    configure: async () => undefined,
    openFolders: async () => {
      opened++;
      return [];
    },
  };
  const rooted = new RootedSession({
    connect: async () => session as Session,
    env: {},
    folder: link,
    isNamed: true,
    note: () => {},
  });
  await rooted.session();
  await rooted.session();
  expect(opened).toBe(1);
  unlinkSync(link);
  symlinkSync(second, link);
  await rooted.session();
  await rooted.session();
  expect(opened).toBe(2);
});

it("the session returns to its own folder without client roots", async () => {
  const [folder, other] = [workspace(""), workspace("")];
  const opened: (readonly string[])[] = [];
  const session: Pick<Session, "configure" | "openFolders"> = {
    configure: async () => undefined,
    openFolders: async (roots) => {
      opened.push(roots);
      return [];
    },
  };
  const rooted = new RootedSession({
    connect: async () => session as Session,
    env: {},
    folder,
    isNamed: true,
    note: () => {},
  });
  for (const uris of [[], [pathToFileURL(other).href], []]) {
    rooted.setRoots(uris);
    await rooted.session();
  }
  expect(opened).toEqual([[folder], [other], [folder]]);
});

it("the session opens the current folder only if it is a project or indexed", async () => {
  const above = workspace("//- loose/a.py\nx\n//- shop/.git/HEAD\n\n//- shop/src/b.py\ny\n");
  const opened: string[] = [];
  const open = async (folder: string, isNamed = false, indexed: readonly string[] = []) => {
    const session = {
      configure: async () => undefined,
      list: async () => indexed.map((root) => ({ root: join(above, root) })),
      openFolders: async (roots: readonly string[]) => {
        opened.push(...roots.map((root) => root.slice(above.length + 1)));
        return [];
      },
    };
    const rooted = new RootedSession({
      connect: async () => session as unknown as Session,
      env: {},
      folder: join(above, folder),
      isNamed,
      note: () => {},
    });
    await rooted.session();
  };
  await expect(open("loose")).rejects.toThrow("start the server in a project or with --root DIR");
  expect(opened).toEqual([]);
  await open("loose", true);
  await open("loose", false, ["loose"]);
  await open("shop/src");
  expect(opened).toEqual(["loose", "loose", "shop/src"]);
});
