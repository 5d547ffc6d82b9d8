/** Validates the parameters of a request against their schema. Errors describe the allowed values in words. */

import * as z from "zod";
import { BadRequest } from "../common/errors.ts";

/** The parts of a JSON schema that the parameters use. */
interface JsonSchema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/**
 * Returns the parameters without empty lists, which count as missing. Throws BadRequest with the parameter and the allowed
 * values: `limit: a whole number from 1 to 200 is expected`.
 */
export function parseParameters<T extends object>(shape: z.ZodType<T>, value: unknown): T {
  const result = shape.safeParse(value ?? {});
  if (result.success) return withoutEmptyLists(result.data);
  const [issue] = result.error.issues;
  const parameter = issue?.path.join(".") || "parameters";
  throw new BadRequest(describeExpected(shape, issue), { parameter });
}

function withoutEmptyLists<T extends object>(parameters: T): T {
  const given = Object.entries(parameters).filter(
    ([, value]) => !Array.isArray(value) || value.length > 0,
  );
  return Object.fromEntries(given) as T;
}

/** Describes the values that would have resolved an issue. */
export function describeExpected(shape: z.ZodType, issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "custom" || issue?.code === "invalid_format") return issue.message;
  const whole = z.toJSONSchema(shape, { unrepresentable: "any" }) as JsonSchema;
  const at = (issue?.path ?? []).reduce<JsonSchema | undefined>(
    (schema, key) => (typeof key === "number" ? schema?.items : schema?.properties?.[String(key)]),
    whole,
  );
  // The length limit is mentioned only if it is the problem: the source of the value may have other limits.
  if (issue?.code === "invalid_type" && at?.type === "array") return "a list is expected";
  if (issue?.code === "unrecognized_keys") {
    const names = Object.keys(at?.properties ?? {}).join(", ");
    return `there is no "${issue.keys[0]?.slice(0, MAX_NAME_LENGTH)}", only ${names}`;
  }
  return `${at === undefined ? "another value" : describeSchema(at)} is expected`;
}

/** Messages show at most this many characters of an unknown name. */
const MAX_NAME_LENGTH = 80;

function describeSchema(schema: JsonSchema): string {
  const { description, type, anyOf, enum: values } = schema;
  if (description !== undefined) return description;
  if (values !== undefined) return `one of ${values.join(", ")}`;
  if (anyOf !== undefined) return [...new Set(anyOf.map(describeSchema))].join(" or ");
  if (type === "string")
    return formatLength("a text", "characters", schema.minLength, schema.maxLength);
  if (type === "array") return formatLength("a list", "values", schema.minItems, schema.maxItems);
  if (type === "integer") return `a whole number${formatRange(schema)}`;
  if (type === "number") return `a number${formatRange(schema)}`;
  return type === "boolean" ? "true or false" : "an object";
}

function formatRange({ minimum, maximum }: JsonSchema): string {
  const [isLow, isHigh] = [minimum, maximum].map(
    (bound) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER,
  );
  if (isLow && isHigh) return ` from ${minimum} to ${maximum}`;
  if (isLow) return `, ${minimum} or more`;
  return isHigh ? ` up to ${maximum}` : "";
}

function formatLength(what: string, unit: string, min = 0, max = Infinity): string {
  if (min > 0 && max < Infinity) return `${what} of ${min} to ${max} ${unit}`;
  if (max < Infinity) return `${what} of at most ${max} ${unit}`;
  return min > 0 ? `${what} that is not empty` : what;
}
