/** `helix-config`: prints or writes a languages.toml for Helix that lists cocosearch after each language's other servers. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { copyFile, mkdir, readFile, realpath, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import type { Command } from "commander";
import { parse, stringify, TomlError, type TomlTable } from "smol-toml";
import { count } from "../common/count.ts";
import { BadRequest, isErrorCode, Unavailable } from "../common/errors.ts";
import type { Run } from "./command.ts";
import type { CommandContext, Environment } from "./command-context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import {
  describedLanguages,
  HELIX_LANGUAGES,
  serversIn,
  withCocosearch,
} from "./helix-languages.ts";

interface HelixConfigOptions {
  readonly hx: string;
  readonly write?: boolean;
}

/** `hx --health` takes about 0.05 s. */
const HEALTH_TIMEOUT_MS = 10_000;

const HEAD =
  "# Written by cocosearch-lsp helix-config from Helix's defaults and the previous file.\n\n";

export function addHelixConfig(program: Command, run: Run): void {
  program
    .command("helix-config")
    .description("print a languages.toml for Helix that adds cocosearch to the other servers")
    .argument("[languages...]", "Helix's names of languages; default: the common ones")
    .option("--hx <program>", "the Helix program", "hx")
    .option("--write", "write languages.toml; the old file is kept as languages.toml.bak")
    .action((languages: string[], options: HelixConfigOptions) =>
      run((context) => helixConfig(context, languages, options)),
    );
}

async function helixConfig(
  context: CommandContext,
  named: readonly string[],
  { hx, write = false }: HelixConfigOptions,
): Promise<ExitCode> {
  const file = join(configFolder(context.env), "languages.toml");
  const before = await readIfThere(file);
  const user = parseToml(before ?? "", file);
  const names = named.length > 0 ? named : [...HELIX_LANGUAGES, ...describedLanguages(user)];
  const servers = new Map<string, readonly string[]>();
  for (const name of new Set(names)) {
    const list = await serversOf(hx, name, context.env);
    if (list !== undefined) servers.set(name, list);
    else if (named.length > 0) throw new BadRequest(`${hx} does not know the language "${name}"`);
  }
  const text = HEAD + stringify(withCocosearch(user, servers), { numbersAsFloat: true });
  if (!write) {
    await context.print(text.trimEnd());
    return EXIT.ok;
  }
  const languages = count(servers.size, "language");
  if (text === before) {
    context.note(`nothing to change: ${languages} in ${file}`);
    return EXIT.ok;
  }
  const backup = await replace(file, text, before !== undefined);
  const kept = backup === undefined ? "" : `; the old file is ${backup}`;
  context.note(`${languages} in ${file}${kept}`);
  return EXIT.ok;
}

/** The folder where Helix looks for its configuration. */
export function configFolder(env: Environment): string {
  if (process.platform === "win32") return join(env["APPDATA"] ?? homedir(), "helix");
  return join(env["XDG_CONFIG_HOME"] || join(env["HOME"] ?? homedir(), ".config"), "helix");
}

export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Parses integers to bigint, so that 3.0 is not written back as 3. Throws BadRequest for invalid TOML. */
export function parseToml(text: string, file: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new BadRequest(`${file}:${error.line}: invalid TOML`, { cause: error });
  }
}

/**
 * The servers of a language, from the output of `hx --health`: the built-in lists are compiled into Helix and change with
 * each version. Helix runs in the home folder, because a project may have its own languages.toml.
 */
export async function serversOf(
  hx: string,
  language: string,
  env: Environment,
): Promise<readonly string[] | undefined> {
  return serversIn(stripVTControlCharacters(await runHelix(hx, ["--health", language], env)));
}

async function runHelix(
  program: string,
  args: readonly string[],
  env: Environment,
): Promise<string> {
  const home = env["HOME"] ?? homedir();
  try {
    const options = { cwd: home, env: { ...env }, timeout: HEALTH_TIMEOUT_MS };
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (cause) {
    const remedy = "name the program with --hx; on some systems it is called helix";
    throw new Unavailable(`${program} does not answer`, remedy, { cause });
  }
}

/** Replaces the file atomically. Returns the path of the backup. */
async function replace(file: string, text: string, isThere: boolean): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true });
  // The file may be a symbolic link into a repository of dot files.
  const target = isThere ? await realpath(file) : file;
  const backup = isThere ? await backUp(target, file) : undefined;
  await writeFile(`${target}.new`, text);
  await rename(`${target}.new`, target);
  return backup;
}

/** Never overwrites a backup: the first one is the only copy of the user's own file with its comments. */
async function backUp(target: string, file: string): Promise<string> {
  for (let nth = 1; ; nth++) {
    const backup = nth === 1 ? `${file}.bak` : `${file}.bak${nth}`;
    try {
      await copyFile(target, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (error) {
      if (!isErrorCode(error, "EEXIST")) throw error;
    }
  }
}
