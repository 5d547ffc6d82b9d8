/** Settings of a session: client settings and folder settings. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Session, SessionEvent } from "../../server/contracts/session.ts";
import { engineInProcess, openedIn, sessionOf } from "../support/engine-in-process.ts";
import { eventually } from "../support/eventually.ts";
import { TWO_DOORS as SHOP } from "../support/shops.ts";
import { workspace, write } from "../support/workspace.ts";

const inProcess = engineInProcess();
afterAll(() => inProcess.dispose());

const session = () => sessionOf(inProcess);
const opened = (...roots: string[]) => openedIn(inProcess, ...roots);

const paths = async (asked: Session, query: string) => {
  const { hits } = await asked.search({ query });
  return hits.map(({ root, path }) => join(root, path));
};

it("A changed client setting reopens the folder, an equal one does not", async () => {
  const root = workspace(SHOP);
  const asked = await opened(root);
  const events: SessionEvent[] = [];
  asked.onEvent((event) => events.push(event));
  await asked.configure({});
  expect(events).toEqual([]);
  await asked.configure({ "indexing.excludePatterns": ["shop.py"] });
  await asked.whenIdle();
  expect(await paths(asked, "open_shop")).not.toContain(join(root, "shop.py"));
});

it("A created, changed or deleted settings file reopens the folder", async () => {
  const root = workspace(SHOP);
  const asked = await opened(root);
  const shop = join(root, "shop.py");
  // The folder may not be watched yet when it is indexed.
  await eventually(async () => {
    write(root, "//- cocosearch.yaml\nindexing:\n  excludePatterns: [shop.py]\n");
    expect(await paths(asked, "open_shop")).not.toContain(shop);
  });
  write(root, "//- cocosearch.yaml\nindexing:\n  excludePatterns: [parts]\n");
  await eventually(async () => {
    expect(await paths(asked, "open_shop")).toContain(shop);
    expect(await paths(asked, "open_door")).not.toContain(join(root, "parts/door.py"));
  });
  rmSync(join(root, "cocosearch.yaml"));
  await eventually(async () => {
    expect(await paths(asked, "open_door")).toContain(join(root, "parts/door.py"));
  });
});

it("A request about the graph of a folder that is not indexed says why", async () => {
  const root = workspace(SHOP);
  write(root, "//- cocosearch.yaml\nindexing:\n  enabled: false\n");
  const asked = await opened(root);
  await expect(asked.related({ path: join(root, "shop.py") })).rejects.toThrow(
    `${root} is not indexed: indexing is off: indexing.enabled is false`,
  );
});

it("`reindex` reads the settings of a folder again", async () => {
  const root = workspace(SHOP);
  write(root, "//- cocosearch.yaml\nindexing:\n  enabled: false\n");
  const asked = await opened(root);
  expect(await paths(asked, "open_shop")).toEqual([]);
  rmSync(join(root, "cocosearch.yaml"));
  await asked.reindex({});
  expect(await paths(asked, "open_shop")).toContain(join(root, "shop.py"));
});

it("A session warns once about settings that another editor overrides", async () => {
  const root = workspace(SHOP);
  await opened(root);
  const other = session();
  const notices: string[] = [];
  other.onEvent((event) => event.kind === "message" && notices.push(event.text));
  await other.configure({ "search.limit": 3 });
  const warning = expect.stringContaining("is open in another editor, whose settings apply");
  expect(await other.openFolders([root])).toEqual([warning]);
  await other.openFolders([]);
  await other.openFolders([root]);
  expect(notices).toEqual([warning]);
});
