/** `helix-config`: a languages.toml for Helix that has our server beside those which each language has already. */

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
import { describedLanguages, LANGUAGES, serversIn, withOurs } from "./helix-languages.ts";

interface HelixConfigOptions {
  readonly hx: string;
  readonly write?: boolean;
}

/** Helix answers in some hundredths of a second. */
const HEALTH_TIMEOUT_MS = 10_000;

const HEAD =
  "# Written by cocosearch-lsp helix-config from what Helix and its user had before.\n\n";

export function addHelixConfig(program: Command, run: Run): void {
  program
    .command("helix-config")
    .description("a languages.toml for Helix with this server beside the others")
    .argument("[languages...]", "by Helix's names; default: those that are commonly used")
    .option("--hx <program>", "how Helix is called", "hx")
    .option("--write", "replace languages.toml; the old one is kept as languages.toml.bak")
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
  const names = named.length > 0 ? named : [...LANGUAGES, ...describedLanguages(user)];
  const servers = new Map<string, readonly string[]>();
  for (const name of new Set(names)) {
    const list = await serversOf(hx, name, context.env);
    if (list !== undefined) servers.set(name, list);
    else if (named.length > 0) throw new BadRequest(`${hx} knows no language "${name}"`);
  }
  const text = HEAD + stringify(withOurs(user, servers), { numbersAsFloat: true });
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
  const kept = backup === undefined ? "" : `; what was there is in ${backup}`;
  context.note(`${languages} in ${file}${kept}`);
  return EXIT.ok;
}

/** As Helix looks for it. */
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

/** Whole numbers as bigint, so that 3.0 does not come back as 3. */
export function parseToml(text: string, file: string): TomlTable {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new BadRequest(`${file} is no TOML, line ${error.line}`, { cause: error });
  }
}

/**
 * The servers of a language in Helix's own words.
 *
 * Its built-in lists are compiled into the program and change with each version, so that it is asked.
 * It is asked outside of any project, because a project may have a languages.toml of its own.
 */
export async function serversOf(
  hx: string,
  language: string,
  env: Environment,
): Promise<readonly string[] | undefined> {
  return serversIn(stripVTControlCharacters(await ask(hx, ["--health", language], env)));
}

async function ask(program: string, args: readonly string[], env: Environment): Promise<string> {
  const home = env["HOME"] ?? homedir();
  try {
    const options = { cwd: home, env: { ...env }, timeout: HEALTH_TIMEOUT_MS };
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (cause) {
    const remedy = "name it with --hx: on some systems it is called helix";
    throw new Unavailable(`${program} does not answer`, remedy, { cause });
  }
}

/** All or nothing: a reader sees the old file or the new one. Returns where the old one is kept. */
async function replace(file: string, text: string, isThere: boolean): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true });
  // Many keep such files elsewhere, with a link to them.
  const target = isThere ? await realpath(file) : file;
  const backup = isThere ? await keep(target, file) : undefined;
  await writeFile(`${target}.new`, text);
  await rename(`${target}.new`, target);
  return backup;
}

/** An older backup stays: after the first time it is the only one that has what its user wrote, with the comments. */
async function keep(target: string, file: string): Promise<string> {
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
