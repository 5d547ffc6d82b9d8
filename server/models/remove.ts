/** Deletes an installed model, and with the last one the runtime. */

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isModelName, MANIFEST_FILE, runtimeFolder } from "./manifest.ts";

/** False if no such model is installed. The runtime goes with the last model. */
export function removeModel(models: string, name: string): boolean {
  if (!isModelName(name) || !existsSync(join(models, name, MANIFEST_FILE))) return false;
  rmSync(join(models, name), { recursive: true });
  const isLast = !readdirSync(models).some((each) => existsSync(join(models, each, MANIFEST_FILE)));
  if (isLast) rmSync(runtimeFolder(models), { recursive: true, force: true });
  return true;
}
