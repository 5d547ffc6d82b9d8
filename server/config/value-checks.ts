/** What a setting may be: the checks that several of them share, and long ones. */

import { isAbsolute } from "node:path";
import * as z from "zod";
import { isCheapGlob } from "../common/glob.ts";

export const indexName = z
  .string()
  .regex(/^[\w.-]{1,64}$/, "a name of up to 64 letters, digits, dots, dashes and underscores");

export function isHttpUrl(url: string): boolean {
  return /^https?:\/\/\S+$/.test(url) && URL.canParse(url);
}

export const names = z.array(z.string().min(1));
export const globs = z
  .array(z.string().min(1).refine(isCheapGlob, "a pattern with at most ten wildcards"))
  .max(1_000);
export const indexNames = z.array(indexName);
export const text = z.string();
export const address = text.refine((url) => url === "" || isHttpUrl(url), "an http or https URL");
export const count = (from: number, to: number) => z.number().int().min(from).max(to);

/** It is sent as a header. What is around it came with it from a file. */
export const apiKey = text
  .trim()
  .regex(/^[\x21-\x7e]*$/, "a key of letters, digits and marks of ASCII");

/** An address that leads nowhere: code that was meant for another one is not sent to the default. */
export const NOWHERE = "http://unusable.invalid";

const absolute = text.refine(isAbsolute, "an absolute path");
export const grammar = z.strictObject({
  language: text.regex(
    /^[a-z][a-z0-9_-]{0,39}$/,
    "a name of up to 40 lower-case letters, digits and dashes",
  ),
  wasm: absolute,
  symbols: absolute.optional(),
  extensions: z.array(text.regex(/^[\w.+-]{1,20}$/, "an extension without its dot")).optional(),
});

/** A variable's text as the type that the setting has; the check refuses what does not fit. */
export function plainValue(raw: string, fallback: unknown): unknown {
  if (typeof fallback === "boolean") {
    if (/^(true|1|yes|on)$/i.test(raw)) return true;
    return /^(false|0|no|off)$/i.test(raw) ? false : raw;
  }
  return typeof fallback === "number" ? Number(raw) : raw;
}
