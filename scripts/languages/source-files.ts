/** The text files of folders that are indexed, by language, for scripts. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULTS } from "../../server/config/settings.ts";
import type { Languages } from "../../server/contracts/languages.ts";
import { decode } from "../../server/indexing/discovery/decode.ts";
import { discover } from "../../server/indexing/discovery/discover.ts";
import { generatedTextRule } from "../../server/indexing/discovery/generated-text.ts";
import { createIgnoreRules } from "../../server/indexing/ignore/ignore-rules.ts";

export interface SourceFile {
  readonly folder: string;
  /** Relative to the folder. */
  readonly path: string;
  readonly text: string;
}

export async function filesByLanguage(
  languages: Pick<Languages, "detect">,
  folders: readonly string[],
): Promise<Map<string, SourceFile[]>> {
  const files = new Map<string, SourceFile[]>();
  for (const folder of folders) {
    const rules = createIgnoreRules(folder, DEFAULTS);
    for await (const { path } of discover(folder, rules)) {
      const text = decode(readFileSync(join(folder, path)));
      if (text === undefined) continue;
      const id = languages.detect(path, text.slice(0, 4096));
      if (generatedTextRule(text, text.slice(0, 4096), id) !== undefined) continue;
      const known = files.get(id) ?? [];
      known.push({ folder, path, text });
      files.set(id, known);
    }
  }
  return files;
}
