/** What a configuration format says of itself: how it is recognized, where it is cut, what its blocks are called. */

import { ITEM, type Key, keysOf } from "../sections/keys.ts";
import type { Section } from "../sections/section.ts";
import { toSection } from "../sections/sections.ts";

export interface Format {
  readonly id: string;
  /** By the path, which has forward slashes, and the content. The first format that matches is used. */
  matches(path: string, text: string): boolean;
  sections(lines: readonly string[]): Section[];
}

/**
 * Keys from the outermost, `*` for any key and `[]` for an item of a list, and what such a block is called.
 * A key with its value on the same line is a block only where that is said.
 */
export type KeyRule = readonly [path: string, type: string, also?: "one-line"];

/** What gives an item of a list its name, best first. */
const NAMES_OF_ITEMS = ["name", "id", "uses", "run", "key", "path", "image"];
const MAX_NAME_LENGTH = 60;

/** Blocks of YAML or JSON by their keys. The first rule that fits a key counts; other keys are no blocks. */
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

/** Whether a text has a key at the margin. */
export function hasKey(text: string, key: string): boolean {
  return new RegExp(`^["']?${key}["']?\\s*:`, "m").test(text);
}

export function isYaml(path: string): boolean {
  return /\.ya?ml$/.test(path);
}
