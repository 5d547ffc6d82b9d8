/** Downloads a known model from the hub, in a process of its own with the installed library. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { Unavailable } from "../common/errors.ts";
import type { InstallableModel } from "./known.ts";
import { runtimeFolder } from "./manifest.ts";
import { runProgram } from "./run-program.ts";

interface DownloadOptions {
  readonly models: string;
  /** The folder of dist/models. */
  readonly programs: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gets the files. */
  readonly staging: string;
  readonly signal: AbortSignal;
}

/** Resolves to the folder that the library downloaded into. */
export async function download(
  { name, repository, kind }: InstallableModel,
  { models, programs, env, staging, signal }: DownloadOptions,
): Promise<string> {
  const cache = join(staging, "hub");
  // Mirrors of the hub and proxies are set for all programs that use it.
  const host = env["HF_ENDPOINT"] ?? "";
  const args = [repository, runtimeFolder(models), cache, kind, host];
  const program = join(programs, "fetch-model.js");
  const { code, output } = await runProgram(process.execPath, [program, ...args], { env, signal });
  const folder = join(cache, repository);
  if (code === 0 && existsSync(folder)) return folder;
  throw new Unavailable(
    `${name} could not be downloaded (${output.trim().split("\n").at(-1) ?? `code ${code}`})`,
    "check the network and the variable HF_ENDPOINT; or download its folder elsewhere, and name it with --from",
  );
}
