/** Checks of setting values that are long or that several settings share. */

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
export const postgresUrl = text.regex(/^$|^postgres(ql)?:\/\/\S+$/, "a postgresql:// URL");
export const wholeNumber = (from: number, to: number) => z.number().int().min(from).max(to);

/** Sent as an HTTP header. Surrounding whitespace is removed, because a key from a file may end with a line break. */
export const apiKey = text
  .trim()
  .regex(/^[\x21-\x7e]*$/, "a key of ASCII letters, digits and punctuation");

/** Replaces an invalid address, so that code is not sent to the default provider. RFC 2606 reserves the domain. */
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

/** Converts the text of a variable to the type of the setting. The setting's check rejects other text. */
export function plainValue(raw: string, fallback: unknown): unknown {
  if (typeof fallback === "boolean") {
    if (/^(true|1|yes|on)$/i.test(raw)) return true;
    return /^(false|0|no|off)$/i.test(raw) ? false : raw;
  }
  return typeof fallback === "number" ? Number(raw) : raw;
}
