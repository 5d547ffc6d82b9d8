/** Blocks of configuration and headings of prose, and text that looks like them. Whole samples are in test/indexing/golden. */

import { describe, expect, it } from "vitest";
import { formatOf } from "../../server/languages/formats/formats.ts";
import { createLanguages } from "../../server/languages/languages.ts";

const languages = createLanguages();

/** Lines are 1-based. */
async function check(path: string, text: string, expected: readonly string[]): Promise<void> {
  const id = languages.detect(path, text);
  const found = await languages.withSyntax(
    text,
    id,
    ({ definitions }) =>
      definitions.map(
        ({ nodeType, symbol: { name, lines } }) =>
          `${nodeType} ${name} ${lines.start + 1}-${lines.end + 1}`,
      ),
    { path },
  );
  expect(found).toEqual(expected);
}

function checkFormat(path: string, text: string, expected: string | undefined): void {
  expect(formatOf(path, languages.detect(path, text), text)?.id).toBe(expected);
}

describe("A format is recognized by path and content:", () => {
  it.each([
    [".github/workflows/ci.yml", "on: push\n", "github-actions"],
    ["setup/action.yml", "runs:\n  using: composite\n", "github-actions"],
    ["setup/action.yml", "title: a film\n", undefined],
    [".gitlab-ci.yml", "build:\n  script: x\n", "gitlab-ci"],
    ["ci/deploy.gitlab-ci.yml", "deploy:\n  script: x\n", "gitlab-ci"],
    ["docker-compose.override.yml", "services:\n", "docker-compose"],
    ["compose.yaml", "music: yes\n", undefined],
    ["app/Chart.yaml", "apiVersion: v2\n", "helm-chart"],
    ["app/values-prod.yaml", "replicas: 2\n", "helm-values"],
    ["app/templates/web.yaml", "kind: {{ .Values.kind }}\n", "helm-template"],
    ["app/templates/_helpers.tpl", '{{ define "a" }}{{ end }}\n', "helm-template"],
    ["x.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Application\n", "argo-cd"],
    ["x.yaml", "apiVersion: v1\nkind: Service\n", "kubernetes"],
    ["x.yaml", "a: 1\n", undefined],
    ["web/package.json", "{}\n", "package-json"],
    ["pyproject.toml", "[project]\n", "pyproject-toml"],
    ["crates/a/Cargo.toml", "[package]\n", "cargo-toml"],
    ["go.work", "go 1.22\n", "go-mod"],
  ])("%s", checkFormat);
});

describe("headings", () => {
  it("Headings are joined to a path, including underlined ones", () =>
    check("a.md", "# A\n\nB\n---\n\n### C `d`\n\n# E\n", [
      "heading A 1-6",
      "heading A > B 3-6",
      "heading A > B > C d 6-6",
      "heading E 8-8",
    ]));
  it("Front matter, code and comments have no headings", () =>
    check(
      "a.md",
      "---\ntitle: x\n---\n# A\n\n````md\n```js\n# no\n```\n````\n\n```sh\n# no\n```js\n# no\n```\n\n<!--\n# no\n-->\n\n## B\n",
      ["heading A 4-22", "heading A > B 22-22"],
    ));
  it("A heading may follow a thematic break at the top of a page", () =>
    check("a.md", "---\n# A\n", ["heading A 2-2"]));
  it("Closing marks of a heading are removed, a # without a space is kept", () =>
    check("a.md", "## C# and F#\n## C# ##\n## Ab #\n", [
      "heading C# and F# 1-1",
      "heading C# 2-2",
      "heading Ab 3-3",
    ]));
  it("Attributes at the end of a heading are removed", () =>
    check(
      "a.md",
      "## Set up {#set-up}\n## Run ## {.unnumbered #run}\n## Kramdown {: #id}\n## Docs {/* #docs */}\n## Of {braces}\n## `{#if}`\n## {#each}\nTitle {#top}\n===\n",
      [
        "heading Set up 1-1",
        "heading Run 2-2",
        "heading Kramdown 3-3",
        "heading Docs 4-4",
        "heading Of {braces} 5-5",
        "heading {#if} 6-6",
        "heading {#each} 7-7",
        "heading Title 8-9",
      ],
    ));
  it("A heading may begin with inline code", () =>
    check("a.md", "# A\n```x``` is code\n# B\n", ["heading A 1-2", "heading B 3-3"]));
});

describe("tables of TOML", () => {
  it("Arrays and multi-line strings have no tables", () =>
    check(
      "a.toml",
      'list = [\n  [1, 2],\n  ["a"]\n]\none = [["b"]]\ntext = """\n[no]\n"""\nshort = """a"""\n[a.b]\nx = "["\n[[c]]\n',
      ["table a.b 10-11", "table c 12-12"],
    ));
});

describe("keys of YAML", () => {
  it("A key may contain colons", () =>
    check("a.yml", "tasks:\n  test:unit:\n    - a\n  see http://a.b\n", [
      "key tasks 1-4",
      "key tasks.test:unit 2-3",
    ]));
  it("Block scalars have no keys", () =>
    check("a.yml", "a: \"x\n  b:\n    c\"\nd: |\n  e:\n    f\ng: 'it''s'\nh:\n  i: 1\n", [
      "key a 1-3",
      "key d 4-6",
      "key h 8-9",
    ]));
  it("Keys are blocks of their format, including one-line services", () =>
    check("compose.yaml", "services:\n  db: {image: pg}\nvolumes:\n  data:\n", [
      "services services 1-2",
      "service services.db 2-2",
      "volumes volumes 3-4",
      "volume volumes.data 4-4",
    ]));
  it("Keys of a workflow are jobs, services and steps", () =>
    check(
      ".github/workflows/a.yml",
      "jobs:\n  a:\n    services:\n      pg:\n        image: x\n    steps:\n    - uses: b\n    - run: |\n        jobs:\n          c:\n",
      [
        "jobs jobs 1-10",
        "job jobs.a 2-10",
        "services jobs.a.services 3-5",
        "service jobs.a.services.pg 4-5",
        "steps jobs.a.steps 6-10",
        "step jobs.a.steps.b 7-7",
        "step jobs.a.steps.item 8-10",
      ],
    ));
});

describe("blocks without a grammar", () => {
  it("A here-document of a Dockerfile has no stages", () =>
    check("Dockerfile", "FROM a AS build\nRUN <<EOF\nFROM b\nEOF\nFROM c\n", [
      "stage build 1-4",
      "stage c 5-5",
    ]));
  it("A multi-line variable of a makefile has no targets", () =>
    check("Makefile", "define x\na: b\nendef\nall: c\n\td\n", ["target all 4-5"]));
  it("A target-specific variable is not a target", () =>
    check(
      "Makefile",
      "test: export MODE = fast\n%.o: CFLAGS += -g\ntest: X := 1\ntest: a.o\n\tb\nshow: ; A=1 env\n",
      ["target test 4-5", "target show 6-6"],
    ));
  it("CMake targets are named by their first argument", () =>
    check(
      "CMakeLists.txt",
      "add_library(core\n  a.c)\nadd_library(my::core ALIAS core)\nadd_executable(app main.c)\n",
      ["class core 1-2", "class app 4-4"],
    ));
  it("The schema of GraphQL and type extensions are blocks", () =>
    check(
      "a.graphql",
      'schema {\n  query: Query\n}\nextend schema @link(url: "x") {\n  mutation: M\n}\nextend interface Node { id: ID }\nextend union U = A\ntype Query { schema: String }\n',
      [
        "class schema 1-3",
        "class schema 4-6",
        "interface Node 7-7",
        "interface U 8-8",
        "class Query 9-9",
      ],
    ));
  it("Fortran interfaces are blocks", () =>
    check("a.f90", "interface op\n  module procedure add\nend interface\n", ["interface op 1-3"]));
  it("Labels of batch files and assembly are blocks", async () => {
    await check("a.bat", "call :go\n:go\necho x\ngoto :eof\n:: done\n", ["function go 2-4"]);
    await check("a.s", "  .text\nmain:\n  ret\n.L1:\n", ["function main 2-3"]);
  });
});
