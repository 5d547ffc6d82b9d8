/** A terminal obeys nothing that a cloned repository contains. */

import { describe, expect, it } from "vitest";
import { forTerminal, jsonForTerminal } from "../../server/common/terminal.ts";
import { HIT, run } from "../cli/run-cli.ts";

const ATTACK = "\u001b]0;owned\u0007\u001b[2J\u001b[8m\u009b31mname\r\u202e";

describe("forTerminal", () => {
  it.each([
    ["a window's title", "\u001b]0;owned\u0007", "\u00b7]0;owned\u00b7"],
    ["a cleared screen", "\u001b[2Jx", "\u00b7[2Jx"],
    ["hidden text", "\u001b[8mx", "\u00b7[8mx"],
    ["a control character of one byte", "\u009b31mx", "\u00b731mx"],
    ["a line written over", "good\rbad", "good\u00b7bad"],
    ["letters in another order", "a\u202eb\u2066c", "a\u00b7b\u00b7c"],
  ])("removes %s", (_, text, expected) => {
    expect(forTerminal(text, true)).toBe(expected);
    expect(forTerminal(text, false)).toBe(expected);
  });
  it("keeps lines, tabs and any script", () => {
    const text = "a\tb\nça va 日本語 مرحبا 🙂";
    expect(forTerminal(text, false)).toBe(text);
  });
  it("keeps the program's own styles if styles are on", () => {
    expect(forTerminal("\u001b[1mx\u001b[22m", true)).toBe("\u001b[1mx\u001b[22m");
    expect(forTerminal("\u001b[1mx\u001b[22m", false)).toBe("\u00b7x\u00b7");
  });
  it("jsonForTerminal keeps the value of JSON", () => {
    const json = JSON.stringify({ [ATTACK]: ATTACK });
    const clean = jsonForTerminal(json);
    expect(JSON.parse(clean)).toEqual({ [ATTACK]: ATTACK });
    // oxlint-disable-next-line no-control-regex
    expect(clean).toMatch(/^[\u0020-\u007e]*$/);
  });
});

describe("the command line", () => {
  // oxlint-disable-next-line no-control-regex
  const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;
  const session = {
    configure: () => Promise.resolve(),
    openFolders: () => Promise.resolve([`unknown setting "${ATTACK}"`]),
    dispose: () => Promise.resolve(),
    search: () =>
      Promise.resolve({
        hits: [{ ...HIT, path: `${ATTACK}.ts` }],
        mode: "hybrid" as const,
        cache: "miss" as const,
        warnings: [`unknown setting "${ATTACK}"`],
        state: "ready" as const,
        indexed: 1,
        total: 1,
      }),
  };

  it.each([
    ["search", "x"],
    ["search", "x", "--json"],
    ["search", "x", "--lang", ATTACK],
    ["search", "x", "--root", `/nowhere/${ATTACK}`],
    [ATTACK],
    ["search", `--${ATTACK}`],
  ])("%s prints no control characters", async (...args) => {
    const { out, err } = await run(args, { session, env: { NO_COLOR: "1" } });
    expect(out + err).not.toBe("");
    expect(out + err).not.toMatch(HARMFUL);
  });
});
