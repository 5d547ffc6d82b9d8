/** Neovim with our plugin, the newest and the oldest there is: the answer comes first, and the cursor goes there. */

import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OTHER_HOVER, OTHER_PLACE } from "../support/other-places.ts";
import { type Desk, desk, editorsNamed, QUESTION, TIMEOUT_MS } from "./editor.ts";

interface Place {
  readonly file: string;
  readonly line: number;
}
interface QuickfixList {
  readonly title: string;
  readonly texts: readonly string[];
  readonly at: Place;
}
/** The output of neovim.lua. */
interface Seen {
  readonly children: readonly number[];
  readonly built_in: QuickfixList;
  readonly command: QuickfixList;
  readonly asked: QuickfixList;
  readonly chosen: { readonly offered: readonly string[]; readonly at: Place };
  readonly unsaved: QuickfixList & { readonly is_modified: boolean };
  readonly nothing: string;
  readonly status: string;
  readonly reindexed: { readonly told: string; readonly answer: QuickfixList };
  readonly health: readonly string[];
  readonly beside_another: {
    readonly ours: QuickfixList;
    readonly place: Place;
    readonly hover: string;
  };
}

const ANSWER: Place = { file: "src/mail.go", line: 4 };
const FIRST = /^[01]\.\d\d SendReceipt \| func SendReceipt\(order Order\) error \{$/;
const SCRIPT = resolve(import.meta.dirname, "neovim.lua");

/** Where Neovim finds plugins without a plugin manager. */
const PACKAGE = "data/nvim/site/pack/cocosearch/start/cocosearch";

const versions = editorsNamed("nvim").map((program) => ({
  program,
  version: execFileSync(program, ["--version"], { encoding: "utf8" }).split("\n", 1)[0] ?? "",
}));

const NONE = [
  { program: "", version: "Neovim (COCOSEARCH_TEST_EDITORS names folders with bin/nvim)" },
];

describe.skipIf(versions.length === 0).each(versions.length === 0 ? NONE : versions)(
  "$version",
  ({ program, version }) => {
    let person: Desk;
    let seen: Seen;

    beforeAll(async () => {
      person = desk();
      person.install("neovim", PACKAGE);
      person.installOther("other-server");
      seen = await person.seenBy(program, ["--headless", "-S", SCRIPT, "src/pool.py"], {
        COCOSEARCH_TEST_QUESTION: QUESTION,
      });
    }, TIMEOUT_MS);

    afterAll(() => person.clear(), TIMEOUT_MS);

    const checkAnswer = ({ title, texts, at }: QuickfixList) => {
      expect(at).toEqual(ANSWER);
      expect(title).toBe(`CocoSearch: ${QUESTION}`);
      expect(texts[0]).toMatch(FIRST);
      const scores = texts.map((text) => Number.parseFloat(text));
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    };

    it("finds it with the built-in search for symbols", () => {
      expect(seen.built_in.at).toEqual(ANSWER);
      expect(seen.built_in.texts[0]).toContain("SendReceipt");
    });

    it("fills the quickfix list in rank order with :CocoSearch {question}", () =>
      checkAnswer(seen.command));

    it("asks for the question with :CocoSearch", () => checkAnswer(seen.asked));

    it("lets its user choose after workspace/executeCommand, and goes there", () => {
      expect(seen.chosen.offered[0]).toBe("1. SendReceipt - src/mail.go:4");
      expect(seen.chosen.at).toEqual(ANSWER);
    });

    it("shows code as it is in a buffer that is not saved", () => {
      const { at, texts, is_modified } = seen.unsaved;
      expect(is_modified).toBe(true);
      expect(at).toEqual({ file: "src/pool.py", line: 4 });
      expect(texts[0]).toMatch(/^[01]\.\d\d Pool \| class Pool\(Closing\):$/);
    });

    it("says that nothing was found", () => {
      expect(seen.nothing).toBe("cocosearch: no indexed file passes the filter (language fortran)");
    });

    it("says how far the index is with :CocoSearchStatus", () => {
      expect(seen.status).toMatch(
        /^cocosearch: ready\n {2}shop: ready, 3 of 3 files, \d+ chunks, ~\/shop$/,
      );
    });

    it("indexes everything again with :CocoSearchReindex!", () => {
      expect(seen.reindexed.told).toBe("cocosearch: reindexing all files");
      checkAnswer(seen.reindexed.answer);
    });

    it("has nothing to complain about in :checkhealth", () => {
      expect(seen.health.filter((line) => /ERROR|WARN/.test(line))).toEqual([]);
      expect(seen.health.join("\n")).toMatch(/runs in .*shop, for \d+ buffers/);
    });

    it("says in :checkhealth that the program is missing", async () => {
      const look = ["--headless", "+silent checkhealth cocosearch", "+%print", "+qall"];
      const said = await person.run(program, look, { PATH: "/usr/bin:/bin" });
      expect(said).toMatch(/ERROR.*cocosearch-lsp. is not on the PATH/);
    });

    it("answers beside another server in the same buffer, which answers as before", () => {
      const { ours, place, hover } = seen.beside_another;
      checkAnswer(ours);
      expect(place).toEqual(OTHER_PLACE);
      expect(hover).toBe(OTHER_HOVER);
    });

    it("names the remedy if no project is open", async () => {
      const said = await person.run(program, [
        "--headless",
        "+cd ~",
        "+CocoSearch anything",
        "+qall",
      ]);
      expect(said).toContain("cocosearch: not running: open a file of a project");
    });

    it.skipIf(version.includes("v0.10"))(
      "answers before a file is opened (from 0.11)",
      async () => {
        // Nothing is found until the stored index is open.
        const ask = `+lua vim.wait(60000, function()
          vim.cmd.CocoSearch(${JSON.stringify(QUESTION)})
          return vim.wait(1000, function() return #vim.fn.getqflist() > 0 end)
        end)`;
        const show = "+lua print(vim.fn.getqflist()[1].text)";
        const said = await person.run(program, ["--headless", ask, show, "+qall"]);
        expect(said).toContain("func SendReceipt(order Order) error {");
      },
      TIMEOUT_MS,
    );

    it(
      "leaves nothing running",
      async () => {
        expect(seen.children).toHaveLength(2);
        await person.left(seen.children);
      },
      TIMEOUT_MS,
    );
  },
);
