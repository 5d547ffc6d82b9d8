/** An empty database for an engine, copied in a moment: making one takes two seconds of processor time. */

import { cpSync } from "node:fs";
import { inject } from "vitest";

/** Vitest makes the database when a test loads this module (build.ts). */
export function copyEmptyDatabase(data: string): void {
  cpSync(inject("emptyDatabase"), data, { recursive: true });
}
