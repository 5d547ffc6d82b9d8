/** A hostile cocosearch.yaml: each forbidden setting and each broken file is reported once, and the remaining settings apply. */

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SETTINGS, scopeOf } from "../../server/config/settings.ts";
import { fromWorkspaceFile } from "../../server/config/workspace-file.ts";
import type { Session, SessionEvent } from "../../server/contracts/session.ts";
import type { PartialSettings, SettingName } from "../../server/contracts/settings.ts";
import { embeddingServer } from "../support/embedding-server.ts";
import { sharedEngine } from "../support/engine.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { workspace, write } from "../support/workspace.ts";

/** Values of every type that a setting has; the first that it takes is what the file wants. */
const WANTED: readonly unknown[] = [
  "https://evil.example/v1",
  "postgresql://evil.example/x",
  "openai",
  "local",
  "debug",
  "sql",
  "late",
  "voyage",
  "sk-of-somebody",
  7,
  7_000,
  false,
  true,
  ["/"],
  ["lua"],
  [{ language: "evil", wasm: "/tmp/evil.wasm" }],
];

const FORBIDDEN = (Object.keys(SETTINGS) as SettingName[]).filter(
  (name) => scopeOf(name) !== "workspace",
);

function wantedFor(name: SettingName): unknown {
  const { check, fallback } = SETTINGS[name];
  return WANTED.find((value) => check.safeParse(value).success && value !== fallback);
}

describe("user-only settings", () => {
  it("are marked in the table of settings", () => {
    expect(FORBIDDEN).toEqual(
      expect.arrayContaining([
        "embedding.baseUrl",
        "embedding.apiKey",
        "database.url",
        "trustedWorkspaces",
      ]),
    );
    expect(FORBIDDEN.filter((name) => wantedFor(name) === undefined)).toEqual([]);
  });

  const spellings = (name: string): [string, string][] => {
    const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const [group, own] = name.split(".");
    const nested = own === undefined ? name : `${group}:\n  ${own}`;
    return [name, snake, nested, `cocosearch:\n  ${name}`].map((way) => [name, way]);
  };

  it.each(FORBIDDEN.flatMap(spellings))(
    "workspace value of %s is ignored, written as %j",
    (name, way) => {
      const value = JSON.stringify(wantedFor(name as SettingName));
      const rest = way.startsWith("cocosearch") ? "  search.limit: 3" : "search.limit: 3";
      const { settings, problems } = fromWorkspaceFile(
        `${way}: ${value}\n${rest}\n`,
        "c.yaml",
        false,
      );
      expect(settings).toEqual({ "search.limit": 3 });
      expect(problems).toEqual([expect.stringContaining(`c.yaml: "${name}" is ignored`)]);
      expect(problems.join()).not.toContain(JSON.parse(value));
    },
  );
});

describe("values with paths outside the workspace", () => {
  it.each([
    ["indexName", "../../other"],
    ["indexName", 'x"; drop table cocosearch_indexes; --'],
    ["indexName", "a/b"],
    ["linkedIndexes", ["../other"]],
    ["linkedIndexes", ["x'; delete from cocosearch_indexes; --"]],
    ["linkedIndexes", [""]],
    ["indexing.includePatterns", ["*a".repeat(12)]],
    ["indexing.includePatterns", ["**/a/".repeat(11)]],
    ["indexing.excludePatterns", ["*a".repeat(12)]],
    ["indexing.includePatterns", [7]],
    ["indexing.chunkSize", 1e308],
    ["indexing.maxFileBytes", -1],
    ["search.limit", "all"],
    ["indexing.enabled", "perhaps"],
  ])("%s: %j is ignored, and the rest counts", (name, value) => {
    const yaml = `${JSON.stringify(name)}: ${JSON.stringify(value)}\nsearch.minScore: 0.5\n`;
    const { settings, problems } = fromWorkspaceFile(yaml, "c.yaml", false);
    expect(settings).toEqual({ "search.minScore": 0.5 });
    expect(problems).toEqual([expect.stringContaining(`"${name}" is ignored`)]);
  });
});

describe("invalid settings files", () => {
  const bomb = Array.from(
    { length: 30 },
    (_, n) => `k${n}: &a${n} [${`*a${n - 1},`.repeat(n === 0 ? 0 : 9)}1]`,
  ).join("\n");
  it.each([
    ["alias bomb", `${bomb}\n`, "not read"],
    ["cycle", "a: &a\n  b: *a\n", undefined],
    ["deep list", "[".repeat(90_000), "not read"],
    [
      "deep groups",
      Array.from({ length: 400 }, (_, n) => `${" ".repeat(n)}a:`).join("\n"),
      undefined,
    ],
    ["tags", "search.limit: !!js/function 'function () {}'\n", "is ignored"],
    ["twice", "search.limit: 3\nsearch.limit: 4\n", "not read"],
    ["prototype", "__proto__:\n  search.limit: 3\nconstructor: x\n", "unknown setting"],
    [
      "many unknown",
      Array.from({ length: 5_000 }, (_, n) => `x${n}: 1`).join("\n"),
      "4980 more are ignored",
    ],
    ["a long name", `${"x".repeat(900)}: 1\n`, "unknown setting"],
  ])("%s", (_, yaml, expected) => {
    const { settings, problems } = fromWorkspaceFile(yaml, "c.yaml", false);
    expect(settings).toEqual({});
    expect(problems.join("\n")).toContain(expected ?? "");
    expect(problems.length).toBeLessThan(25);
    expect(problems.join("\n").length).toBeLessThan(5_000);
    expect(({} as Record<string, unknown>)["search.limit"]).toBeUndefined();
  });
});

describe("settings of an opened workspace", () => {
  const engine = sharedEngine();

  async function opened(root: string, user: PartialSettings = {}) {
    const session: Session = engine.session();
    onTestFinished(() => session.dispose());
    const told: string[] = [];
    session.onEvent((event: SessionEvent) => {
      if (event.kind === "message") told.push(event.text);
    });
    await session.configure(user);
    await session.openFolders([root]);
    await session.whenIdle();
    return { session, told };
  }

  async function evilWorkspace() {
    const server = await embeddingServer();
    onTestFinished(() => server.close());
    const all = Object.fromEntries(FORBIDDEN.map((name) => [name, wantedFor(name)]));
    const root = workspace(SMALL_SHOP);
    const wanted = {
      ...all,
      "embedding.provider": "openai",
      "embedding.baseUrl": server.url,
      "database.url": "",
      "languages.grammars": [],
      "search.lanes": "memory",
      trustedWorkspaces: [root],
      "indexing.excludePatterns": ["token.py"],
    };
    writeFileSync(join(root, "cocosearch.yaml"), JSON.stringify(wanted));
    return { root, server };
  }

  it("forbidden settings are ignored and reported once, and the others apply", async () => {
    const { root, server } = await evilWorkspace();
    const { session, told } = await opened(root);
    await session.configure({ "search.limit": 5 });
    await session.openFolders([root]);
    await session.whenIdle();
    expect(server.requests).toBe(0);
    for (const name of FORBIDDEN) {
      expect(told.filter((text) => text.includes(`"${name}" is ignored`))).toHaveLength(1);
    }
    const { indexes, warnings } = await session.status();
    expect(indexes[0]?.model).not.toContain("openai");
    expect(Object.keys(indexes[0]?.excluded ?? {}).join()).toContain("token.py");
    expect(warnings).toHaveLength(FORBIDDEN.length);
    expect((await session.search({ query: "open_pool" })).hits[0]?.path).toBe("src/pool.py");
  });

  it("all settings apply in a trusted folder, also through a link to it", async () => {
    const { root, server } = await evilWorkspace();
    const link = `${root}-link`;
    symlinkSync(root, link);
    const { session } = await opened(root, { trustedWorkspaces: [`${link}/`] });
    expect((await session.status()).indexes[0]?.model).toContain("openai");
    expect(server.texts.join()).toContain("open_pool");
    expect(server.keys).toContain("Bearer https://evil.example/v1");
  });

  it.each<[string, (file: string) => void, string]>([
    ["a pipe", (file) => void execFileSync("mkfifo", [file]), "it is not a file"],
    ["a folder", (file) => mkdirSync(file), "not read"],
    ["a link out", (file) => symlinkSync("/etc/passwd", file), "it is a link out of the workspace"],
    [
      "a link to a device",
      (file) => symlinkSync("/dev/zero", file),
      "it is a link out of the workspace",
    ],
    [
      "enormous",
      (file) => (writeFileSync(file, ""), truncateSync(file, 9e9)),
      "larger than 100 kB",
    ],
  ])(
    "a settings file that is %s is reported, and the folder is indexed",
    async (_, make, expected) => {
      const root = workspace(SMALL_SHOP);
      make(join(root, "cocosearch.yaml"));
      const { session, told } = await opened(root);
      expect(told.join()).toContain(expected);
      expect((await session.search({ query: "open_pool" })).hits[0]?.path).toBe("src/pool.py");
    },
  );

  it("linked index names do not give access to indexes of other folders", async () => {
    const secret = workspace("//- src/private.py\ndef private_of_another(): pass\n");
    writeFileSync(join(secret, "cocosearch.yaml"), "indexName: victim\n");
    const victim = await opened(secret);
    const root = workspace(SMALL_SHOP);
    writeFileSync(join(root, "cocosearch.yaml"), "indexName: victim\n");
    const thief = await opened(root);
    const { hits } = await thief.session.search({ query: "private_of_another" });
    expect(hits.map(({ path }) => path)).not.toContain("src/private.py");
    const again = await victim.session.search({ query: "private_of_another" });
    expect(again.hits[0]?.path).toBe("src/private.py");
  });

  it("links to ignore files outside the workspace are not followed, as in git", async () => {
    const outside = workspace("//- rules\n*.py\n");
    const root = workspace(SMALL_SHOP);
    symlinkSync(join(outside, "rules"), join(root, ".gitignore"));
    write(root, `//- src/.ignore\n${"*a".repeat(40)}\n`);
    const { session } = await opened(root);
    expect((await session.search({ query: "open_pool" })).hits[0]?.path).toBe("src/pool.py");
  });
});
