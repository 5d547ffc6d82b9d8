/** Scratch space in a temporary folder, which is deleted after the test. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { silent } from "../../server/common/log.ts";
import { ScratchFile } from "../../server/engine/indexes/scratch-file.ts";

export function scratchFile(): ScratchFile {
  const folder = mkdtempSync(join(tmpdir(), "cocosearch-scratch-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return new ScratchFile(folder, silent);
}
