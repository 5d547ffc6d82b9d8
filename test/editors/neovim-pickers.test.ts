/** The pickers of Neovim: their list and preview while the user types, and the place that Enter opens. */

import { existsSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../support/lsp-client.ts";
import { type Desk, desk, editorNamed, QUESTION, TIMEOUT_MS } from "./editor.ts";
import { ASKED_ONCE, heldModels, RECEIPTS, rested } from "./held-models.ts";

/** The output of neovim-pickers.lua. */
interface Seen {
  readonly is_indexed: boolean;
  /** The lines of the preview that are marked. */
  readonly marked: readonly string[];
  readonly windows: readonly (readonly string[])[];
  readonly at: string;
  readonly quickfix: { readonly title: string; readonly lines: readonly string[] };
  readonly mode: string;
  readonly messages: string;
}

const PICKERS = [
  { picker: "builtin", needs: [] },
  { picker: "telescope", needs: ["telescope.nvim", "plenary.nvim"] },
  { picker: "fzf-lua", needs: ["fzf-lua"] },
  { picker: "snacks", needs: ["snacks.nvim"] },
];

/** fzf takes one answer to a question, so that its list stays without the models. */
const RENEWS = new Set(["builtin", "telescope", "snacks"]);

/** The chunk around the answer. */
const CONTEXT = [
  "package mail",
  "",
  "// SendReceipt mails the customer what was bought.",
  "func SendReceipt(order Order) error {",
  "\treturn smtp.Send(order.Customer, render(order))",
  "}",
];

/** The answer in a list: a name or a place of it. */
const ROW = /SendReceipt .*mail\.go|mail\.go:\d+.*SendReceipt/;

const SCRIPT = resolve(import.meta.dirname, "neovim-pickers.lua");
const PACKAGES = "data/nvim/site/pack/test/start";

/** Wide enough that every picker shows a preview. */
const SCREEN = "set columns=160 lines=50";

/** A folder with clones of the pickers; fzf-lua needs `fzf` on the PATH besides. */
const plugins = process.env["COCOSEARCH_TEST_NEOVIM_PLUGINS"] ?? "";
const nvim = editorNamed("nvim") ?? "";

function canRun(needs: readonly string[]): boolean {
  return nvim !== "" && needs.every((each) => plugins !== "" && existsSync(join(plugins, each)));
}

/** A Neovim that works for itself, and what can be said to it from outside. */
function running(person: Desk) {
  const socket = person.at("nvim.sock");
  const args = ["--headless", "--cmd", SCREEN, "--listen", socket, "-S", SCRIPT, "src/pool.py"];
  // fzf-lua starts Neovim again, whose program a wrapper may hide.
  const ended = person.run(nvim, args, { FZF_LUA_NVIM_BIN: nvim });
  const remote = (...words: string[]) => person.run(nvim, ["--server", socket, ...words]);
  return {
    ended,
    hasStarted: () => existsSync(socket),
    type: (keys: string) => remote("--remote-send", keys),
    seen: async () => JSON.parse(await remote("--remote-expr", "v:lua.cocosearch_test()")) as Seen,
  };
}

/** With the picker's plugins, once the project is indexed. */
async function opened(needs: readonly string[], env: NodeJS.ProcessEnv = {}, files?: string) {
  const person = desk(env, files);
  person.install("neovim", join(PACKAGES, "cocosearch"));
  for (const plugin of needs) {
    symlinkSync(join(plugins, plugin), person.at(join(PACKAGES, plugin)));
  }
  const { ended, hasStarted, type, seen } = running(person);
  onTestFinished(async () => {
    await Promise.allSettled([type("<C-\\><C-n>:qall!<CR>"), ended]);
    await person.clear();
  });
  let last: Seen | undefined;
  const sees = (what: string, holds: (now: Seen) => boolean) =>
    until(what, async () => {
      last = await seen();
      return holds(last);
    }).catch((error: unknown) => {
      throw new Error(`${what}; there is ${JSON.stringify(last, null, 2)}`, { cause: error });
    });
  await until("Neovim", hasStarted);
  await sees("the index", (now) => now.is_indexed);
  return { type, sees, last: () => last };
}

/** Asked about receipts; its own order is shown, and the reranker waits. */
async function openedWithModels(picker: string, needs: readonly string[]) {
  const { env, release, asked } = await heldModels();
  const { type, sees } = await opened(needs, env, RECEIPTS);
  const isFirst = (name: string) => (now: Seen) => firstRow(picker, now)?.includes(name) === true;
  await type(`:let g:cocosearch_picker="${picker}" | CocoSearchPick ${QUESTION}<CR>`);
  await sees("its own order", isFirst("SendReceipt"));
  return { type, sees, isFirst, release, asked };
}

/** The first row of the list about receipts: telescope's is at the bottom. */
function firstRow(picker: string, { windows }: Seen): string | undefined {
  const rows = windows.flat().filter((line) => /receipt\w* +src\/|receipt.*src\//i.test(line));
  return picker === "telescope" ? rows.at(-1) : rows[0];
}

for (const { picker, needs } of PICKERS) {
  describe.skipIf(!canRun(needs))(
    `${picker} (COCOSEARCH_TEST_EDITORS has bin/nvim, COCOSEARCH_TEST_NEOVIM_PLUGINS ${needs.join(" and ")})`,
    () => {
      it(
        "lists the answer first, marks its context, filters, leads back, is resumed, goes there, recalls and exports",
        async () => {
          const { type, sees, last } = await opened(needs);
          await type(`:let g:cocosearch_picker="${picker}" | CocoSearchPick ${QUESTION}<CR>`);
          await sees("a preview", ({ marked }) => marked.length > 0);
          expect(last()?.marked).toEqual(CONTEXT);
          // The open file is one in Python, and the answer is not.
          const lists = ({ windows }: Seen) => windows.flat().some((line) => ROW.test(line));
          await type("<M-l>");
          await sees("answers in Python only", (now) => !lists(now));
          await type("<M-l>");
          await sees("answers in all languages", lists);
          await type("<C-c>");
          await sees("where it began", (now) => now.at === "src/pool.py:1" && !lists(now));
          await type("<C-\\><C-n>:CocoSearchResume<CR>");
          await sees("the earlier questions", (now) => lists(now) && now.marked.length > 0);
          await type("<CR>");
          await sees("the jump", ({ at }) => at === "src/mail.go:4");
          await type("<C-\\><C-n>:CocoSearchPick<CR>");
          await sees(
            "an empty picker",
            ({ windows, mode }) => windows.length > 1 && /[it]/.test(mode),
          );
          await type("<M-p>");
          await sees("answers to the question before", lists);
          await type("<M-n>");
          await sees("nothing asked, as before", (now) => !lists(now));
          await type("<M-p>");
          await sees("the answers again", (now) => lists(now) && now.marked.length > 0);
          await type("<C-q>");
          await sees("the quickfix list", ({ quickfix }) => quickfix.lines.length > 0);
          expect(last()?.quickfix.title).toBe(`CocoSearch: ${QUESTION}`);
          expect(last()?.quickfix.lines[0]).toMatch(/^src\/mail\.go:4 .*SendReceipt/);
        },
        TIMEOUT_MS,
      );

      it.skipIf(RENEWS.has(picker))(
        "asks no model",
        async () => {
          const { asked } = await openedWithModels(picker, needs);
          await rested();
          expect(asked()).toEqual([]);
        },
        TIMEOUT_MS,
      );

      it.skipIf(!RENEWS.has(picker))(
        "shows its own order without waiting for the models, whose order follows",
        async () => {
          const { release, asked, isFirst, sees } = await openedWithModels(picker, needs);
          await until("the models", () => asked().length === ASKED_ONCE.length);
          await sees("its own order", isFirst("SendReceipt"));
          release();
          await sees("another order", (now) => !isFirst("SendReceipt")(now));
          await rested();
          expect(asked()).toEqual(ASKED_ONCE);
        },
        TIMEOUT_MS,
      );

      it.skipIf(!RENEWS.has(picker))(
        "keeps its order if the user has moved to another row",
        async () => {
          const { release, asked, isFirst, sees, type } = await openedWithModels(picker, needs);
          await until("the models", () => asked().length === ASKED_ONCE.length);
          await type("<Down>");
          release();
          await rested();
          await sees("its own order", isFirst("SendReceipt"));
          expect(asked()).toEqual(ASKED_ONCE);
        },
        TIMEOUT_MS,
      );
    },
  );
}
