/** Our server in the list of every language of a languages.toml, and everything else as it was. */

import { parse, stringify } from "smol-toml";
import { describe, expect, it } from "vitest";
import { serversIn, withCocosearch } from "../../server/cli/helix-languages.ts";

const LISTED =
  '{ name = "cocosearch", only-features = ["workspace-symbols", "workspace-command"] }';
const SERVER = `
[language-server.cocosearch]
command = "cocosearch-lsp"
args = ["--stdio"]
config = { cocosearch = {} }
`;

/** Helix itself lists one server for Go and none for text. */
const BUILT_IN = new Map([
  ["go", ["gopls"]],
  ["text", []],
]);

function check(user: string, expected: string): void {
  const changed = parse(stringify(withCocosearch(parse(user), BUILT_IN)));
  expect(changed).toEqual(parse(expected));
}

const language = (name: string, servers: string) =>
  `[[language]]\nname = "${name}"\nlanguage-servers = [${servers}]\n`;

describe("withCocosearch", () => {
  const text = language("text", LISTED);

  it("appends to the built-in list of a language", () =>
    check("", SERVER + language("go", `"gopls", ${LISTED}`) + text));

  it("keeps the user's list, its order and options", () =>
    check(
      language("go", '{ name = "gopls", except-features = ["format"] }, "other"'),
      SERVER +
        language("go", `{ name = "gopls", except-features = ["format"] }, "other", ${LISTED}`) +
        text,
    ));

  it("keeps other keys of a language", () =>
    check(
      '[[language]]\nname = "go"\nauto-format = true\n',
      `${SERVER}[[language]]\nname = "go"\nauto-format = true\nlanguage-servers = ["gopls", ${LISTED}]\n${text}`,
    ));

  it("does not change a list that contains cocosearch", () =>
    check(language("go", '"cocosearch"'), SERVER + language("go", '"cocosearch"') + text));

  it("keeps the user's entry for the server", () => {
    const own = '[language-server.cocosearch]\ncommand = "/opt/cocosearch-lsp"\n';
    check(own, own + language("go", `"gopls", ${LISTED}`) + text);
  });

  it("does not change an unknown language", () => {
    const own = '[[language]]\nname = "mine"\nscope = "source.mine"\n';
    check(own, SERVER + own + language("go", `"gopls", ${LISTED}`) + text);
  });
});

describe("serversIn", () => {
  it("reads the names of the servers", () =>
    expect(
      serversIn(
        "Configured language servers:\n  \u2718 ty: not found\n  \u2713 ruff: /bin/ruff\nConfigured debug adapter: None",
      ),
    ).toEqual(["ty", "ruff"]));

  it("returns an empty list without servers", () =>
    expect(serversIn("Configured language servers: None\nConfigured debug adapter: None")).toEqual(
      [],
    ));

  it("maps commands of an older Helix to names", () =>
    expect(
      serversIn("Configured language servers:\n  \u2718 jedi-language-server: not found"),
    ).toEqual(["jedi"]));

  it("returns undefined for an unknown language", () =>
    expect(serversIn("Language 'x' not found")).toBeUndefined());
});
