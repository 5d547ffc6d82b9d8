/** Recognizes objects in parsed JSON and YAML, as opposed to lists and scalar values. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
