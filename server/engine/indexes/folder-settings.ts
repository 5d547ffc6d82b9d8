/** The settings of one workspace, merged from the defaults, the folder's settings file and the user's settings. */

import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import {
  isMissingOrForbidden,
  isSystemError,
  messageOf,
  trySystemCallSync,
  Unavailable,
} from "../../common/errors.ts";
import { readFileInside } from "../../common/read-file.ts";
import { DEFAULTS, merge } from "../../config/settings.ts";
import { SETTINGS_FILES } from "../../config/settings-files.ts";
import { fromWorkspaceFile } from "../../config/workspace-file.ts";
import type { PartialSettings, Settings } from "../../contracts/settings.ts";

/** Settings files are written by hand; a larger file is something else. */
const MAX_FILE_BYTES = 100_000;

export interface WorkspaceSettings {
  readonly settings: Settings;
  readonly problems: readonly string[];
  /** Whether the folder has a settings file, readable or not. */
  readonly hasFile: boolean;
}

/**
 * `root` is a real path. Throws Unavailable if the settings file cannot be read now: without it, files that it excludes
 * would be indexed.
 */
export async function settingsOf(root: string, user: PartialSettings): Promise<WorkspaceSettings> {
  for (const name of SETTINGS_FILES) {
    const file = join(root, name);
    const read = await readSettings(root, name);
    if (read === undefined) continue;
    if ("problem" in read) {
      return {
        settings: merge(user),
        problems: [`${file}: not read: ${read.problem}`],
        hasFile: true,
      };
    }
    const { settings, problems } = fromWorkspaceFile(read.text, file, isTrusted(root, user));
    return { settings: merge(settings, user), problems, hasFile: true };
  }
  return { settings: merge(user), problems: [], hasFile: false };
}

/** Undefined if the file is missing. The file comes with the workspace: it may be a pipe, a link to anywhere, or endless. */
async function readSettings(
  root: string,
  name: string,
): Promise<{ readonly text: string } | { readonly problem: string } | undefined> {
  try {
    const read = await readFileInside(root, name, async ({ handle, found }) =>
      found.size > MAX_FILE_BYTES
        ? { problem: "larger than 100 kB" }
        : { text: await handle.readFile("utf8") },
    );
    if (!("absent" in read)) return read;
    return read.absent === "the file does not exist" ? undefined : { problem: read.absent };
  } catch (error) {
    if (isSystemError(error) && !isMissingOrForbidden(error)) {
      const what = `${join(root, name)} cannot be read (${messageOf(error)})`;
      throw new Unavailable(what, "it is retried in a few seconds", { cause: error });
    }
    return { problem: messageOf(error) };
  }
}

/** `trustedWorkspaces` may contain links and `~`. */
function isTrusted(root: string, { trustedWorkspaces }: PartialSettings): boolean {
  const realPathOf = (folder: string) => realpathSync(folder.replace(/^~(?=$|\/)/, homedir()));
  return (trustedWorkspaces ?? DEFAULTS.trustedWorkspaces).some(
    (folder) => trySystemCallSync(() => realPathOf(folder)) === root,
  );
}
