/** Which version of an imported package a lock file names. */

import { describe, expect, it } from "vitest";
import { LOCK_FORMATS } from "../../../server/graph/packages/lock-files.ts";

/** `name version` of the package of a module; empty where the file does not say. */
function locked(file: string, text: string, module: string, folder = ""): string {
  const found = LOCK_FORMATS[file]?.parse(text)(module, folder);
  return found === undefined ? "" : `${found.name} ${found.version}`;
}

describe("package-lock.json", () => {
  const lock = JSON.stringify({
    packages: {
      "": { version: "9.9.9" },
      "node_modules/left-pad": { version: "1.3.0" },
      "node_modules/@scope/one": { version: "2.0.0" },
      "packages/app/node_modules/left-pad": { version: "1.1.0" },
    },
  });
  const check = (module: string, expected: string, folder?: string) =>
    expect(locked("package-lock.json", lock, module, folder)).toBe(expected);
  it("names a package", () => check("left-pad", "left-pad 1.3.0"));
  it("names the package of a part", () => check("@scope/one/part.js", "@scope/one 2.0.0"));
  it("takes the nearest", () => check("left-pad", "left-pad 1.1.0", "packages/app/src"));
  it("takes the outer one else", () => check("left-pad", "left-pad 1.3.0", "packages/other"));
  it("says nothing of others", () => check("constructor", ""));
  it("of version 1", () => {
    const old = JSON.stringify({ dependencies: { "left-pad": { version: "1.0.0" } } });
    expect(locked("package-lock.json", old, "left-pad")).toBe("left-pad 1.0.0");
  });
});

describe("pnpm-lock.yaml", () => {
  const lock = `lockfileVersion: '9.0'

importers:

  .:
    devDependencies:
      vitest:
        specifier: ^2.0.0
        version: 2.1.0(@types/node@20.0.0)

  packages/app:
    dependencies:
      '@scope/one':
        specifier: ^1.0.0
        version: 1.2.0
      own:
        specifier: workspace:*
        version: link:../own

packages:

  '@scope/one@1.2.0':
    resolution: {integrity: x}

  deep@1.0.0:
    resolution: {integrity: x}

  deep@2.0.0:
    resolution: {integrity: x}

  only@3.0.0(peer@1.0.0):
    resolution: {integrity: x}
`;
  const check = (module: string, expected: string, folder?: string) =>
    expect(locked("pnpm-lock.yaml", lock, module, folder)).toBe(expected);
  it("names what a folder asked for", () =>
    check("@scope/one", "@scope/one 1.2.0", "packages/app/src"));
  it("without what was built with it", () =>
    check("vitest/config", "vitest 2.1.0", "packages/app"));
  it("names what only one version is there of", () => check("only", "only 3.0.0"));
  it("says nothing where it could be several", () => check("deep", ""));
  it("says nothing of the workspace's own", () => check("own", "", "packages/app"));
  it("of version 6", () => {
    const old = "packages:\n\n  /left-pad@1.3.0:\n    dev: true\n  /@s/a@1.0.0(b@2.0.0):\n";
    expect(locked("pnpm-lock.yaml", old, "left-pad")).toBe("left-pad 1.3.0");
    expect(locked("pnpm-lock.yaml", old, "@s/a")).toBe("@s/a 1.0.0");
  });
});

describe("yarn.lock", () => {
  const one = `# yarn lockfile v1

"@scope/one@^1.0.0", "@scope/one@^1.1.0":
  version "1.2.0"
  dependencies:
    left-pad "^1.0.0"

left-pad@^1.0.0:
  version "1.3.0"

twice@^1.0.0:
  version "1.0.0"

twice@^2.0.0:
  version "2.0.0"
`;
  const check = (module: string, expected: string, lock = one) =>
    expect(locked("yarn.lock", lock, module)).toBe(expected);
  it("names a package", () => check("left-pad", "left-pad 1.3.0"));
  it("names one with a scope", () => check("@scope/one", "@scope/one 1.2.0"));
  it("says nothing where it could be several", () => check("twice", ""));
  it("of version 2", () =>
    check("a", "a 1.0.5", '__metadata:\n  version: 8\n\n"a@npm:^1.0.0":\n  version: 1.0.5\n'));
});

const TOML = (name: string, version: string) =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = "x"\n\n`;

it.each([
  [
    "uv.lock",
    `version = 1\n\n${TOML("typing-extensions", "4.9.0")}`,
    "typing_extensions",
    "typing-extensions 4.9.0",
  ],
  [
    "poetry.lock",
    TOML("google-cloud-storage", "2.0.0"),
    "google.cloud.storage.blob",
    "google-cloud-storage 2.0.0",
  ],
  ["poetry.lock", TOML("requests", "2.31.0"), "yaml", ""],
  ["Cargo.lock", TOML("serde_json", "1.0.1"), "serde_json::Value", "serde_json 1.0.1"],
  ["Cargo.lock", TOML("tower-http", "0.5.0"), "tower_http::trace", "tower-http 0.5.0"],
  ["Cargo.lock", TOML("syn", "1.0.0") + TOML("syn", "2.0.0"), "syn", ""],
  [
    "go.mod",
    "module x.y/z\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.2.3\n\tgithub.com/a/b/v2 v2.0.0 // indirect\n)\n",
    "github.com/a/b/pkg",
    "github.com/a/b v1.2.3",
  ],
  ["go.mod", "require github.com/a/b v1.2.3\n", "github.com/a/b", "github.com/a/b v1.2.3"],
  ["go.mod", "require github.com/a/b v1.2.3\n", "net/http", ""],
  [
    "go.sum",
    "github.com/a/b v1.2.3 h1:x=\ngithub.com/a/b v1.2.3/go.mod h1:y=\n",
    "github.com/a/b/c",
    "github.com/a/b v1.2.3",
  ],
  [
    "Gemfile.lock",
    "GEM\n  specs:\n    rack (3.0.8)\n    nokogiri (1.16.0-x86_64-linux)\n      racc (~> 1.4)\n",
    "rack/test",
    "rack 3.0.8",
  ],
  [
    "Gemfile.lock",
    "GEM\n  specs:\n    nokogiri (1.16.0-x86_64-linux)\n      racc (~> 1.4)\n",
    "nokogiri",
    "nokogiri 1.16.0",
  ],
  ["Gemfile.lock", "GEM\n  specs:\n    nokogiri (1.16.0)\n      racc (~> 1.4)\n", "racc", ""],
  [
    "composer.lock",
    JSON.stringify({
      packages: [
        {
          name: "monolog/monolog",
          version: "3.5.0",
          autoload: { "psr-4": { "Monolog\\": "src/" } },
        },
      ],
      "packages-dev": [{ name: "x/y", version: "1.0.0", autoload: { "psr-4": { "": "src/" } } }],
    }),
    "Monolog.Handler.StreamHandler",
    "monolog/monolog 3.5.0",
  ],
])("%s %#", (file, text, module, expected) => {
  expect(locked(file, text, module)).toBe(expected);
});

/** The engine's own thread reads them; these took seconds, and hours at the 20 MB that a lock file may have. */
describe("a lock file that was made to be slow", () => {
  const json = JSON.stringify;
  it.each([
    ["go.mod", "v.".repeat(40_000)],
    ["Gemfile.lock", "    a (b\n".repeat(15_000)],
    ["Gemfile.lock", `    a (${"b".repeat(60_000)}`],
    [
      "composer.lock",
      json({
        packages: [
          {
            name: "a",
            version: "1",
            autoload: { "psr-4": { [`${"\\".repeat(60_000)}a`]: "src" } },
          },
        ],
      }),
    ],
  ])("is read soon: %s", (name, text) => {
    const start = performance.now();
    expect(locked(name, text, "other")).toBe("");
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
