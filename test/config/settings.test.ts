/** The settings that each source may set, and the reasons for rejected values. */

import { describe, expect, it } from "vitest";
import {
  DEFAULTS,
  fromEnvironment,
  fromObject,
  merge,
  SETTINGS,
} from "../../server/config/settings.ts";
import { fromWorkspaceFile } from "../../server/config/workspace-file.ts";

describe("fromObject", () => {
  it("accepts nested and dotted names, in camel and snake case", () => {
    const { settings, problems } = fromObject(
      { cocosearch: { indexing: { chunk_size: 500 }, "search.limit": 7, index_name: "x" } },
      "editor",
    );
    expect(problems).toEqual([]);
    expect(settings).toEqual({ "indexing.chunkSize": 500, "search.limit": 7, indexName: "x" });
  });

  it.each([
    [{ serach: { limit: 1 } }, 'editor: unknown setting "serach.limit"'],
    [{ search: { limit: "many" } }, 'editor: "search.limit" is ignored'],
    [{ indexName: 5 }, '"indexName" is ignored: a text is expected'],
    [
      { "indexing.includePatterns": "*.py" },
      '"indexing.includePatterns" is ignored: a list is expected',
    ],
    [{ search: 3 }, '"search" is ignored: it is a group of settings, such as "search.lanes"'],
    [{ indexName: "a; drop table x" }, "up to 64 letters"],
    [{ "database.url": "mysql://x" }, "a postgresql:// URL"],
    [
      { "embedding.apiKey": "sk-\u201dx" },
      "a key of ASCII letters, digits and punctuation is expected",
    ],
    [{ "rerank.apiKey": "two words" }, "a key of ASCII letters"],
  ])("rejects %j", (value, reason) => {
    const { settings, problems } = fromObject(value, "editor");
    expect(settings).toEqual({});
    expect(problems.join()).toContain(reason);
  });

  it.each(["embedding.baseUrl", "rewrite.baseUrl"] as const)(
    "an invalid %s is replaced by an unusable address and not by the default",
    (name) => {
      const variable: string = SETTINGS[name].env ?? "";
      for (const { settings, problems } of [
        fromObject({ [name]: "localhost:1234" }, "editor"),
        fromEnvironment({ [variable]: "localhost:1234" }),
      ]) {
        expect(new URL(settings[name] ?? "").hostname).toMatch(/\.invalid$/);
        expect(problems).toEqual([
          expect.stringContaining(
            "is invalid, and its default is not used either: an http or https URL is expected",
          ),
        ]);
      }
    },
  );

  it("trims an API key", () => {
    const { settings } = fromEnvironment({ COCOSEARCH_EMBEDDING_API_KEY: " sk-1\n" });
    expect(settings).toEqual({ "embedding.apiKey": "sk-1" });
  });

  it("reports unknown names down to the fourth level", () => {
    const { problems } = fromObject({ a: { b: { c: { d: { e: 1 } } } } }, "editor");
    expect(problems).toEqual(['editor: unknown setting "a.b.c.d"']);
  });

  it.each([null, undefined, []])("ignores %j", (value) => {
    expect(fromObject(value, "editor")).toEqual({ settings: {}, problems: [] });
  });

  it.each([7, "text", ["search.limit"], false])("rejects %j with one problem", (value) => {
    expect(fromObject(value, "editor")).toEqual({
      settings: {},
      problems: ["editor: ignored: an object with the names of settings is expected"],
    });
  });
});

describe("fromWorkspaceFile", () => {
  const yaml = `
indexName: shop
linkedIndexes: [common]
indexing:
  include_patterns: ["*.py"]
  exclude_patterns: ["gen/"]
  chunk_size: 800
embedding:
  provider: openai
  baseUrl: https://evil.example
database:
  url: postgresql://evil.example/x
`;

  it("accepts settings of indexing, and rejects addresses that code is sent to", () => {
    const { settings, problems } = fromWorkspaceFile(yaml, "cocosearch.yaml", false);
    expect(settings).toEqual({
      indexName: "shop",
      linkedIndexes: ["common"],
      "indexing.includePatterns": ["*.py"],
      "indexing.excludePatterns": ["gen/"],
      "indexing.chunkSize": 800,
    });
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain("a workspace may not set it");
  });

  it.each([
    [
      "embedding:\n  provider: openai",
      "Set it in your editor or by COCOSEARCH_EMBEDDING_PROVIDER, or",
    ],
    ["search:\n  related: 3", "Set it in your editor, or add the folder"],
  ])("reports where the user may set %j", (text, remedy) => {
    expect(fromWorkspaceFile(text, "w.yaml", false).problems).toEqual([
      expect.stringContaining(`a workspace may not set it. ${remedy}`),
    ]);
  });

  it("accepts a pattern of one letter and rejects an empty one", () => {
    const read = (pattern: string) =>
      fromWorkspaceFile(`indexing:\n  excludePatterns: ["${pattern}"]\n`, "cocosearch.yaml", false);
    expect(read("*")).toEqual({ settings: { "indexing.excludePatterns": ["*"] }, problems: [] });
    expect(read("")).toMatchObject({
      settings: {},
      problems: [expect.stringContaining("exclude")],
    });
  });

  it("accepts every setting in a trusted folder", () => {
    const { settings, problems } = fromWorkspaceFile(yaml, "cocosearch.yaml", true);
    expect(settings["embedding.provider"]).toBe("openai");
    expect(problems).toEqual([]);
  });

  it.each(["- a", "hello world", "42", "\u0001\u0002", "[]"])(
    "rejects %j as a settings file",
    (text) => {
      const { settings, problems } = fromWorkspaceFile(text, "cocosearch.yaml", false);
      expect(settings).toEqual({});
      expect(problems).toEqual([
        'cocosearch.yaml: not read: it contains no settings; write a setting as a name and a value, such as "indexName: shop"',
      ]);
    },
  );
  it.each(["", "# nothing yet\n", "{}", "search:\n"])("accepts %j as an empty file", (text) =>
    expect(fromWorkspaceFile(text, "cocosearch.yaml", false)).toEqual({
      settings: {},
      problems: [],
    }),
  );

  it("reports invalid YAML", () => {
    const { settings, problems } = fromWorkspaceFile("a: [", "cocosearch.yaml", false);
    expect(settings).toEqual({});
    expect(problems.join()).toMatch(/^cocosearch\.yaml: not read: .* at line 1, column 5$/);
  });
});

describe("fromEnvironment", () => {
  it.each([
    [{ COCOSEARCH_INDEXING_ENABLED: "off" }, { "indexing.enabled": false }],
    [{ COCOSEARCH_INDEXING_ENABLED: "1" }, { "indexing.enabled": true }],
    [{ COCOSEARCH_WORKERS: "2" }, { "indexing.workers": 2 }],
    [{ COCOSEARCH_INDEX_NAME: "7" }, { indexName: "7" }],
    [{ COCOSEARCH_DATABASE_URL: "" }, {}],
  ])("reads %j", (env, settings) => {
    expect(fromEnvironment(env)).toEqual({ settings, problems: [] });
  });

  it.each([
    [
      "COCOSEARCH_SEARCH_LIMIT",
      '"search.limit" has no variable; set it in your editor or in cocosearch.yaml',
    ],
    ["COCOSEARCH_TRUSTED_WORKSPACES", '"trustedWorkspaces" has no variable; set it in your editor'],
    ["COCOSEARCH_INDEXING_WORKERS", 'the variable for "indexing.workers" is COCOSEARCH_WORKERS'],
    ["COCOSEARCH_DATABSE_URL", "did you mean COCOSEARCH_DATABASE_URL?"],
    ["COCOSEARCH_HOEM", "did you mean COCOSEARCH_HOME?"],
  ])("suggests the setting for %s", (name, remedy) => {
    const problems = [`${name} is ignored: ${remedy}`];
    expect(fromEnvironment({ [name]: "5" })).toEqual({ settings: {}, problems });
  });

  it.each([
    "COCOSEARCH_HOME",
    "COCOSEARCH_ENGINE_IDLE_SECONDS",
    "COCOSEARCH_PROJECT_PATH",
    "SEARCH_LIMIT",
  ])("does not report %s, which is not a setting", (name) => {
    expect(fromEnvironment({ [name]: "5" })).toEqual({ settings: {}, problems: [] });
  });

  it("names the variable of a rejected value", () => {
    expect(fromEnvironment({ COCOSEARCH_WORKERS: "many" }).problems[0]).toContain(
      "COCOSEARCH_WORKERS is ignored",
    );
  });
});

it("merge takes the value of the later source", () => {
  const settings = merge({ "search.limit": 3 }, { "search.limit": 4, indexName: "a" });
  expect(settings).toEqual({ ...DEFAULTS, "search.limit": 4, indexName: "a" });
});

it.each(["log.level", "indexing.workers"] as const)(
  "%s is rejected from an editor and from a trusted folder, because the engine is shared",
  (name) => {
    const [value, { env }] = [DEFAULTS[name], SETTINGS[name]];
    const { settings, problems } = fromObject({ [name]: value }, "editor");
    const file = fromWorkspaceFile(JSON.stringify({ [name]: value }), "file", true);
    expect([settings, file.settings]).toEqual([{}, {}]);
    for (const [problem] of [problems, file.problems]) expect(problem).toContain(`set ${env} in`);
    expect(fromEnvironment({ [env ?? ""]: String(value) }).settings).toEqual({ [name]: value });
  },
);
