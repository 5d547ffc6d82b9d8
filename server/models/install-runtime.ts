/** Installs the library that runs local models, with the user's npm and the lock file of this program. */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { isErrorCode, messageOf, Unavailable } from "../common/errors.ts";
import { runtimeFolder } from "./manifest.ts";
import { runProgram } from "./run-program.ts";

/** The figures that `model install` prints: @huggingface/transformers with onnxruntime and sharp, for one platform. */
export const RUNTIME = {
  version: "4.3.2",
  license: "Apache-2.0, with onnxruntime (MIT), sharp (Apache-2.0) and libvips (LGPL-3.0)",
  downloadMegabytes: 160,
  megabytes: 90,
  /** On disk while it is installed: the packages contain the binaries of all platforms. */
  peakMegabytes: 500,
};

/** The binaries that the runtime is published with. */
const PLATFORMS = ["linux x64", "linux arm64", "darwin arm64", "win32 x64", "win32 arm64"];

/** Throws Unavailable on a platform without binaries. */
export function checkPlatform(platform: string, arch: string): void {
  if (PLATFORMS.includes(`${platform} ${arch}`)) return;
  throw new Unavailable(
    `the runtime of local models has no binaries for ${platform} ${arch}`,
    "use a model of an Ollama instead (embedding.provider ollama), or rerank.url",
  );
}

/** Whether the installed runtime has the lock file in `lockFolder`, which contains package.json and package-lock.json. */
export function isRuntimeCurrent(models: string, lockFolder: string): boolean {
  const installed = join(runtimeFolder(models), "package-lock.json");
  if (!existsSync(installed)) return false;
  return readFileSync(installed).equals(readFileSync(join(lockFolder, "package-lock.json")));
}

interface RuntimeInstallation {
  readonly models: string;
  readonly lockFolder: string;
  /** A folder on the same disk. */
  readonly staging: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * Installs it into the folder `staging`, then moves it. Npm compares each package with its digest in the lock file, and
 * runs no script of a package. Throws Unavailable with the reason that npm gives.
 */
export async function installRuntime({
  models,
  lockFolder,
  staging,
  env,
  signal,
}: RuntimeInstallation): Promise<void> {
  const made = join(staging, "runtime");
  mkdirSync(made, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) {
    copyFileSync(join(lockFolder, file), join(made, file));
  }
  await runNpm(made, env, signal);
  removeUnused(made);
  rmSync(runtimeFolder(models), { recursive: true, force: true });
  renameSync(made, runtimeFolder(models));
}

const NPM = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

async function runNpm(cwd: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const isWindows = process.platform === "win32";
  const running = runProgram(isWindows ? "npm.cmd" : "npm", NPM, {
    cwd,
    env,
    signal,
    // Windows starts a .cmd file only through its shell.
    shell: isWindows,
  });
  const { code, output } = await running.catch((cause: unknown) => {
    signal.throwIfAborted();
    const isMissing = isErrorCode(cause, "ENOENT");
    throw new Unavailable(
      isMissing ? "npm is missing" : `npm cannot be started (${messageOf(cause)})`,
      "install it from https://nodejs.org: it comes with Node.js",
      { cause },
    );
  });
  if (code === 0) return;
  throw new Unavailable(
    `npm could not install the runtime of local models (${reasonIn(output)})`,
    /ENOSPC/.test(output)
      ? `free ${RUNTIME.peakMegabytes} MB on the disk of ${cwd}`
      : "check the network, and the registry that npm config get registry prints; nothing else was changed",
  );
}

/** The first line of npm's errors that is neither a code nor empty. */
function reasonIn(output: string): string {
  const lines = output.split("\n").map((line) => line.replace(/^npm (error|ERR!) ?/, "").trim());
  const said = lines.filter((line) => line !== "" && !/^(errno|syscall|path|type)\b/.test(line));
  return said.slice(0, 2).join("; ").slice(0, 300) || "it gave no reason";
}

/** Deletes the binaries of other platforms, and the library for browsers, which Node does not load: three quarters. */
function removeUnused(runtime: string): void {
  const packages = join(runtime, "node_modules");
  rmSync(join(packages, "onnxruntime-web"), { recursive: true, force: true });
  const binaries = join(packages, "onnxruntime-node", "bin", "napi-v6");
  for (const platform of readdirSync(binaries)) {
    for (const arch of readdirSync(join(binaries, platform))) {
      if (platform === process.platform && arch === process.arch) continue;
      rmSync(join(binaries, platform, arch), { recursive: true });
    }
  }
}
