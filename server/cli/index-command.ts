/** `index`: brings the workspace's index up to date, with everything embedded. */

import type { Command } from "commander";
import { Unavailable } from "../common/errors.ts";
import type { IndexStatus, Status } from "../contracts/session.ts";
import { type CommonOptions, common, type Run, rootOf } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { openWorkspace, waitForIndex } from "./open-workspace.ts";
import { excludedByRule } from "./render-status.ts";
import { count, duration, size } from "./terminal-text.ts";

interface IndexOptions extends CommonOptions {
  readonly full?: boolean;
}

export function addIndex(program: Command, run: Run): void {
  common(program.command("index").description("bring the index of a workspace up to date"))
    .option("--full", "forget what is stored and begin again")
    .action((options: IndexOptions) => run((context) => index(context, options)));
}

async function index(context: CommandContext, options: IndexOptions): Promise<ExitCode> {
  const start = performance.now();
  const session = await openWorkspace(context, rootOf(context, options));
  const again = session.reindex(options.full ? { full: true } : { onlyChanged: true });
  await Promise.all([again, waitForIndex(context, session, "everything")]);
  const status = await session.status();
  if (options.json) await context.printJson(status);
  else {
    const ms = performance.now() - start;
    for (const each of status.indexes) {
      if (each.state !== "paused") await context.print(renderIndexed(each, ms));
      else context.note(`${each.root} is not indexed: ${each.reason ?? each.state}`);
    }
  }
  if (status.state === "degraded" || status.state === "unavailable") {
    throw troubleOf(status, context.program);
  }
  return status.state === "paused" ? EXIT.unavailable : EXIT.ok;
}

/** The doctor knows no more of an index that another model made. */
function troubleOf({ state, reason = state, indexes }: Status, program: string): Unavailable {
  const [mismatch] = indexes.flatMap(({ compatibility: fit }) =>
    fit.kind === "usable" ? [] : fit.reason,
  );
  return mismatch === undefined
    ? new Unavailable(reason, `run ${program} doctor`)
    : new Unavailable(mismatch, `run ${program} index --full, or set the model of the index`);
}

export function renderIndexed(
  { root, files, chunks, bytes, excluded }: IndexStatus,
  ms: number,
): string {
  const rules = excludedByRule(excluded);
  return [
    `${root}: ${count(files, "file")}, ${count(chunks, "chunk")}, ${size(bytes)} stored, up to date after ${duration(ms)}`,
    ...(rules === undefined ? [] : [`left out ${rules}`]),
  ].join("\n");
}
