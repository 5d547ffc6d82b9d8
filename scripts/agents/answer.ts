/** Reads the answer of an agent: the last JSON object with `places` in its output. */

import * as z from "zod";
import type { AnsweredPlace } from "./outcome.ts";

const line = z.number().int().min(1);
const answerShape = z.object({
  places: z.array(
    z.object({
      path: z.string().default(""),
      startLine: line.optional(),
      endLine: line.optional(),
      commit: z.string().optional(),
    }),
  ),
});

/** Undefined without such an object. */
export function answerIn(printed: string): readonly AnsweredPlace[] | undefined {
  for (
    let at = printed.lastIndexOf("{");
    at >= 0;
    at = at === 0 ? -1 : printed.lastIndexOf("{", at - 1)
  ) {
    if (!/^\{\s*"/.test(printed.slice(at, at + 40))) continue;
    const parsed = answerShape.safeParse(objectAt(printed, at));
    if (parsed.success) return parsed.data.places as readonly AnsweredPlace[];
  }
  return undefined;
}

/** The object that begins here, which ends with one of the closing braces. */
function objectAt(text: string, at: number): unknown {
  for (let end = text.length; end > at; end = text.lastIndexOf("}", end - 2) + 1) {
    try {
      return JSON.parse(text.slice(at, end));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}
