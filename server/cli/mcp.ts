/** `mcp` for those who look for it in --help, the manual or a shell: the program itself starts it before the command line. */

import type { Command } from "commander";

export function addMcp(program: Command): void {
  program
    .command("mcp")
    .description("serve agents on stdin and stdout (Model Context Protocol)")
    .option(
      "--root <dir>",
      "the workspace where the client names none; default: the current folder",
    )
    .option("--config <client>", "print what to put into the configuration of a client");
}
