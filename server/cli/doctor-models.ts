/** Findings of `doctor` about installed models: whether their files are as they were installed. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { Unavailable } from "../common/errors.ts";
import type { Finding } from "../contracts/session.ts";
import {
  inMegabytes,
  listModels,
  readModelManifest,
  runtimeFolder,
  sizeOf,
  verifyFiles,
} from "../models/manifest.ts";

/** None if no model is installed. `models` is the folder of installed models. */
export async function modelFindings(models: string): Promise<Finding[]> {
  const installed = listModels(models);
  if (installed.length === 0) return [];
  const findings = await Promise.all(installed.map(({ name }) => findingOf(models, name)));
  if (existsSync(runtimeFolder(models))) return findings;
  const remedy = `run cocosearch-lsp model install ${installed[0]?.name}`;
  return [
    ...findings,
    { what: "runtime of local models", ok: false, detail: "it is not installed", remedy },
  ];
}

async function findingOf(models: string, name: string): Promise<Finding> {
  const what = `model ${name}`;
  try {
    const manifest = readModelManifest(models, name);
    if (manifest === undefined) return { what, ok: false, detail: "it was removed" };
    await verifyFiles(join(models, name), manifest);
    const size = inMegabytes(sizeOf(manifest));
    return { what, ok: true, detail: `${manifest.kind}, ${size}, license ${manifest.license}` };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { what, ok: false, detail: error.what, remedy: error.remedy };
  }
}
