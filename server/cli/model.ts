/** `model`: installs, lists and removes models that run on this machine without a server. Nothing else downloads one. */

import { resolve } from "node:path";
import type { Command } from "commander";
import { BadRequest, Unavailable } from "../common/errors.ts";
import {
  type Installed,
  type Installer,
  type InstallPlan,
  install,
  planInstall,
  removeModel,
} from "../models/install.ts";
import { RUNTIME } from "../models/install-runtime.ts";
import { type InstallableModel, KNOWN_MODELS } from "../models/known.ts";
import { inMegabytes, listModels, type ModelManifest, sizeOf } from "../models/manifest.ts";
import { JSON_ANSWER, type Run } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { confirms, isInteractive } from "./confirm.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

interface InstallOptions {
  readonly from?: string;
  readonly yes?: boolean;
}

export function addModel(program: Command, run: Run): void {
  const model = program
    .command("model")
    .description("models for embedding and reranking that run on this machine");
  model
    .command("install")
    .description("install a model, and the runtime that it needs")
    .argument("<name>", "a model that model list shows, or a name of your own with --from")
    .option("--from <dir>", "copy the model from a folder instead of the hub")
    .option("--yes", "install without asking")
    .action((name: string, options: InstallOptions) =>
      run((context) => installModel(context, name, options)),
    );
  model
    .command("list")
    .description("list the installed models, and the models that can be installed by name")
    .option(...JSON_ANSWER)
    .action((options: { readonly json?: boolean }) => run((context) => list(context, options)));
  model
    .command("remove")
    .description("delete an installed model")
    .argument("<name>", "its name, as model list shows it")
    .action((name: string) => run((context) => remove(context, name)));
}

async function installModel(
  context: CommandContext,
  name: string,
  { from, yes }: InstallOptions,
): Promise<ExitCode> {
  const installer = installerOf(context);
  const folder = from === undefined ? undefined : resolve(context.cwd, from);
  const plan = planInstall(installer, name, folder);
  await context.print(describePlan(plan, installer));
  await agree(context, yes === true);
  if (plan.needsRuntime) context.note("installing the runtime, and then the model");
  const installed = await install(installer, plan, context.signal);
  await context.print(describeInstalled(installed));
  return EXIT.ok;
}

async function agree(context: CommandContext, isAgreed: boolean): Promise<void> {
  if (isAgreed) return;
  if (!isInteractive(context)) {
    throw new BadRequest("this is not a terminal, so nothing was installed; add --yes to install");
  }
  if (!(await confirms(context, "Install it? [y/N] ")))
    throw new BadRequest("nothing was installed");
}

function describePlan(
  { name, from, known, found, needsRuntime, bytes }: InstallPlan,
  { models }: Installer,
) {
  const kind = found?.kind ?? known?.kind ?? "embedding";
  return [
    `${name}: ${kind === "reranker" ? "reranker" : "embedding model"}, ${inMegabytes(bytes)}, license ${known?.license ?? "not known here: see its card"}`,
    `  from     ${from ?? `the hub, ${known?.repository}`}`,
    `  to       ${models}`,
    `  cost     ${costOf(known)}`,
    needsRuntime
      ? `  runtime  @huggingface/transformers ${RUNTIME.version}, license ${RUNTIME.license}: npm downloads ${RUNTIME.downloadMegabytes} MB, ${RUNTIME.megabytes} MB stay`
      : `  runtime  @huggingface/transformers ${RUNTIME.version} is installed`,
  ].join("\n");
}

/** The cost comes from the table of known models, so it is the same on every machine. */
function costOf(known: InstallableModel | undefined): string {
  if (known?.measured === undefined) {
    return "not measured by this project; it is measured here once it is installed";
  }
  const { msPerText, processMegabytes } = known.measured;
  return `${msPerText} ms of one core per chunk (${minutesFor(msPerText)} for 10,000), ${processMegabytes} MB of memory while it is used`;
}

function describeInstalled({ manifest, msPerText }: Installed): string {
  const { name, kind, dimension } = manifest;
  const speedOf = (what: string) =>
    `${Math.round(msPerText)} ms per ${what} with one thread, on this machine as busy as it is now`;
  if (kind === "reranker") {
    return [
      `installed ${name}: ${speedOf("pair")}, so about ${Math.round(msPerText * 30)} ms for 30 candidates`,
      `to use it, set rerank.provider to local and rerank.model to ${name}`,
    ].join("\n");
  }
  return [
    `installed ${name}: ${dimension} dimensions, ${speedOf("chunk")}, so about ${minutesFor(msPerText)} for 10,000`,
    `to use it, set embedding.provider to local and embedding.model to ${name}, and run cocosearch-lsp index --full`,
  ].join("\n");
}

function minutesFor(msPerText: number): string {
  const minutes = (msPerText * 10_000) / 60_000;
  return minutes < 10 ? `${minutes.toFixed(1)} minutes` : `${Math.round(minutes)} minutes`;
}

async function list(
  context: CommandContext,
  { json }: { readonly json?: boolean },
): Promise<ExitCode> {
  const installed = listModels(installerOf(context).models);
  const names = new Set(installed.map(({ name }) => name));
  const others = KNOWN_MODELS.filter(({ name }) => !names.has(name));
  if (json) {
    await context.printJson({
      installed: installed.map(({ name, manifest }) => ({ ...manifest, name })),
      known: KNOWN_MODELS,
    });
    return EXIT.ok;
  }
  const rows = [
    ...installed.map(({ name, manifest }) => `installed  ${name}  ${describeManifest(manifest)}`),
    ...others.map((known) => `known      ${known.name}  ${describeKnown(known)}`),
  ];
  await context.print(rows.join("\n"));
  return EXIT.ok;
}

function describeManifest(manifest: ModelManifest | undefined): string {
  if (manifest === undefined) return "damaged: remove it, and install it again";
  return `${dimensionsOf(manifest)}, ${inMegabytes(sizeOf(manifest))}, ${manifest.license}`;
}

function describeKnown(known: InstallableModel): string {
  const measured = known.measured === undefined ? ", not measured here" : "";
  return `${dimensionsOf(known)}, ${known.megabytes} MB, ${known.license}${measured}`;
}

function dimensionsOf({ kind, dimension }: Pick<ModelManifest, "kind" | "dimension">): string {
  return kind === "reranker" ? "reranker" : `${dimension} dimensions`;
}

async function remove(context: CommandContext, name: string): Promise<ExitCode> {
  if (!removeModel(installerOf(context).models, name)) {
    context.note(`no model named "${name}" is installed`);
    return EXIT.nothingFound;
  }
  await context.print(`removed ${name}`);
  return EXIT.ok;
}

function installerOf({ installer, env }: CommandContext): Installer {
  if (installer !== undefined) return { ...installer, env };
  throw new Unavailable("models cannot be installed here", "use the program cocosearch-lsp");
}
