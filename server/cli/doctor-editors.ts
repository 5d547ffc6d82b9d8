/** The editor checks of `doctor`: installed editors, limits of their versions, and conflicts with other language servers. */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { BadRequest, isErrorCode } from "../common/errors.ts";
import type { Finding } from "../contracts/session.ts";
import type { Environment } from "./command-context.ts";
import { configFolder, parseToml, readIfThere, serversOf } from "./helix-config.ts";
import { hasCocosearch, onlyCocosearch } from "./helix-languages.ts";

/** Year and month, or major and minor. */
type Version = readonly [number, number];

interface Editor {
  readonly name: string;
  readonly programs: readonly string[];
  /** Limits of versions before `before`, the oldest first. */
  readonly limits: readonly { readonly before: Version; readonly cannot: string }[];
  /** How the editor combines the results of several servers. */
  readonly others: string;
}

const EDITORS: readonly Editor[] = [
  {
    name: "Neovim",
    programs: ["nvim"],
    limits: [
      { before: [0, 10], cannot: "is too old for the plugin, which needs 0.10" },
      { before: [0, 11], cannot: "starts the server only once a file is open" },
    ],
    others:
      "each server's symbols replace the list before (:colder shows earlier lists); :CocoSearch lists only cocosearch",
  },
  {
    name: "Helix",
    programs: ["hx", "helix"],
    limits: [
      { before: [25, 1], cannot: "is too old: 25.01 or later is needed" },
      {
        before: [25, 7],
        cannot: "passes no arguments to commands, so cocosearch.search does not work; use <space>S",
      },
    ],
    others: "<space>S shows the symbols of all servers in one list",
  },
  {
    name: "Emacs",
    programs: ["emacs"],
    limits: [{ before: [29, 1], cannot: "is too old for cocosearch.el, which needs 29.1" }],
    others: "eglot uses one server per buffer; M-x cocosearch works beside any of them",
  },
];

/** `--version` takes about 0.05 s, on a busy machine seconds. */
const VERSION_TIMEOUT_MS = 10_000;

export async function editorFindings(env: Environment): Promise<Finding[]> {
  const found = await Promise.all(EDITORS.map((editor) => findingOf(editor, env)));
  return found.flat();
}

async function findingOf(editor: Editor, env: Environment): Promise<Finding[]> {
  for (const program of editor.programs) {
    const version = await versionOf(program, env);
    if (version === undefined) continue;
    const languages = editor.name === "Helix" ? await helixLanguages(program, env) : [];
    return [aboutVersion(editor.name, program, version), ...languages];
  }
  return [];
}

/** A finding about the version of an editor; `said` is the first line of `--version`. */
export function aboutVersion(name: string, program: string, said: string): Finding {
  const editor = EDITORS.find((each) => each.name === name);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? [];
  const version: Version = [Number(major ?? Number.NaN), Number(minor ?? Number.NaN)];
  const limit = editor?.limits.find(({ before }) => isBefore(version, before));
  const what = `editor ${program}`;
  if (limit === undefined) return { what, ok: true, detail: `${said}; ${editor?.others ?? ""}` };
  return { what, ok: true, detail: said, remedy: `this ${name} ${limit.cannot}` };
}

function isBefore([major, minor]: Version, [otherMajor, otherMinor]: Version): boolean {
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

/** The first line of `--version`; undefined if the program is missing. */
async function versionOf(program: string, env: Environment): Promise<string | undefined> {
  try {
    const options = { env: { ...env }, timeout: VERSION_TIMEOUT_MS };
    const { stdout } = await promisify(execFile)(program, ["--version"], options);
    return stdout.split("\n", 1)[0]?.trim();
  } catch (error) {
    if (isErrorCode(error, "ENOENT") || isErrorCode(error, "EACCES")) return undefined;
    return `its version is unknown: ${String(error)}`;
  }
}

const HELIX_REMEDY = "run cocosearch-lsp helix-config --write, which keeps the other servers";

async function helixLanguages(hx: string, env: Environment): Promise<Finding[]> {
  const file = join(configFolder(env), "languages.toml");
  const finding = { what: "Helix's languages", ok: true };
  try {
    const user = parseToml((await readIfThere(file)) ?? "", file);
    if (!hasCocosearch(user)) {
      const detail = `no language in ${file} uses cocosearch`;
      return [{ ...finding, detail, remedy: HELIX_REMEDY }];
    }
    const lost = await lostServers(hx, onlyCocosearch(user), env);
    if (lost.length === 0)
      return [{ ...finding, detail: `cocosearch is listed beside the other servers in ${file}` }];
    const detail = `${file} lists only cocosearch for ${lost.join(", ")}, which disables Helix's own servers`;
    const remedy = `remove these lists and ${HELIX_REMEDY}`;
    return [{ what: finding.what, ok: false, detail, remedy }];
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return [{ what: finding.what, ok: false, detail: error.message }];
  }
}

/** The languages that Helix has built-in servers for. */
async function lostServers(
  hx: string,
  languages: readonly string[],
  env: Environment,
): Promise<string[]> {
  if (languages.length === 0) return [];
  const empty = await mkdtemp(join(tmpdir(), "cocosearch-helix-"));
  try {
    const lost: string[] = [];
    for (const language of languages) {
      const own = await serversOf(hx, language, { ...env, XDG_CONFIG_HOME: empty, APPDATA: empty });
      if ((own ?? []).length > 0) lost.push(language);
    }
    return lost;
  } finally {
    await rm(empty, { recursive: true });
  }
}
