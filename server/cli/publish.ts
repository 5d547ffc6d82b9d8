/** `publish`: indexes the commit that is checked out as the index that a team shares. */

import type { Command } from "commander";
import { count } from "../common/count.ts";
import { shortSha } from "../common/short-sha.ts";
import type { PublishedIndex, PublishReport } from "../contracts/published.ts";
import { type CommonOptions, type Run, rootOf, withoutYes } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { watchTeam } from "./team-watcher.ts";
import { duration, printable } from "./terminal-text.ts";

interface PublishOptions extends CommonOptions {
  readonly branch?: string;
}

export function addPublish(program: Command, run: Run): void {
  withoutYes(
    program
      .command("publish")
      .description("index the commit that is checked out for the team (COCOSEARCH_TEAM_URL)"),
  )
    .option("--branch <name>", "the branch to publish as; default: the current branch")
    .action((options: PublishOptions) => run((context) => publish(context, options)));
}

async function publish(context: CommandContext, options: PublishOptions): Promise<ExitCode> {
  const start = performance.now();
  const root = rootOf(context, options);
  const team = await context.team();
  const report = await watchTeam(context, (watcher) =>
    team.publish({ root, branch: options.branch }, watcher),
  );
  const ms = Math.round(performance.now() - start);
  if (options.json) await context.printJson({ ...report, ms });
  else await context.print(renderPublished(report, ms));
  return EXIT.ok;
}

function renderPublished(report: PublishReport, ms: number): string {
  const { published, isChanged, indexed, unchanged, removed } = report;
  const what = `${publishedNameOf(published)}, commit ${shortSha(published.commit)}`;
  if (!isChanged) return `${what} is already published; nothing was written`;
  const files = `${count(indexed, "file")} indexed, ${unchanged} unchanged, ${removed} removed`;
  return `published ${what}: ${files}, ${count(published.chunks, "chunk")}, after ${duration(ms)}`;
}

/** The repository, its indexed folder, and the branch. */
export function publishedNameOf({ repository, subfolder, branch }: PublishedIndex): string {
  const folder = subfolder === "" ? "" : ` (${subfolder})`;
  return printable(`${repository}${folder}, branch ${branch}`);
}
