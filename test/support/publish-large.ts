/**
 * Publishes the branch main of a checkout, whose lanes are written as rows, although it is small. Arguments: its root. Writes a line when
 * all files are read, so that lanes are written next.
 */

import { silent } from "../../server/common/log.ts";
import { createTeam } from "../../server/engine/team/team.ts";

const { COCOSEARCH_TEAM_URL: url = "", COCOSEARCH_HOME: home = "" } = process.env;
const user = { "team.url": url, "indexing.workers": 1 };
const team = createTeam({ user, home, log: silent, build: "1", mostInMemory: 0 });
await team.publish(
  { root: process.argv[2] ?? "", branch: "main" },
  {
    signal: new AbortController().signal,
    note: () => undefined,
    progress: (read, total) => {
      if (read === total) process.stdout.write("read\n");
    },
    embedding: () => undefined,
  },
);
