/** The commits of a pull request that a question names, from what merges and squashed commits say. */

import { describe, expect, it } from "vitest";
import { pullRequestsIn } from "../../server/history/pull-requests.ts";
import { commitAll, git, repositoryOf } from "../support/git.ts";
import { write } from "../support/workspace.ts";
import { historyOf } from "./support.ts";

describe("numbers in a question", () => {
  const cases: readonly [string, number[]][] = [
    ["why did #123 change the timeout", [123]],
    ["Follow-up to PR 7 and pull request #8", [7, 8]],
    ["revert !45", [45]],
    ["merge request 5", [5]],
    ["#1 #1 #2 #3 #4", [1, 2, 3]],
    ["&#39; in a title, issue#5 of C#, colour #12ab34, 404", []],
  ];
  for (const [text, wanted] of cases) it(text, () => expect(pullRequestsIn(text)).toEqual(wanted));
});

function repository() {
  const root = repositoryOf("//- a.py\none\n");
  const branch = (name: string, message: readonly string[], ...subjects: readonly string[]) => {
    git(root, "checkout", "-q", "-b", name);
    const shas = subjects.map((subject) => {
      write(root, `//- ${name}.py\n${subject}\n`);
      return commitAll(root, subject);
    });
    git(root, "checkout", "-q", "main");
    const texts = message.flatMap((text) => ["-m", text]);
    git(root, "merge", "-q", "--no-ff", ...texts, name);
    return shas.toReversed();
  };
  return { root, branch };
}

it("are the commits that its merge added, or its squashed commit", async () => {
  const { root, branch } = repository();
  const github = branch("x", ["Merge pull request #12 from ada/x"], "Do one half", "Do the other");
  const gitlab = branch("y", ["Merge branch 'y'", "See merge request ada/tool!34"], "Do more");
  write(root, "//- b.py\ntwo\n");
  const squashed = commitAll(root, "Squash it (#56)");
  write(root, "//- b.py\nthree\n");
  commitAll(root, "Repair what came (#56) with another one");
  const { history } = historyOf(root);
  const { directory, head } = await history.repository();
  const { pullRequests } = history;
  const find = (...numbers: number[]) => pullRequests.commitsOf(directory, head.commit, numbers);
  expect(await find(12)).toEqual(github);
  expect(await find(34)).toEqual(gitlab);
  expect(await find(56, 12)).toEqual([squashed, ...github]);
  expect(await find(99)).toEqual([]);

  // A HEAD without them knows nothing of them.
  const [first = ""] = git(root, "rev-list", "--reverse", "HEAD").split("\n");
  expect(await pullRequests.commitsOf(directory, first, [12])).toEqual([]);
  expect(await find(12)).toEqual(github);
});
