/** Resident memory of a process, as the kernel counts it. */

import { readFileSync } from "node:fs";

export interface Memory {
  readonly nowMb: number | undefined;
  readonly peakMb: number | undefined;
}

/** Linux only: elsewhere nothing is measured. */
export function memoryOf(pid: number): Memory {
  if (process.platform !== "linux") return { nowMb: undefined, peakMb: undefined };
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return { nowMb: field(status, "VmRSS"), peakMb: field(status, "VmHWM") };
}

function field(status: string, name: string): number | undefined {
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
}
