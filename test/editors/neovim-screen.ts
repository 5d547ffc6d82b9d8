/** Neovim in a terminal. It works in a process of its own, since the wrapper of its program would hide it from its screen. */

import { existsSync } from "node:fs";
import { onTestFinished } from "vitest";
import { until } from "../support/lsp-client.ts";
import type { Desk } from "./editor.ts";
import { type Terminal, terminal } from "./terminal.ts";

/** Opens a file; ends with the test. */
export async function neovimScreen(
  person: Desk,
  program: string,
  file: string,
  extra: NodeJS.ProcessEnv = {},
): Promise<Terminal> {
  const socket = person.at("nvim.sock");
  const ended = person.run(program, ["--headless", "-n", "--listen", socket, file], extra);
  const screen = await until("Neovim", () => existsSync(socket)).then(() =>
    terminal(person, [program, "--server", socket, "--remote-ui"]),
  );
  onTestFinished(async () => {
    await Promise.allSettled([
      person.run(program, ["--server", socket, "--remote-send", "<C-\\><C-n>:qall!<CR>"]),
      ended,
    ]);
    screen.close();
    await person.clear();
  });
  return screen;
}
