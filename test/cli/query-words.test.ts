/** Code that begins with dashes is looked for: only the options of a command are taken for options. */

import { expect, it } from "vitest";
import { callsOf } from "../support/calls.ts";
import { ANSWER, run, STATUS } from "./run-cli.ts";

/** The query that a command sends, and its notes on stderr. */
async function asked([command = "", ...words]: readonly string[]) {
  const queries: string[] = [];
  const note = (query: string) => void queries.push(query);
  const { err } = await run([command, "--root", import.meta.dirname, ...words], {
    session: {
      status: async () => STATUS,
      symbols: async () => [],
      languages: async () => [],
      search: async ({ query }) => (note(query), ANSWER),
      callers: async ({ name }) => (note(name), callsOf([])),
    },
  });
  return { query: queries[0], notes: err.split("\n").filter((line) => line.startsWith("note: -")) };
}

it.each<[readonly string[], string]>([
  [["search", "->item"], "->item"],
  [["search", "where", "is", "->item", "--limit", "3", "set"], "where is ->item set"],
  [["search", "--main-color"], "--main-color"],
  [["search", "--", "--limit"], "--limit"],
  [["search", "--keyword", "-1"], "-1"],
  [["search", "-hidden", "--no-verify"], "-hidden --no-verify"],
  [["search", "-Version"], "-Version"],
  [["search", "where", "is", "--version", "or", "-V", "read"], "where is --version or -V read"],
  [["callers", "-Verbose"], "-Verbose"],
  [["callers", "-[Shop open]"], "-[Shop open]"],
])("%j searches for %s", async (args, query) => {
  expect(await asked(args)).toEqual({ query, notes: [] });
});

it("a likely misspelled option is searched for with a note", async () => {
  const said = "note: --limt=3 is not an option, so it is searched for; did you mean --limit?";
  expect(await asked(["search", "pool", "--limt=3"])).toEqual({
    query: "pool --limt=3",
    notes: [said],
  });
});

it.each<[readonly string[], string]>([
  [["callers", "close", "--no-wait"], "error: unknown option '--no-wait'"],
  [["callees", "--depht=2", "close"], "error: unknown option '--depht=2'"],
  [["callers", "Shop", "open"], "error: 'callers' takes one name: put quotes around"],
])("%j is refused", async (args, message) => {
  const { code, err } = await run(args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
