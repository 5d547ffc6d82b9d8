/** `team`: sets up a team's database, and lists and removes published indexes. */

import type { Command } from "commander";
import { count } from "../common/count.ts";
import { BadRequest } from "../common/errors.ts";
import { repositoryNamed } from "../common/repository-url.ts";
import { shortSha } from "../common/short-sha.ts";
import type { PublishedIndex, ReplicaState } from "../contracts/published.ts";
import { JSON_ANSWER, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { publishedNameOf } from "./publish.ts";
import { watchTeam } from "./team-watcher.ts";
import { localTime, printable, table } from "./terminal-text.ts";

interface JsonOption {
  readonly json?: boolean;
}

interface InitOptions {
  readonly perRepository?: boolean;
  readonly dryRun?: boolean;
}

interface RemoveOptions extends JsonOption {
  readonly branch?: string;
}

export function addTeam(program: Command, run: Run): void {
  const team = program
    .command("team")
    .description("the indexes that a team shares in a Postgres (COCOSEARCH_TEAM_URL)");
  team
    .command("init")
    .description("set up the database: extension, tables and roles, as its administrator")
    .option("--per-repository", "let each publisher write its own repositories only")
    .option("--dry-run", "print the SQL and run nothing")
    .action((options: InitOptions) => run((context) => init(context, options)));
  team
    .command("list")
    .description("list the published indexes")
    .option(...JSON_ANSWER)
    .action((options: JsonOption) => run((context) => list(context, options)));
  team
    .command("remove")
    .description("delete the published indexes of a repository")
    .argument("<repository>", "its name, as team list shows it, or the URL of its remote")
    .option("--branch <name>", "only the index of this branch")
    .option(...JSON_ANSWER)
    .action((repository: string, options: RemoveOptions) =>
      run((context) => remove(context, repository, options)),
    );
}

async function init(
  context: CommandContext,
  { perRepository = false, dryRun = false }: InitOptions,
): Promise<ExitCode> {
  const team = await context.team();
  if (dryRun) {
    await context.print(team.setupScript({ perRepository }));
    return EXIT.ok;
  }
  const place = await team.init({ perRepository });
  const right = perRepository
    ? "call cocosearch_allow('USER', 'HOST/PATH'); for each of its repositories"
    : "grant cocosearch_publisher to USER;";
  await context.print(
    [
      `${place} is set up for a team`,
      "a user that searches needs: grant cocosearch_reader to USER;",
      `a user that publishes needs: ${right}`,
    ].join("\n"),
  );
  return EXIT.ok;
}

async function list(context: CommandContext, { json }: JsonOption): Promise<ExitCode> {
  const { published: all, replica } = await (await context.team()).list();
  if (replica !== undefined) context.note(remarkOf(replica));
  if (json) await context.printJson(all);
  else if (all.length > 0) await context.print(renderList(all));
  else context.note(`nothing is published yet; run ${context.program} publish in a clone`);
  return all.length > 0 ? EXIT.ok : EXIT.nothingFound;
}

function remarkOf({ isBehind, replayedAt }: ReplicaState): string {
  const last = replayedAt === undefined ? "" : `, whose last change is of ${localTime(replayedAt)}`;
  return `the database is a replica${last}${isBehind ? "; it lags behind its primary" : ""}`;
}

function renderList(all: readonly PublishedIndex[]): string {
  return table([
    ["repository", "folder", "branch", "commit", "published", "files", "chunks", "index"],
    ...all.map((each) => [
      printable(each.repository),
      printable(each.subfolder || "."),
      printable(each.branch),
      shortSha(each.commit),
      localTime(each.publishedAt),
      each.files,
      each.chunks,
      printable(each.index),
    ]),
  ]);
}

async function remove(
  context: CommandContext,
  named: string,
  { branch, json }: RemoveOptions,
): Promise<ExitCode> {
  const repository = repositoryNamed(named);
  if (repository === undefined) {
    throw new BadRequest(
      `"${named}" does not name a repository; write it as HOST/PATH or by the URL of its remote`,
    );
  }
  const team = await context.team();
  const removed = await watchTeam(context, (watcher) => team.remove(repository, branch, watcher));
  if (json) await context.printJson({ removed });
  else if (removed.length > 0) {
    const indexes = count(removed.length, "index", "indexes");
    await context.print(`removed ${indexes}:\n${removed.map(publishedNameOf).join("\n")}`);
  } else context.note(`nothing of ${printable(repository)} is published`);
  return removed.length > 0 ? EXIT.ok : EXIT.nothingFound;
}
