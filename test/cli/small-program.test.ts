/** Completions and the manual page of a small program: golden/small-program.txt. No shell is needed to read them. */

import { join } from "node:path";
import { Command } from "commander";
import { expect, it } from "vitest";
import { manPage } from "../../server/cli/man-page.ts";
import { completionScript, SHELLS } from "../../server/cli/shell-completion.ts";

function program(): Command {
  const made = new Command("my-tool").description("Finds it's own: [things]").version("1.2.3");
  made
    .command("find <words...>")
    .description('find what\'s "there": all of it')
    .option("--root <dir>", "the folder [its root]: where to look")
    .option("--path <path>", "only below")
    .option("--file <file>", "read it from a file")
    .option("--type <type>", "only definitions of this type")
    .option("--limit <n>", "how many")
    .option("--in [place]", "where it's found")
    .option("-a, --all", "all of them")
    .option("-q", "without a long name");
  const parts = made.command("parts").description("the parts of each product");
  parts.command("show <part>").description("one of them").option("--json", "as JSON");
  parts.command("list").description("all of them").option("--root <dir>", "the folder");
  made.command("secret", { hidden: true }).option("--never", "is not shown");
  return made;
}

it("a small program gets the recorded completions and manual page", async () => {
  const shown = SHELLS.map((shell) => `=== ${shell}\n${completionScript(program(), shell)}`);
  const golden = join(import.meta.dirname, "golden/small-program.txt");
  await expect(
    [...shown, `=== man\n${manPage(program(), "\n.It ends\n'so\n")}`].join("\n"),
  ).toMatchFileSnapshot(golden);
});
