/** Other names for a repository: the same name becomes the same other name, lines stay, and prose stays. */

import { describe, expect, it } from "vitest";
import { createRenamer, type Renamer } from "../../../scripts/agents/rename/renamer.ts";

const LISTS = {
  synonyms: ["fetch retrieve", "crate casket", "pool basin", "retry reattempt"].map((line) =>
    line.split(" "),
  ),
  words: ["amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "islet", "jetty"],
};

const SOURCE = `import json
from requests import Session

# fetch_crate retries. The crate is kept by kestrel.
class CratePool:
    """Keeps crates; see \`CratePool.fetch_crate\` and Content-Type."""

    def fetch_crate(self, url):
        print(f"crate {url} of fetch_crate")
        return json.dumps(Session().get(url, headers={"fetch_crate": "crate_pool"}))
`;

const GO = `package kestrel

import "time"

// Duration is a time.
type Duration time.Duration
`;

const FILES = [
  { path: "kestrel/crate_pool.py", text: SOURCE },
  { path: "kestrel/http/__init__.py", text: "from kestrel.crate_pool import CratePool\n" },
  { path: "kestrel/duration.go", text: GO },
];

const make = (seed = 1) => createRenamer(FILES, { seed, identity: ["kestrel"], lists: LISTS });

/** The renamed file, and the other name of the project, which the seed chooses. */
async function renamed(index: number): Promise<{ text: string; project: string; own: Renamer }> {
  const own = await make();
  const { path = "", text = "" } = FILES[index] ?? {};
  return { text: own.text(path, text), project: own.code("kestrel"), own };
}

describe("a source file", () => {
  it("has other names in code, keys and backquotes, and its prose", async () => {
    const { text, project } = await renamed(0);
    expect(text).toBe(`import json
from requests import Session

# retrieve_casket retries. The crate is kept by ${project}.
class CasketBasin:
    """Keeps crates; see \`CasketBasin.retrieve_casket\` and Content-Type."""

    def retrieve_casket(self, url):
        print(f"crate {url} of retrieve_casket")
        return json.dumps(Session().get(url, headers={"retrieve_casket": "casket_basin"}))
`);
  });

  it("keeps a name of a dependency that the repository has, too", async () => {
    const { text, own } = await renamed(2);
    expect(text).toContain(`type ${own.code("Duration")} time.Duration`);
    expect(own.code("Duration")).not.toBe("Duration");
  });

  it("is imported by its new path", async () => {
    const { text, project, own } = await renamed(1);
    expect(own.path("kestrel/crate_pool.py")).toBe(`${project}/casket_basin.py`);
    expect(own.path("kestrel/http/__init__.py")).toBe(`${project}/http/__init__.py`);
    expect(text).toBe(`from ${project}.casket_basin import CasketBasin\n`);
  });
});

it("renames a task: names in backquotes, not words", async () => {
  const { own, project } = await renamed(0);
  expect(own.prose("Who calls `fetch_crate` to fetch a crate in Kestrel?")).toBe(
    `Who calls \`retrieve_casket\` to fetch a crate in ${project[0]?.toUpperCase()}${project.slice(1)}?`,
  );
});

it("is the same for the same seed, and another for another", async () => {
  const names = async (seed: number) => (await make(seed)).code("kestrel Duration CratePool");
  expect(await names(1)).toBe(await names(1));
  expect(await names(2)).not.toBe(await names(1));
});

it("never takes a word that the repository has, so that two names stay two", async () => {
  const both = [{ path: "a.py", text: "def fetch():\n  pass\ndef retrieve():\n  pass\n" }];
  const own = await createRenamer(both, { seed: 1, identity: [], lists: LISTS });
  expect(own.code("fetch")).not.toBe("retrieve");
  expect(own.code("fetch")).not.toBe(own.code("retrieve"));
  expect(LISTS.words).toContain(own.code("fetch"));
});
