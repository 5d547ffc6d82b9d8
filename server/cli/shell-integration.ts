/** `completion` and `man`: what a shell and a manual reader know of the commands. */

import { Argument, type Command } from "commander";
import type { Run } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { manPage } from "./man-page.ts";
import { completionScript, SHELLS, type Shell } from "./shell-completion.ts";

/** `epilogue` is what `--help` ends with. */
export function addShellIntegration(program: Command, run: Run, epilogue: string): void {
  program
    .command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>", "whose script").choices(SHELLS))
    .action((shell: Shell) =>
      run(async ({ print }) => {
        await print(completionScript(program, shell).trimEnd());
        return EXIT.ok;
      }),
    );
  program
    .command("man")
    .description("print the manual page")
    .action(() =>
      run(async ({ print }) => {
        await print(manPage(program, epilogue).trimEnd());
        return EXIT.ok;
      }),
    );
}
