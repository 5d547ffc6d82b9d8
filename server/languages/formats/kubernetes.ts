/** Kubernetes resources: one per YAML document, named by kind and name. */

import { getOrCreate } from "../../common/get-or-create.ts";
import { ITEM, type Key, keysOf } from "../sections/keys.ts";
import type { Section } from "../sections/section.ts";
import { toSection } from "../sections/sections.ts";
import { type Format, hasKey, isYaml } from "./format.ts";

/** Keys of a resource that are blocks. */
const MAX_DEPTH = 2;

export const kubernetes: Format = {
  id: "kubernetes",
  matches: (path, text) => isYaml(path) && hasKey(text, "apiVersion") && hasKey(text, "kind"),
  sections: (lines) => resourcesOf(lines, "resource"),
};

/** Argo CD applications, which have the form of Kubernetes resources. */
export const argoCd: Format = {
  id: "argo-cd",
  matches: (path, text) => isYaml(path) && /^apiVersion:\s*["']?argoproj\.io\//m.test(text),
  sections: (lines) => resourcesOf(lines, "application"),
};

/** Also matches resources of other tools with the same form. */
export function resourcesOf(lines: readonly string[], type: string): Section[] {
  const documents = new Map<number, Key[]>();
  for (const key of keysOf(lines)) {
    getOrCreate(documents, key.document, () => []).push(key);
  }
  return [...documents.values()].flatMap((keys) => sectionsOf(keys, lines, type));
}

function sectionsOf(keys: readonly Key[], lines: readonly string[], type: string): Section[] {
  const first = keys[0]?.first ?? 0;
  const last = Math.max(...keys.map((key) => key.last));
  const kind = kindIn(keys, lines);
  const name = keys.find(({ path }) => path.join(".") === "metadata")?.values.get("name");
  if (kind === undefined) return [];
  const resource = { name: name === undefined ? kind : `${kind}/${name}`, type, first, last };
  const parts = keys.filter(
    (key) => key.path.length <= MAX_DEPTH && !key.path.includes(ITEM) && key.last > key.first,
  );
  return [resource, ...parts.map((key) => toSection(key, "key"))];
}

function kindIn(keys: readonly Key[], lines: readonly string[]): string | undefined {
  const key = keys.find(({ path }) => path.length === 1 && path[0] === "kind");
  return key === undefined ? undefined : /:\s*["']?([^"'#\s]+)/.exec(lines[key.first] ?? "")?.[1];
}
