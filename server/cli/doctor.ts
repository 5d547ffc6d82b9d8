/** `doctor`: checks the engine, the model, the store, the index, the editors and the agents, and names a remedy for each problem. */

import type { Command } from "commander";
import { refusalReason } from "../common/refused-folders.ts";
import { withTimeLimit } from "../common/time-limit.ts";
import { isMarked } from "../config/project-root.ts";
import type { Finding } from "../contracts/session.ts";
import { isIndexed } from "./choose-root.ts";
import { type CommonOptions, type Run, rootOf, withoutYes } from "./command.ts";
import type { Colors, CommandContext } from "./command-context.ts";
import { agentFindings } from "./doctor-agents.ts";
import { editorFindings } from "./doctor-editors.ts";
import { modelFindings } from "./doctor-models.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { openWorkspace } from "./open-workspace.ts";
import { printable } from "./terminal-text.ts";

interface DoctorOptions extends CommonOptions {
  readonly restart?: boolean;
}

/** Enough to compare a stored index with its files. A longer pass is reported as indexing. */
const SETTLE_MS = 1_000;

export function addDoctor(program: Command, run: Run): void {
  withoutYes(program.command("doctor").description("check the installation, and suggest fixes"))
    .option("--restart", "stop the engine first, even an unresponsive one")
    .action((options: DoctorOptions) => run((context) => doctor(context, options)));
}

async function doctor(context: CommandContext, options: DoctorOptions): Promise<ExitCode> {
  if (options.restart) {
    const pid = await context.endEngine();
    context.note(
      pid === undefined ? "no engine was running" : `stopped the engine, process ${pid}`,
    );
  }
  const root = rootOf(context, options);
  const session = await context.session();
  const editors = editorFindings(context.env);
  // The doctor does not start to index a workspace.
  const isStored = await isIndexed(context, root);
  if (isStored) {
    await openWorkspace(context, root);
    const settled = withTimeLimit(SETTLE_MS, [], (signal) => session.whenIdle(signal));
    // The findings report why the index is not ready.
    await settled.catch(() => undefined);
  }
  const found = (await session.doctor()).filter(({ what }) => isStored || what !== "workspace");
  const findings = [
    ...found,
    ...(isStored ? rootFindings(root) : notIndexed(root, context.program)),
    ...(await editors),
    ...(context.installer === undefined ? [] : await modelFindings(context.installer.models)),
    ...agentFindings({ root, env: context.env }, context.clientsFolder),
  ];
  if (options.json) await context.printJson(findings);
  else await context.print(findings.map((each) => renderFinding(each, context.colors)).join("\n"));
  return findings.every(({ ok }) => ok) ? EXIT.ok : EXIT.unavailable;
}

function notIndexed(root: string, program: string): Finding[] {
  const refused = refusalReason(root);
  if (refused !== undefined) return [{ what: "index", ok: true, detail: refused }];
  const remedy = `run ${program} index, or a search`;
  const detail = `${root} is not indexed yet`;
  return [{ what: "index", ok: true, detail, remedy }, ...rootFindings(root)];
}

/** Editors recognize a project by the files in its top folder; the command line takes any folder. */
function rootFindings(root: string): Finding[] {
  if (isMarked(root)) return [];
  const remedy = "run git init there, or create an empty cocosearch.yaml";
  const detail = `${root} has neither .git nor cocosearch.yaml; most editors need one to recognize a project`;
  return [{ what: "root", ok: true, detail, remedy }];
}

/** A finding that is ok but has a remedy is printed as a note. */
function renderFinding({ what, ok, detail, remedy }: Finding, colors: Colors): string {
  const fine = remedy === undefined ? colors.green("ok     ") : colors.yellow("note   ");
  const mark = ok ? fine : colors.red("missing");
  const advice = remedy === undefined ? "" : `\n         ${printable(remedy)}`;
  return `${mark}  ${colors.bold(printable(what))}: ${printable(detail)}${advice}`;
}
