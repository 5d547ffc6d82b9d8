/** A real local model: the folders that scripts/test-services/local-model makes, and folders of installed models over them. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import { type Installer, install, planInstall } from "../../server/models/install.ts";
import { createLocalModels, type RunningModels } from "../../server/models/local-models.ts";

const MADE = process.env["COCOSEARCH_TEST_LOCAL_MODEL"] ?? "";

export const HAS_LOCAL_MODEL = MADE !== "";

/** For the names of tests. */
export const LOCAL_MODEL = HAS_LOCAL_MODEL
  ? "with the real weights of all-MiniLM-L6-v2"
  : "with real weights (COCOSEARCH_TEST_LOCAL_MODEL is not set)";

export const NAME = "all-MiniLM-L6-v2";

/** The kinds that scripts/models/convert-minilm.py describes. */
export type Converted = "int8" | "float32" | "pairs";

/** A converted model; with a change, a copy of it that is changed and deleted after the test. */
export function converted(kind: Converted, change?: (folder: string) => void): string {
  if (change === undefined) return join(MADE, kind);
  const folder = join(temporaryFolder(), "model");
  cpSync(join(MADE, kind), folder, { recursive: true });
  change(folder);
  return folder;
}

/** Without an installed model, and with the runtime unless it could not be installed when the folders were made. */
export function emptyInstaller(env: Installer["env"] = process.env): Installer {
  const models = join(temporaryFolder(), "models");
  mkdirSync(models);
  const runtime = join(MADE, "home/models/runtime");
  if (existsSync(runtime)) symlinkSync(runtime, join(models, "runtime"), "junction");
  return { models, programs: resolve(import.meta.dirname, "../../dist/models"), env };
}

/** With the model that was installed when the folders were made. */
export async function readyInstaller(): Promise<Installer> {
  const installer = emptyInstaller();
  const made = join(MADE, "home/models");
  if (!existsSync(join(made, NAME))) await installedIn(installer);
  else {
    for (const part of [NAME, "identities.json"]) {
      cpSync(join(made, part), join(installer.models, part), { recursive: true });
    }
  }
  return installer;
}

export async function installedIn(
  installer: Installer,
  name: string = NAME,
  folder: string = converted("int8"),
): Promise<void> {
  const plan = planInstall(installer, name, folder);
  await install(installer, plan, new AbortController().signal);
}

/** The manager of processes, which end with the test. */
export function modelsIn(
  { models }: Installer,
  options: { readonly idleMs?: number; readonly firstDelayMs?: number } = {},
): RunningModels {
  const running = createLocalModels({ models, log: silent, ...options });
  onTestFinished(() => running.rest());
  return running;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-models-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
