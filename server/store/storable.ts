/** Text that Postgres can hold. */

/** Postgres refuses the character NUL, and UTF-8 has no half of a surrogate pair. */
export function storable(text: string): string;
export function storable(text: string | undefined): string | null;
export function storable(text: string | undefined): string | null {
  return text?.replaceAll(/\0|\p{Surrogate}/gu, "\ufffd") ?? null;
}
