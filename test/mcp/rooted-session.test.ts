/** Which folders an agent's session has open. */

import { mkdirSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { Session } from "../../server/contracts/session.ts";
import { RootedSession } from "../../server/mcp/rooted-session.ts";
import { workspace } from "../support/workspace.ts";

it("opens its root again where it is a link that leads elsewhere, and only then", async () => {
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

it("goes back to its own folder where the client has no roots any more", async () => {
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
    note: () => {},
  });
  for (const uris of [[], [pathToFileURL(other).href], []]) {
    rooted.setRoots(uris);
    await rooted.session();
  }
  expect(opened).toEqual([[folder], [other], [folder]]);
});
