/** `doctor`: what was found, what is missing, and what to do. */

import type { Command } from "commander";
import { Unavailable } from "../../errors.ts";
import type { Finding } from "../../session.ts";
import { type CliContext, type CommonOptions, EXIT, type RunCommand } from "../context.ts";
import { printable } from "../format.ts";
import { withCommon } from "../options.ts";
import { rootFor } from "../root.ts";

export function addDoctor(program: Command, run: RunCommand): void {
  withCommon(program.command("doctor"))
    .description("check everything that a search needs")
    .action((options: CommonOptions) => run((context) => doctor(context, options)));
}

async function doctor(context: CliContext, options: CommonOptions): Promise<number> {
  const { output } = context;
  const findings = await examine(context, options);
  if (options.json) output.json(findings);
  else output.print(...findings.flatMap((finding) => lines(context, finding)));
  return findings.every(({ ok }) => ok) ? EXIT.found : EXIT.unavailable;
}

/** An engine that cannot be had is a finding as well. */
async function examine(
  { session: connect, output, cwd }: CliContext,
  options: CommonOptions,
): Promise<readonly Finding[]> {
  try {
    const session = await connect();
    const sentences = await session.openFolders([rootFor(options.root, cwd)]);
    for (const sentence of sentences) output.note(sentence);
    return await session.doctor();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return [{ what: "engine", ok: false, detail: error.what, remedy: error.remedy }];
  }
}

function lines({ output: { colors } }: CliContext, finding: Finding): string[] {
  const verdict = finding.ok ? colors.green("ok") : colors.red("missing");
  const remedy =
    finding.remedy === undefined ? [] : [`  ${colors.bold(printable(finding.remedy))}`];
  return [`${verdict}  ${printable(finding.what)}: ${printable(finding.detail)}`, ...remedy];
}
