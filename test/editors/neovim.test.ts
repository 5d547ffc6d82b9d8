/** A real Neovim as the client: the files of clients/neovim as a person installs them, and what they then see. */

import { execFile } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { MAIN, testEngine } from "../support/engine.ts";
import { isRunning, until } from "../support/lsp-client.ts";
import { workspace } from "../support/workspace.ts";

/** A folder with bin/nvim. */
const EDITORS = process.env["COCOSEARCH_TEST_EDITORS"] ?? "";
const NVIM = join(EDITORS, "bin/nvim");
const CLIENT = resolve(import.meta.dirname, "../../clients/neovim");
const LONGEST_MS = 120_000;

const SHOP = `
//- .git/HEAD
ref: refs/heads/main
//- src/pool.py
"""Connections to the database."""


class Pool:
    def open_connection(self, url):
        """Waits for a free connection while all of them are busy."""
        return self.wait_for_free_slot(url)
//- src/mail.go
package mail

// SendReceipt mails the customer what was bought.
func SendReceipt(order Order) error {
	return smtp.Send(order.Customer, render(order))
}
//- docs/refunds.md
# Refunds

Money goes back to the card within ten days.
`;

interface Place {
  readonly file: string;
  readonly line: number;
  readonly text?: string;
}

/** What the script in neovim.lua writes down. */
interface Seen {
  readonly version: string;
  readonly problem?: string;
  readonly symbols: readonly Place[];
  readonly at_symbol: Place;
  /** Undefined before 0.11, for which the command is not written. */
  readonly command?: readonly Place[];
  readonly choices: readonly string[];
  readonly answer: { readonly err?: string; readonly hits?: number };
  readonly at_choice: Place;
}

/** The longest Lua block of the README: the command. */
function snippet(): string {
  const readme = readFileSync(join(CLIENT, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```lua\n([^]*?)^```/gm)].map(([, block]) => block ?? "");
  return blocks.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

/** The program under its name, as an installation puts it on the PATH; it writes down its process. */
function install(folder: string): void {
  const program = join(folder, "cocosearch-lsp");
  const pid = join(folder, "pid");
  writeFileSync(
    program,
    `#!/bin/sh\necho $$ > "${pid}"\nexec "${process.execPath}" "${MAIN}" "$@"\n`,
  );
  chmodSync(program, 0o755);
}

it.skipIf(!existsSync(NVIM))(
  "finds, lists and goes to code in Neovim, and leaves nothing behind (COCOSEARCH_TEST_EDITORS has bin/nvim)",
  async () => {
    const root = workspace(SHOP);
    const tools = workspace();
    install(tools);
    writeFileSync(join(tools, "snippet.lua"), snippet());
    const engine = testEngine({
      PATH: `${tools}:${process.env["PATH"]}`,
      XDG_CONFIG_HOME: tools,
      XDG_STATE_HOME: tools,
      COCOSEARCH_CLIENT: join(CLIENT, "lsp/cocosearch.lua"),
      COCOSEARCH_SNIPPET: join(tools, "snippet.lua"),
      COCOSEARCH_SEEN: join(tools, "seen.json"),
    });
    onTestFinished(() => engine.dispose());
    const script = join(import.meta.dirname, "neovim.lua");
    await promisify(execFile)(
      NVIM,
      [
        "--headless",
        "--clean",
        "--cmd",
        `set rtp^=${CLIENT}`,
        "-c",
        `luafile ${script}`,
        "src/pool.py",
      ],
      { cwd: root, env: engine.env, timeout: LONGEST_MS },
    );
    const seen = JSON.parse(readFileSync(join(tools, "seen.json"), "utf8")) as Seen;
    if (seen.problem !== undefined) throw new Error(seen.problem);

    const receipt = { file: join(root, "src/mail.go"), line: 4 };
    expect(seen.symbols[0]).toMatchObject({
      ...receipt,
      text: expect.stringContaining("SendReceipt"),
    });
    expect(seen.at_symbol).toEqual(receipt);
    if (seen.command !== undefined) {
      expect(seen.command[0]).toMatchObject({
        ...receipt,
        text: expect.stringContaining("SendReceipt"),
      });
    }
    expect(seen.choices[0]).toBe("1. Pool.open_connection - src/pool.py:5");
    expect(seen.answer.hits).toBeGreaterThan(0);
    expect(seen.at_choice).toEqual({ file: join(root, "src/pool.py"), line: 5 });

    const pid = Number(readFileSync(join(tools, "pid"), "utf8"));
    await until("the end of the server", () => !isRunning(pid));
    await engine.left();
  },
  LONGEST_MS,
);
