/** The findings of `doctor` about editors, by their version and by the user's configuration. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aboutVersion, editorFindings } from "../../server/cli/doctor-editors.ts";
import { editorNamed, editorsNamed } from "../editors/editor.ts";
import { workspace } from "../support/workspace.ts";

it.each([
  ["Neovim", "NVIM v0.9.5", /too old for the plugin/],
  ["Neovim", "NVIM v0.10.4", /only once a file is open/],
  ["Neovim", "NVIM v0.12.4", undefined],
  ["Helix", "helix 24.7 (079f5442)", /25\.01 or later is needed/],
  ["Helix", "helix 25.1.1 (e7ac2fcd)", /passes no arguments to commands/],
  ["Helix", "helix 25.07.1+20260723", undefined],
  ["Emacs", "GNU Emacs 28.2", /needs 29\.1/],
  ["Emacs", "GNU Emacs 29.1", undefined],
])("`doctor` reports the limits of %s with version %s", (name, said, cannot) => {
  const { ok, detail, remedy } = aboutVersion(name, "program", said);
  expect(ok).toBe(true);
  expect(detail).toContain(said);
  expect(remedy ?? "").toMatch(cannot ?? /^$/);
});

it("`doctor` reports nothing about missing editors", async () => {
  expect(await editorFindings({ PATH: "/nowhere" })).toEqual([]);
});

/** A home of its own, with these editors on the PATH and these languages for Helix. */
function home(programs: Readonly<Record<string, string>>, languages?: string) {
  const root = workspace();
  mkdirSync(join(root, "bin"));
  mkdirSync(join(root, "config/helix"), { recursive: true });
  for (const [name, program] of Object.entries(programs)) {
    symlinkSync(program, join(root, "bin", name));
  }
  if (languages !== undefined) writeFileSync(join(root, "config/helix/languages.toml"), languages);
  return {
    HOME: root,
    PATH: `${join(root, "bin")}:/usr/bin:/bin`,
    XDG_CONFIG_HOME: join(root, "config"),
  };
}

const list = (servers: string) => `[[language]]\nname = "python"\nlanguage-servers = ${servers}\n`;
const OURS = '{ name = "cocosearch", only-features = ["workspace-symbols", "workspace-command"] }';

const newest = editorNamed("hx") ?? "";

describe.skipIf(newest === "")("Helix (COCOSEARCH_TEST_EDITORS names a folder with bin/hx)", () => {
  const find = async (languages?: string) => {
    const findings = await editorFindings(home({ hx: newest }, languages));
    return findings.find(({ what }) => what === "Helix's languages");
  };

  it.each([undefined, list('["pylsp"]')])(
    "notes that no language lists cocosearch: %s",
    async (languages) => {
      const { ok, detail, remedy } = (await find(languages)) ?? {};
      expect(ok).toBe(true);
      expect(detail).toMatch(/^no language in .*languages\.toml uses cocosearch$/);
      expect(remedy).toContain("helix-config --write");
    },
  );

  it("reports that a list with only cocosearch disables Helix's own servers", async () => {
    const { ok, detail } = (await find(list(`[${OURS}]`))) ?? {};
    expect(ok).toBe(false);
    expect(detail).toMatch(/lists only cocosearch for python/);
  });

  it("reports no problem if cocosearch is beside other servers", async () => {
    expect(await find(list(`["pylsp", ${OURS}]`))).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^cocosearch is listed beside the other servers in /),
    });
  });

  it("names an unreadable languages.toml", async () => {
    expect(await find("[[language")).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/languages\.toml:1: invalid TOML$/),
    });
  });
});

const versions = ["nvim", "hx", "emacs"].flatMap((name) =>
  editorsNamed(name).map((program) => ({ name, program })),
);

it
  .skipIf(versions.length === 0)
  .each(versions.length === 0 ? [{ name: "none", program: "" }] : versions)(
  "reads the version of a real $name: $program (COCOSEARCH_TEST_EDITORS names folders with bin/)",
  async ({ name, program }) => {
    const [finding] = await editorFindings(home({ [name]: program }));
    expect(finding?.what).toBe(`editor ${name}`);
    expect(finding?.detail).toMatch(/^(NVIM v|helix |GNU Emacs )\d/);
  },
);
