/** Parses times as users write them (a date, an age, or Unix seconds), and formats ages and days. */

import { count } from "./count.ts";

const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  min: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  mo: 2_629_746,
  y: 31_556_952,
};

/** `90d`, `6 months`, `2 weeks ago`. A single `m` is a month: no query about history needs minutes. */
const AGE =
  /^(\d{1,6})\s*(s|min|h|d|w|mo?|y|seconds?|minutes?|hours?|days?|weeks?|months?|years?)(?:\s+ago)?$/i;

/** Unix time in seconds. Undefined if the text is not a time. */
export function parseTime(given: string | number, nowMs: number): number | undefined {
  if (typeof given === "number") return Number.isFinite(given) ? given : undefined;
  const text = given.trim();
  if (/^\d{9,12}$/.test(text)) return Number(text);
  const [, amount, unit = ""] = AGE.exec(text) ?? [];
  if (amount !== undefined) return nowMs / 1000 - Number(amount) * secondsIn(unit.toLowerCase());
  if (!/^\d{4}(?:-\d{1,2}){0,2}(?:[T ]|$)/.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

function secondsIn(unit: string): number {
  if (unit === "m" || unit.startsWith("mo")) return SECONDS["mo"] ?? 0;
  if (unit.startsWith("mi")) return SECONDS["min"] ?? 0;
  return SECONDS[unit[0] ?? ""] ?? 0;
}

/** The last day of JavaScript's dates, in Unix seconds. Git stores later ones. */
const LAST_TIME = 8.64e12;

/** The day in UTC, as `2014-03-02`. */
export function formatDay(seconds: number): string {
  const text = new Date(Math.min(seconds, LAST_TIME) * 1000).toISOString();
  return text.slice(0, text.indexOf("T"));
}

const AGE_UNITS = [
  ["year", 31_556_952],
  ["month", 2_629_746],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Formats an age as `3 months ago`, in the largest unit that fits. */
export function formatAge(seconds: number, nowSeconds: number): string {
  const age = nowSeconds - seconds;
  for (const [name, length] of AGE_UNITS) {
    const amount = Math.floor(age / length);
    if (amount >= 1) return `${count(amount, name)} ago`;
  }
  return "just now";
}
