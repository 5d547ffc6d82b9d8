/** The check of a request's parameters against their shape. */

import type * as z from "zod";
import { BadRequest } from "../common/errors.ts";

/** BadRequest names the parameter and what is allowed. */
export function parseParameters<T>(shape: z.ZodType<T>, value: unknown): T {
  const result = shape.safeParse(value ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const parameter = issue?.path.join(".") || "parameters";
  throw new BadRequest(issue?.message ?? "not as expected", { parameter });
}
