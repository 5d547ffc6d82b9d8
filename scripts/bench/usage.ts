/** Reads memory and processor time of a process from /proc. Linux only; other systems measure nothing. */

import { readFileSync } from "node:fs";

export interface Usage {
  /** Resident, now and at most so far. */
  readonly memoryMb: number | undefined;
  readonly peakMb: number | undefined;
  /** Of all its threads and of the processes that it started and that have ended. */
  readonly cpuMs: number | undefined;
}

/** The kernel's unit of processor time: USER_HZ, 100 per second on every platform. */
const MS_PER_TICK = 10;

/** Where utime, stime, cutime and cstime are after the name, which may hold spaces; see proc(5). */
const CPU_FIELDS = [11, 12, 13, 14] as const;

export function usageOf(pid: number): Usage {
  if (process.platform !== "linux") {
    return { memoryMb: undefined, peakMb: undefined, cpuMs: undefined };
  }
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return {
    memoryMb: megabytes(status, "VmRSS"),
    peakMb: megabytes(status, "VmHWM"),
    cpuMs: cpuMs(stat),
  };
}

export function cpuMs(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return CPU_FIELDS.reduce((sum, i) => sum + Number(fields[i]), 0) * MS_PER_TICK;
}

export function megabytes(status: string, name: string): number | undefined {
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
}
