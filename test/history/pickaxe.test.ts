/** Commits that added or removed a text, as git finds them in the diffs. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { pickaxe } from "../../server/history/pickaxe.ts";
import { commitAll, initRepository } from "../support/git.ts";
import { leaveNothingBehind } from "../support/left-behind.ts";
import { workspace, write } from "../support/workspace.ts";
import { historyOf } from "./support.ts";

/** Each commit writes one line into `path`. */
function repository(...lines: readonly (readonly [path: string, line: string])[]) {
  const root = workspace();
  initRepository(root);
  const shas = lines.map(([path, line]) => {
    write(root, `//- ${path}\n${line}\n`);
    return commitAll(root, `Write ${path}`);
  });
  const pick = async (text: string, { folder = root, limit = 10 } = {}) => {
    const { directory, repository: found, head } = await historyOf(folder).history.repository();
    const { prefix } = found;
    return await pickaxe(directory, { head: head.commit, text, prefix, limit });
  };
  return { root, shas, pick };
}

it("returns exactly the commits that added or removed a text, newest first", async () => {
  const { shas, pick } = repository(
    ["a.py", "retry_request()"],
    ["b.py", "other()"],
    ["a.py", "retry_request(1)"],
    ["a.py", "gone()"],
  );
  expect(await pick("retry_request")).toEqual({ shas: [shas[3], shas[0]], isWhole: true });
  expect(await pick("retry_request", { limit: 1 })).toMatchObject({ shas: [shas[3]] });
  expect(await pick("retry.request")).toMatchObject({ shas: [] });
});

it("searches only the workspace's part of a repository", async () => {
  const { root, shas, pick } = repository(["out/a.py", "name()"], ["in[x]/a.py", "name()"]);
  expect(await pick("name", { folder: join(root, "in[x]") })).toMatchObject({ shas: [shas[1]] });
});

it("treats a text that looks like an option as a text", async () => {
  const { shas, pick } = repository(["a.sh", "run --all --output=/tmp/x"], ["b.sh", "run"]);
  expect(await pick("--output=/tmp/x")).toMatchObject({ shas: [shas[0]] });
});

leaveNothingBehind();
