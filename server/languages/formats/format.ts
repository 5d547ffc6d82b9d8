/** The description of a configuration format: how to recognize files, where to cut them, and the names of their blocks. */

import { ITEM, type Key, keysOf } from "../sections/keys.ts";
import type { Section } from "../sections/section.ts";
import { toSection } from "../sections/sections.ts";

export interface Format {
  readonly id: string;
  /** Matches by path, with forward slashes, and content. The first matching format is used. */
  matches(path: string, text: string): boolean;
  sections(lines: readonly string[]): Section[];
}

/**
 * A rule: keys, outermost first, with `*` for any key and `[]` for a list item, and the type of the block. A key with its
 * value on the same line is a block only if the rule says so.
 */
type KeyRule = readonly [path: string, type: string, also?: "one-line"];

/** Keys that name a list item, by priority. */
const NAMES_OF_ITEMS = ["name", "id", "uses", "run", "key", "path", "image"];
const MAX_NAME_LENGTH = 60;

/** Blocks of YAML or JSON by their keys. The first matching rule decides; other keys are not blocks. */
export function byKeys(rules: readonly KeyRule[]): Format["sections"] {
  const parsed = rules.map(([path, type, also]) => ({ parts: path.split("."), type, also }));
  return (lines) =>
    keysOf(lines).flatMap((key) => {
      const rule = parsed.find(({ parts }) => fits(parts, key.path));
      const isBlock = rule?.also === "one-line" || key.last > key.first;
      return rule === undefined || !isBlock ? [] : [toSection(key, rule.type, nameOf(key))];
    });
}

function fits(parts: readonly string[], path: Key["path"]): boolean {
  return (
    parts.length === path.length &&
    parts.every((part, i) => part === path[i] || (part === "*" && path[i] !== ITEM))
  );
}

function nameOf({ path, values }: Key): string | undefined {
  if (path.at(-1) !== ITEM) return path.at(-1);
  const name = NAMES_OF_ITEMS.map((key) => values.get(key)).find((value) => value !== undefined);
  return name?.slice(0, MAX_NAME_LENGTH) ?? "item";
}

/** Whether the text has a top-level key. */
export function hasKey(text: string, key: string): boolean {
  return new RegExp(`^["']?${key}["']?\\s*:`, "m").test(text);
}

export function isYaml(path: string): boolean {
  return /\.ya?ml$/.test(path);
}
