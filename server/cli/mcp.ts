/** Describes `mcp` for --help, the manual and shell completion. main.ts runs it without the command line. */

import type { Command } from "commander";

export function addMcp(program: Command): void {
  program
    .command("mcp")
    .description("serve agents over stdin and stdout (Model Context Protocol)")
    .option("--root <dir>", "the workspace if the client names none; default: the current folder")
    .option("--config <client>", "print the configuration for a client");
}
