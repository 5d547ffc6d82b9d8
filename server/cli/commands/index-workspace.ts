/** `index`: brings a workspace's index up to date, and waits for it. */

import type { Command } from "commander";
import type { IndexStatus, Session } from "../../session.ts";
import {
  type CliContext,
  type CommonOptions,
  EXIT,
  openWorkspace,
  type RunCommand,
  withProgress,
} from "../context.ts";
import { duration, plural, size } from "../format.ts";
import { withCommon } from "../options.ts";

interface Options extends CommonOptions {
  readonly full?: true;
}

export function addIndex(program: Command, run: RunCommand): void {
  withCommon(program.command("index"))
    .description("index the workspace, or what has changed in it")
    .option("--full", "forget what is stored first")
    .action((options: Options) => run((context) => bringUpToDate(context, options)));
}

async function bringUpToDate(context: CliContext, options: Options): Promise<number> {
  const session = await context.session();
  const start = performance.now();
  const root = await openWorkspace(context, session, options);
  await withProgress(context, session, () => pass(session, root, options, context.signal));
  const ms = Math.round(performance.now() - start);
  const { indexes } = await session.status();
  if (options.json) context.output.json({ root, ms, indexes });
  else context.output.print(...indexes.map((each) => summary(each, ms)));
  return EXIT.found;
}

/** Opening has begun a pass by itself, unless somebody else had the folder open already. */
async function pass(
  session: Session,
  root: string,
  { full }: Options,
  signal: AbortSignal,
): Promise<void> {
  const isUnderWay = (await session.status()).state === "indexing";
  if (full || !isUnderWay) await session.reindex({ roots: [root], full: full === true });
  await session.settled(signal);
}

export function summary(index: IndexStatus, ms: number): string {
  const { name, files, chunks, bytes, pending } = index;
  const left = Object.values(index.leftOut).reduce((sum, count) => sum + count, 0);
  return [
    `${name}: ${plural(files, "file")}, ${plural(chunks, "chunk")}, ${size(bytes)}, in ${duration(ms)}`,
    ...(left > 0 ? [`${plural(left, "file")} left out`] : []),
    ...(pending > 0 ? [`${plural(pending, "chunk")} still without a vector`] : []),
  ].join("; ");
}
