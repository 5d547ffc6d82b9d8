/** The check of a request's parameters against their shape, which says in words what is allowed. */

import * as z from "zod";
import { BadRequest } from "../common/errors.ts";

/** What the words are made from: a JSON schema, as far as the parameters use it. */
interface Allowed {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Allowed[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Allowed;
  readonly properties?: Readonly<Record<string, Allowed>>;
}

/**
 * The parameters, without lists that name nothing: these are as if they were not there. BadRequest names the parameter and
 * what is allowed: `limit: a whole number from 1 to 200 is expected`.
 */
export function parseParameters<T extends object>(shape: z.ZodType<T>, value: unknown): T {
  const result = shape.safeParse(value ?? {});
  if (result.success) return withoutEmptyLists(result.data);
  const [issue] = result.error.issues;
  const parameter = issue?.path.join(".") || "parameters";
  throw new BadRequest(whatIsExpected(shape, issue), { parameter });
}

function withoutEmptyLists<T extends object>(parameters: T): T {
  const given = Object.entries(parameters).filter(
    ([, value]) => !Array.isArray(value) || value.length > 0,
  );
  return Object.fromEntries(given) as T;
}

/** What a value must be for which a check has an issue. */
export function whatIsExpected(shape: z.ZodType, issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "custom" || issue?.code === "invalid_format") return issue.message;
  const whole = z.toJSONSchema(shape, { unrepresentable: "any" }) as Allowed;
  const at = (issue?.path ?? []).reduce<Allowed | undefined>(
    (schema, key) => (typeof key === "number" ? schema?.items : schema?.properties?.[String(key)]),
    whole,
  );
  // How long it may be is said where that is wrong: other limits may hold where it comes from.
  if (issue?.code === "invalid_type" && at?.type === "array") return "a list is expected";
  if (issue?.code === "unrecognized_keys") {
    const names = Object.keys(at?.properties ?? {}).join(", ");
    return `there is no "${issue.keys[0]?.slice(0, MAX_NAME_LENGTH)}", only ${names}`;
  }
  return `${at === undefined ? "another value" : sayAllowed(at)} is expected`;
}

/** A name that does not exist is shown up to this length. */
const MAX_NAME_LENGTH = 80;

function sayAllowed(schema: Allowed): string {
  const { description, type, anyOf, enum: values } = schema;
  if (description !== undefined) return description;
  if (values !== undefined) return `one of ${values.join(", ")}`;
  if (anyOf !== undefined) return [...new Set(anyOf.map(sayAllowed))].join(" or ");
  if (type === "string")
    return sayLength("a text", "characters", schema.minLength, schema.maxLength);
  if (type === "array") return sayLength("a list", "values", schema.minItems, schema.maxItems);
  if (type === "integer") return `a whole number${sayRange(schema)}`;
  if (type === "number") return `a number${sayRange(schema)}`;
  return type === "boolean" ? "true or false" : "an object";
}

function sayRange({ minimum, maximum }: Allowed): string {
  const [isLow, isHigh] = [minimum, maximum].map(
    (bound) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER,
  );
  if (isLow && isHigh) return ` from ${minimum} to ${maximum}`;
  if (isLow) return `, ${minimum} or more`;
  return isHigh ? ` up to ${maximum}` : "";
}

function sayLength(what: string, unit: string, min = 0, max = Infinity): string {
  if (min > 0 && max < Infinity) return `${what} of ${min} to ${max} ${unit}`;
  if (max < Infinity) return `${what} of at most ${max} ${unit}`;
  return min > 0 ? `${what} that is not empty` : what;
}
