/** `doctor`: what was found, what is missing, and what to do about it. */

import type { Command } from "commander";
import type { Finding } from "../session.ts";
import { type CommonOptions, common, type Run, rootOf } from "./command.ts";
import type { Colors, Context } from "./context.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { openWorkspace } from "./opening.ts";
import { printable } from "./text.ts";

export function addDoctor(program: Command, run: Run): void {
  common(
    program.command("doctor").description("what was found, what is missing, what to do"),
  ).action((options: CommonOptions) => run((context) => doctor(context, options)));
}

async function doctor(context: Context, options: CommonOptions): Promise<ExitCode> {
  const session = await openWorkspace(context, rootOf(context, options));
  const findings = await session.doctor();
  if (options.json) await context.printJson(findings);
  else await context.print(findings.map((each) => renderFinding(each, context.colors)).join("\n"));
  return findings.every(({ ok }) => ok) ? EXIT.ok : EXIT.unavailable;
}

function renderFinding({ what, ok, detail, remedy }: Finding, colors: Colors): string {
  const mark = ok ? colors.green("ok     ") : colors.red("missing");
  const advice = remedy === undefined ? "" : `\n         ${printable(remedy)}`;
  return `${mark}  ${colors.bold(printable(what))}: ${printable(detail)}${advice}`;
}
