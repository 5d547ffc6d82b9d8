/** `completion` and `man`: print the completion script of a shell and the manual page. */

import { Argument, type Command } from "commander";
import type { Run } from "./command.ts";
import { EXIT } from "./exit-codes.ts";
import { manPage } from "./man-page.ts";
import { completionScript, SHELLS, type Shell } from "./shell-completion.ts";

/** `epilogue` is the text at the end of `--help`. */
export function addShellIntegration(program: Command, run: Run, epilogue: string): void {
  program
    .command("completion")
    .description("print the completion script for a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
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
