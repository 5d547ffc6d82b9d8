/** Remembers which weights a name was given to, also after they are removed: stored vectors are known by that name. */

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Unavailable } from "../common/errors.ts";
import { isObject } from "../common/is-object.ts";
import type { ModelManifest } from "./manifest.ts";

/** The digest of the weights of every model that was ever installed, by name. */
const IDENTITIES_FILE = "identities.json";

/** Throws Unavailable if the name was given to other weights. */
export function checkIdentity(models: string, manifest: ModelManifest, weights: string): void {
  const { name } = manifest;
  const known = readIdentities(models)[name];
  if (known === undefined || known === weightsDigest(manifest, weights)) return;
  throw new Unavailable(
    `the name ${name} was used for a model with other weights, whose vectors may be stored`,
    "install it by another name, as NAME-2 with --from",
  );
}

export function noteIdentity(models: string, manifest: ModelManifest, weights: string): void {
  const all = { ...readIdentities(models), [manifest.name]: weightsDigest(manifest, weights) };
  const draft = join(models, `.${IDENTITIES_FILE}`);
  writeFileSync(draft, `${JSON.stringify(all, null, 2)}\n`);
  renameSync(draft, join(models, IDENTITIES_FILE));
}

function readIdentities(models: string): Readonly<Record<string, unknown>> {
  const file = join(models, IDENTITIES_FILE);
  if (!existsSync(file)) return {};
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  return isObject(value) ? value : {};
}

function weightsDigest({ files }: ModelManifest, weights: string): string | undefined {
  return files.find(({ path }) => path === weights)?.sha256;
}
