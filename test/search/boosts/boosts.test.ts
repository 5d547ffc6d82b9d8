/** Each boost by itself: the hits that it raises, lowers and does not change. */

import { describe, expect, it } from "vitest";
import type { Filter } from "../../../server/contracts/lanes.ts";
import type { StoredChunk } from "../../../server/contracts/stored-chunk.ts";
import { coherence } from "../../../server/search/boosts/coherence.ts";
import { definition, homeStems } from "../../../server/search/boosts/definition.ts";
import { fileCategory } from "../../../server/search/boosts/file-category.ts";
import { inlineTest } from "../../../server/search/boosts/inline-test.ts";
import { outdatedVersion } from "../../../server/search/boosts/outdated-version.ts";
import { pathWords } from "../../../server/search/boosts/path-words.ts";
import { saturation } from "../../../server/search/boosts/saturation.ts";
import { spelledOut } from "../../../server/search/boosts/spelled-out.ts";
import { toName } from "../../../server/search/lanes/symbol-names.ts";
import { isNamed, squash, stemOf } from "../../../server/search/paths.ts";
import { parseQuery } from "../../../server/search/query/query.ts";
import { withTerms } from "../../../server/search/query/terms.ts";
import { type Boost, type Ranked, sortByScore } from "../../../server/search/ranking.ts";
import { chunkOf, factsOf, rankedOf } from "../support.ts";

interface Options {
  readonly filter?: Filter;
  readonly terms?: readonly string[];
  /** Chunks of the index that no lane brought. */
  readonly others?: readonly StoredChunk[];
}

const chunksAt = (paths: readonly string[]) => paths.map((path) => chunkOf(path, ""));

/** Applies a boost to chunks that begin with equal scores, unless `scores` says otherwise. */
function apply(
  boost: Boost,
  text: string,
  chunks: readonly StoredChunk[],
  scores: readonly number[] = chunks.map(() => 1),
  { filter, terms = [], others = [] }: Options = {},
): readonly Ranked[] {
  const all = [...factsOf(...chunks, ...others)];
  const hits = rankedOf(all.slice(0, chunks.length), (chunk) => scores[chunk] ?? 0);
  const query = withTerms(
    parseQuery(text, () => undefined),
    terms,
    () => undefined,
  );
  const stems = query.identifiers.map(toName).flatMap(homeStems);
  const filesWhere = (matches: (path: string) => boolean) =>
    new Map(all.filter(([, { path }]) => matches(path)));
  const matching = {
    filesMatchingIdentifier: filesWhere((path) => stems.includes(squash(stemOf(path)))),
    filesMatchingPath: filesWhere((path) => query.paths.some((each) => isNamed(path, each))),
  };
  const read = { fileWords: new Map(), wordRarities: new Map(), relatedRarities: new Map() };
  return sortByScore(boost.apply(hits, { query, filter, ...matching, ...read }));
}

const pathsOf = (hits: readonly Ranked[]) => hits.map(({ facts }) => facts.path);

describe("definition", () => {
  it("puts the definition before its uses, with the boost in the explanation", () => {
    const hits = apply(definition, "openPool", [
      chunkOf("a", "openPool()"),
      chunkOf("z", "", "openPool"),
    ]);
    expect(pathsOf(hits)).toEqual(["z", "a"]);
    expect(hits[0]?.reasons).toEqual([{ name: "definition", contribution: 3, detail: "openPool" }]);
  });
  it("prefers the file that is named like it", () =>
    expect(
      pathsOf(
        apply(definition, "UserService", [
          chunkOf("a/mocks.ts", "", "UserService:class"),
          chunkOf("b/user_service.ts", "", "UserService:class"),
        ]),
      ),
    ).toEqual(["b/user_service.ts", "a/mocks.ts"]));
  it("takes the file that is named like it where its definition is hidden", () => {
    const chunks = [chunkOf("a.hpp", ""), chunkOf("Pool.extra.hpp", ""), chunkOf("pool.hpp", "")];
    expect(pathsOf(apply(definition, "Pool", chunks))[0]).toBe("pool.hpp");
  });
  it("brings a definition that no lane found", () => {
    const others = [chunkOf("pool.ts", "", "Pool:class"), chunkOf("pools.ts", "", "other")];
    expect(pathsOf(apply(definition, "Pool", [chunkOf("a", "")], [1], { others }))).toEqual([
      "pool.ts",
      "a",
    ]);
  });
  it("brings nothing that the filter refuses", () => {
    const others = [chunkOf("pool.ts", "", "Pool:class")];
    const filter = { matchesPath: (path: string) => path === "a" };
    expect(pathsOf(apply(definition, "Pool", [chunkOf("a", "")], [1], { others, filter }))).toEqual(
      ["a"],
    );
  });
  it("gives a name in a sentence a lower weight than a name alone", () => {
    const chunks = [chunkOf("a", "", "openPool")];
    const [alone] = apply(definition, "openPool", chunks);
    const [mentioned] = apply(definition, "where is openPool called", chunks);
    expect(mentioned?.score).toBeGreaterThan(1);
    expect(mentioned?.score).toBeLessThan(alone?.score ?? 0);
  });
  it("takes no heading for a definition", () =>
    expect(apply(definition, "openPool", [chunkOf("a.md", "", "openPool")])[0]?.score).toBe(1));
  it("leaves names that are only alike", () =>
    expect(apply(definition, "openPool", [chunkOf("a", "", "openPools")])[0]?.score).toBe(1));
});

describe("path words", () => {
  it("lifts a file by the words of its name and folder", () => {
    const chunks = ["src/x.ts", "src/token_refresh.ts", "token/y.ts"].map((path) =>
      chunkOf(path, ""),
    );
    const hits = apply(pathWords, "how are tokens refreshed", chunks);
    expect(pathsOf(hits)).toEqual(["src/token_refresh.ts", "token/y.ts", "src/x.ts"]);
    expect(hits.map(({ score }) => score)).toEqual([2, expect.closeTo(1.21, 1), 1]);
  });
  it("lifts the file that is about nothing else", () =>
    expect(
      pathsOf(
        apply(pathWords, "how does the cache work", [
          chunkOf("user_cache.py", ""),
          chunkOf("x/cache.py", ""),
        ]),
      ),
    ).toEqual(["x/cache.py", "user_cache.py"]));
  it.each(["cache/index.ts", "src/cache/mod.rs", "cache/__init__.py", "lua/cache/init.lua"])(
    "classifies %s by the name of its folder",
    (path) =>
      expect(
        pathsOf(
          apply(pathWords, "how does the cache work", [
            chunkOf("cache/A.ts", ""),
            chunkOf(path, ""),
          ]),
        )[0],
      ).toBe(path),
  );
  it("gives little for a word that every path has", () => {
    const paths = ["app/pool.ts", "app/socket.ts", "app/user.ts", "app/x.ts"];
    const hits = apply(pathWords, "app pool", chunksAt(paths));
    expect(hits[0]?.facts.path).toBe("app/pool.ts");
    expect(hits[1]?.score).toBeLessThan(1.25);
  });
  it("lifts a file that is named most of all", () =>
    expect(
      pathsOf(
        apply(pathWords, "error in app/main.py line 3", [
          chunkOf("error.py", ""),
          chunkOf("x/app/main.py", ""),
        ]),
      ),
    ).toEqual(["x/app/main.py", "error.py"]));
  it.each([
    ["Python", '  File "/venv/site-packages/flask/app.py", line 3, in run', "src/flask/app.py"],
    ["Java", "at org.acme.Users.load(Users.java:3)", "core/src/main/java/org/acme/Users.java"],
    ["Kotlin", "at org.acme.UsersKt.load(Users.kt:3)", "src/main/kotlin/org/acme/Users.kt"],
    ["JavaScript", "at load (file:///srv/x/lib/users.js:3:2)", "lib/users.js"],
    ["a bundler", "at load (webpack:///./src/users.ts:3:2)", "src/users.ts"],
    ["Go", "main.load(0x1)\n\t/home/x/go/src/acme/pkg/users.go:3 +0x1d", "pkg/users.go"],
    ["Rust", "  3: acme::load\n   at ./src/users.rs:3:5", "src/users.rs"],
    ["Ruby", "models/user.rb:3:in `load'", "app/models/user.rb"],
    ["C#", "at A.Users.Load() in C:\\build\\src\\Users.cs:line 3", "src/Users.cs"],
    ["PHP", "PHP Warning: x in /var/www/app/User.php on line 3", "app/User.php"],
    ["Elixir", "(app 0.1.0) lib/app/users.ex:3: App.Users.load/1", "lib/app/users.ex"],
    ["gdb", "#1  0x00401136 in load (id=1) at ../src/users.c:3", "src/users.c"],
    ["Dart", "#0   load (package:acme/src/users.dart:3:5)", "lib/src/users.dart"],
    ["Perl", "Can't load at /opt/lib/Users.pm line 3.", "lib/Users.pm"],
    ["Lua", "lua: src/users.lua:3: in function 'load'", "src/users.lua"],
    ["Swift", "Fatal error: nil: file App/Users.swift, line 3", "Sources/App/Users.swift"],
  ])("puts the line that a frame of %s names first", (_, frame, path) => {
    const name = path.slice(path.lastIndexOf("/"));
    const chunks = [
      chunkOf(`other/place${name}`, "", "", { start: 2 }),
      chunkOf(path, "", "", { start: 20 }),
      chunkOf(path, "", "", { start: 2 }),
    ];
    const [first] = apply(pathWords, frame, chunks);
    expect([first?.facts.path, first?.facts.lines.start]).toEqual([path, 2]);
    // Its place lifts it, not the words in its path.
    expect(first?.score).toBeGreaterThan(5);
  });
  it("gives the line of a frame once, although two chunks overlap there", () => {
    const chunks = [
      { ...chunkOf("src/users.c", "a\nb\nc"), lines: { start: 0, end: 2 } },
      chunkOf("src/users.c", "c", "", { start: 2 }),
      chunkOf("src/users.c", "e", "", { start: 4 }),
    ];
    const hits = apply(pathWords, "#1  0x00401136 in load (id=1) at ../src/users.c:3", chunks);
    expect(hits.map(({ facts }) => facts.lines.start)).toEqual([0, 4]);
  });
  it("puts the innermost frame of the project before those further out", () => {
    const trace = [
      "Traceback (most recent call last):",
      '  File "/app/src/main.py", line 2, in main',
      '  File "/app/src/zload.py", line 2, in load',
      '  File "/usr/lib/python3.11/json/decoder.py", line 2, in decode',
    ].join("\n");
    const chunks = ["src/main.py", "src/zload.py", "docs/decoder.py"].map((path) =>
      chunkOf(path, "", "", { start: 1 }),
    );
    expect(pathsOf(apply(pathWords, trace, chunks))).toEqual([
      "src/zload.py",
      "src/main.py",
      "docs/decoder.py",
    ]);
  });
  it("leaves a name to the definitions", () =>
    expect(apply(pathWords, "TokenRefresh", [chunkOf("token.ts", "")])[0]?.score).toBe(1));
});

describe("spelled out", () => {
  const reader = chunkOf("reader.ts", "", "JsonReader:class");
  it.each([
    ["the words of a type's name are side by side", "how does the JSON reader skip values"],
    ["in another form", "json readers"],
    ["joined by a hyphen", "the streaming json-reader"],
  ])("lifts it where %s", (_, query) => {
    const [first, second] = apply(spelledOut, query, [chunkOf("a.ts", "", "Json:class"), reader]);
    expect(first).toMatchObject({ facts: { path: "reader.ts" }, score: 1.4 });
    expect(first?.reasons).toMatchObject([{ name: "spelled-out", detail: "JsonReader" }]);
    expect(second?.score).toBe(1);
  });

  it("lifts a name that says one word twice", () => {
    const pingPing = chunkOf("a.ts", "", "PingPing:class");
    expect(apply(spelledOut, "ping ping", [pingPing])[0]?.score).toBe(1.4);
    expect(apply(spelledOut, "ping", [pingPing])[0]?.score).toBe(1);
  });

  it("lifts it where its own words have another form", () => {
    const rendered = chunkOf("a.ts", "", "RenderedPages:class");
    expect(apply(spelledOut, "render a page", [rendered])[0]?.score).toBe(1);
    expect(apply(spelledOut, "rendering pages", [rendered])[0]?.score).toBe(1.4);
  });

  it.each([
    ["the words are apart", "a reader of JSON", reader],
    ["only one of them is there", "JSON values", reader],
    ["the name is of one word", "json reader", chunkOf("a.ts", "", "Reader:class")],
    ["it is a function", "json reader", chunkOf("a.ts", "", "jsonReader:function")],
    ["it is a heading", "json reader", chunkOf("a.md", "", "JsonReader:class")],
    ["the question names it as code does", "JsonReader.skip", reader],
  ])("leaves it where %s", (_, query, chunk) =>
    expect(apply(spelledOut, query, [chunk])[0]?.score).toBe(1),
  );
});

describe("coherence", () => {
  it("lifts the best chunk of the file with several", () => {
    const chunks = [chunkOf("a", ""), chunkOf("b", ""), chunkOf("b", "", "", { start: 9 })];
    const hits = apply(coherence, "x", chunks, [1, 1, 0.5]);
    expect(hits.map(({ facts, score }) => `${facts.path} ${score.toFixed(3)}`)).toEqual([
      "b 1.200",
      "a 1.133",
      "b 0.500",
    ]);
  });
  it("leaves an empty list empty", () => expect(apply(coherence, "x", [])).toEqual([]));
});

describe("saturation", () => {
  it("lowers each further chunk of a file", () => {
    const chunks = [0, 1, 2].map((start) => chunkOf("a", "", "", { start }));
    const hits = apply(saturation, "x", [...chunks, chunkOf("b", "")], [1, 0.9, 0.8, 0.5]);
    expect(hits.map(({ score }) => score)).toEqual([1, 0.5, 0.9 * 0.4, 0.8 * 0.4 * 0.4]);
  });
});

describe("fileCategory", () => {
  const lowered = (path: string, query = "open the pool") =>
    apply(fileCategory, query, [chunkOf(path, "")])[0]?.score ?? 0;

  it.each([
    ["src/pool_test.go", 0.3],
    ["README.md", 0.4],
    ["examples/pool.py", 0.3],
    ["examples/pool_test.py", 0.09],
    ["src/legacy/pool.py", 0.3],
    ["api/pool.pb.go", 0.3],
    ["vendor/x/pool.go", 0.3],
    ["deps/x/pool.c", 0.3],
    ["src/deps/pool.c", 1],
    ["single_include/all/pool.hpp", 0.3],
    ["single/pool.hpp", 1],
    ["db/migrate/20240102030405_add_pool.rb", 0.5],
    ["pool/migrations/0002_pool_size.py", 0.5],
    ["src/migrations/runner.py", 1],
    [".github/pool.py", 0.4],
    ["Migrations/AddPool.Designer.cs", 0.3],
    ["src/pool.generated.ts", 0.3],
    ["src/locales/de/pool.json", 0.3],
    ["po/de.po", 0.3],
    ["CHANGELOG.md", 0.2],
    ["docs/release-notes.rst", 0.5],
    ["src/changes.ts", 1],
    ["src/locales/index.ts", 1],
    ["pool/__init__.py", 0.5],
    ["types/pool.d.ts", 0.7],
    ["src/pool.ts", 1],
  ])("keeps %s at %d", (path, factor) => expect(lowered(path)).toBeCloseTo(factor));

  it("keeps each file of a list at its own", () => {
    const paths = ["src/pool_test.go", "README.md", "src/pool.ts", "lib/pool_test.go"];
    const hits = apply(fileCategory, "open the pool", chunksAt(paths));
    const factors = new Map(hits.map(({ facts, score }) => [facts.path, score]));
    expect(paths.map((path) => factors.get(path))).toEqual([0.3, 0.4, 1, 0.3]);
  });

  it.each([
    ["src/pool_test.go", "tests of the pool"],
    ["src/pool_test.go", "which test checks that the pool is closed on exit"],
    ["src/pool_test.go", "how is the pool tested when a server leaves it"],
    ["src/pool_test.go", "pool and server integration tests in this place"],
    ["src/pool_test.go", "pool tests"],
    ["README.md", "documentation of the pool"],
    ["examples/pool.py", "example of a pool"],
    ["vendor/x/pool.go", "vendored pool"],
    ["src/pool.resx", "translated strings of the pool"],
    ["src/pool_test.go", "pool path:src"],
  ])("does not lower %s for the query %j", (path, query) => expect(lowered(path, query)).toBe(1));

  it.each([
    "how are hooks of the pool called around each test",
    "how does the test client take a server from the pool",
    "how plugin specs are read by the pool",
  ])("lowers tests a little for %j, which mentions them", (query) =>
    expect(lowered("src/pool_test.go", query)).toBe(0.5),
  );

  it("does not lower tests that a term asks for", () => {
    const query = "how are hooks called around each place";
    const [hit] = apply(fileCategory, query, [chunkOf("a_test.go", "")], [1], { terms: ["tests"] });
    expect(hit?.score).toBe(1);
  });
});

describe("outdatedVersion", () => {
  const both = [chunkOf("src/v3/types.ts", ""), chunkOf("src/v4/types.ts", "")];
  it.each([
    [
      "an older version comes after a newer one",
      "object types",
      ["src/v4/types.ts", "src/v3/types.ts"],
    ],
    ["a version that is asked for is found", "v3 types", ["src/v3/types.ts", "src/v4/types.ts"]],
    ["and who asks for a path", "types path:src/", ["src/v3/types.ts", "src/v4/types.ts"]],
  ])("%s", (_, query, paths) =>
    expect(pathsOf(apply(outdatedVersion, query, both))).toEqual(paths),
  );

  it("leaves versions of different things alone", () => {
    const others = [chunkOf("auth/v1/a.ts", ""), chunkOf("mail/v2/b.ts", "")];
    expect(
      apply(outdatedVersion, "types", others).every(({ reasons }) => reasons.length === 0),
    ).toBe(true);
  });
});

describe("outdatedVersion with files that moved out of v1", () => {
  const factors = (...paths: string[]) =>
    apply(
      outdatedVersion,
      "fields",
      paths.map((path) => chunkOf(path, "", path)),
    )
      .toSorted((a, b) => a.chunk - b.chunk)
      .map(({ score }) => score);

  it("lowers the file in v1 that has a namesake outside", () =>
    expect(factors("x/v1/fields.py", "x/fields.py")).toEqual([0.5, 1]));
  it("lowers it at the root, too", () =>
    expect(factors("v1/fields.py", "fields.py")).toEqual([0.5, 1]));
  it("leaves one that has none", () =>
    expect(factors("x/v1/fields.py", "x/main.py", "fields.py")).toEqual([1, 1, 1]));
  it("does not lower the index file of a folder", () =>
    expect(factors("x/v1/__init__.py", "x/__init__.py")).toEqual([1, 1]));
  it("leaves v2, beside which Go keeps its first version", () =>
    expect(factors("x/v2/fields.go", "x/fields.go")).toEqual([1, 1]));
});

describe("a place that is named", () => {
  it("comes first, though no lane brought it", () => {
    const others = [
      chunkOf("src/serve.ts", "one line", "", { start: 3 }),
      chunkOf("src/serve.ts", "another", "", { start: 9 }),
    ];
    const trace = "TypeError: x\n at run (/home/me/shop/src/serve.ts:10:5)";
    const hits = apply(pathWords, trace, [chunkOf("a.ts", "TypeError")], [1], { others });
    expect(hits.map(({ facts }) => facts.lines.start)).toEqual([9, 3, 0]);
  });
});

describe("inline test", () => {
  const chunks = [
    chunkOf("a.rs", "", "tests.reads:function", { start: 90 }),
    chunkOf("b.rs", "", "write:function"),
    chunkOf("a.rs", "", "read:function"),
  ];
  const order = (query: string) =>
    apply(inlineTest, query, chunks, [1, 0.8, 0.5]).map(({ facts }) => facts.symbols[0]?.name);
  it("changes places with the code of its file", () =>
    expect(order("read a file")).toEqual(["read", "write", "tests.reads"]));
  it("stays where tests are asked for", () =>
    expect(order("test of reading")).toEqual(["tests.reads", "write", "read"]));
  it("stays where the file has nothing else", () =>
    expect(pathsOf(apply(inlineTest, "read", chunks.slice(0, 2), [1, 0.8]))).toEqual([
      "a.rs",
      "b.rs",
    ]));
});
