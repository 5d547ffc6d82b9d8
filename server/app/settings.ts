/** The settings of one workspace: defaults, then the folder's own file, then the user's. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DEFAULTS, merge, type PartialSettings, type Settings } from "../config.ts";
import { isErrorCode, messageOf } from "../errors.ts";
import { fromWorkspaceFile } from "../workspace-file.ts";

const FILES = ["cocosearch.yaml", "cocosearch.yml", ".cocosearch.yaml", ".cocosearch.yml"];

/** A settings file is written by hand; a larger one is something else. */
const LARGEST_FILE_BYTES = 100_000;

export interface WorkspaceSettings {
  readonly settings: Settings;
  readonly problems: readonly string[];
}

export async function settingsOf(root: string, user: PartialSettings): Promise<WorkspaceSettings> {
  const trusted = (user.trustedWorkspaces ?? DEFAULTS.trustedWorkspaces).includes(root);
  for (const name of FILES) {
    const file = join(root, name);
    let yaml: string;
    try {
      yaml = await readFile(file, "utf8");
    } catch (error) {
      if (isErrorCode(error, "ENOENT")) continue;
      return { settings: merge(user), problems: [`${file}: not read: ${messageOf(error)}`] };
    }
    if (yaml.length > LARGEST_FILE_BYTES) {
      return { settings: merge(user), problems: [`${file}: not read: larger than 100 kB`] };
    }
    const { settings, problems } = fromWorkspaceFile(yaml, file, trusted);
    return { settings: merge(settings, user), problems };
  }
  return { settings: merge(user), problems: [] };
}
