/** `agent setup`: makes coding agents use the context server, by their configuration and their instructions. */

import { Argument, type Command } from "commander";
import { BadRequest } from "../common/errors.ts";
import { refusalReason } from "../common/refused-folders.ts";
import { AGENT_CLIENTS, clientNamed, SETUP_CLIENTS } from "../config/agent-clients.ts";
import { isMarked } from "../config/project-root.ts";
import {
  type Plan,
  type PlannedChange,
  planRemoval,
  planSetup,
  shownValue,
} from "./agents/plan.ts";
import { unifiedDiff } from "./agents/unified-diff.ts";
import { checkReplaceable, deleteUserFile, replaceUserFile } from "./agents/user-file.ts";
import { type Run, rootOf } from "./command.ts";
import type { Colors, CommandContext } from "./command-context.ts";
import { confirms, isInteractive } from "./confirm.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

interface SetupOptions {
  readonly root?: string;
  readonly dryRun?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
}

const NAMES = SETUP_CLIENTS.flatMap(({ name, alias = [] }) => [name, alias].flat());

export function addAgent(program: Command, run: Run): void {
  program
    .command("agent")
    .description("set up coding agents")
    .command("setup")
    .description("make coding agents use the context server in this project")
    .addArgument(new Argument("<clients...>", "the agents").choices(NAMES))
    .option("--dry-run", "print the changes and write nothing")
    .option("--remove", "take back what setup has written")
    .option("--root <dir>", "the project; default: the project around the current folder")
    .option("--yes", "write without asking")
    .action((names: string[], options: SetupOptions) =>
      run((context) => setup(context, names, options)),
    );
}

async function setup(
  context: CommandContext,
  names: readonly string[],
  options: SetupOptions,
): Promise<ExitCode> {
  const named = names.map(clientNamed);
  // In the order of the table: which instructions a client reads depends on the files that others create.
  const clients = AGENT_CLIENTS.filter((client) => named.includes(client));
  const places = { root: projectRoot(context, options), env: context.env };
  const plan = options.remove ? planRemoval(clients, places) : planSetup(clients, places);
  for (const note of plan.notes) context.note(note);
  const list = clients.map(({ name }) => name).join(", ");
  if (plan.changes.length === 0) {
    context.note(options.remove ? `nothing to remove: ${list}` : `already set up: ${list}`);
    return options.remove ? EXIT.nothingFound : EXIT.ok;
  }
  for (const { file } of plan.changes) checkReplaceable(file);
  await context.print(plan.changes.map((each) => renderDiff(each, context.colors)).join("\n"));
  if (options.dryRun) return EXIT.ok;
  await confirm(context, plan, options.yes === true);
  for (const { file } of plan.changes) checkReplaceable(file);
  for (const change of plan.changes) context.note(apply(change));
  return EXIT.ok;
}

/** Throws BadRequest for a folder that is not a project, unless the user named it, and for a home folder or a whole disk. */
function projectRoot(context: CommandContext, options: SetupOptions): string {
  const root = rootOf(context, options);
  const refused = refusalReason(root);
  if (refused !== undefined) throw new BadRequest(refused);
  if (options.root === undefined && !isMarked(root)) {
    const problem = `${root} is not a git work tree and has no cocosearch.yaml`;
    throw new BadRequest(`${problem}; name a folder with --root`);
  }
  return root;
}

function renderDiff({ file, after }: PlannedChange, colors: Colors): string {
  const styles: Readonly<Record<string, (line: string) => string>> = {
    "-": colors.red,
    "+": colors.green,
    "@": colors.cyan,
  };
  const lines = unifiedDiff(file.text, after, file.shown).split("\n");
  return lines.map((line) => styles[line[0] ?? ""]?.(line) ?? line).join("\n");
}

/** Throws BadRequest unless the user agrees. An entry of the user's own is never replaced without a question. */
async function confirm(context: CommandContext, plan: Plan, isAgreed: boolean): Promise<void> {
  const canAsk = isInteractive(context) && !isAgreed;
  for (const { shown, value } of plan.replaced) {
    const problem = `${shown} has another entry with our name: ${shownValue(value)}`;
    const remedy = "rename or remove it, or run this in a terminal without --yes to be asked";
    if (!canAsk) throw new BadRequest(`${problem}; ${remedy}; nothing was written`);
    context.note(problem);
  }
  if (isAgreed) return;
  if (!canAsk) {
    const remedy = "add --yes to write, or --dry-run to see the changes only";
    throw new BadRequest(`this is not a terminal, so nothing was written; ${remedy}`);
  }
  const question = plan.replaced.length > 0 ? "Replace it and write all this?" : "Write this?";
  if (!(await confirms(context, `${question} [y/N] `))) throw new BadRequest("nothing was written");
}

/** Returns the message about it. */
function apply({ file, after }: PlannedChange): string {
  if (after === undefined) {
    deleteUserFile(file);
    return `deleted ${file.path}`;
  }
  replaceUserFile(file, after);
  return `wrote ${file.path}`;
}
