/** The file of a run, one JSON object per line: the texts of our tools, each call of a command, and each task when it has ended. */

import { existsSync, readFileSync } from "node:fs";
import type { Kind } from "./tasks.ts";

/** An agent runs with our tools beside the others, or without them. */
export const ARMS = ["with", "without"] as const;
export type Arm = (typeof ARMS)[number];

/** One call of a command by an agent. */
export interface Call {
  readonly tool: string;
  /** The arguments unchanged; text that is no JSON object stays text. */
  readonly arguments: unknown;
  /** The size of the answer in UTF-8. */
  readonly bytes: number;
  readonly ms: number;
  readonly isError: boolean;
}

export interface AnsweredPlace {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly commit?: string;
}

/** How an agent ended, if not with an answer. */
export type Fault = "exit" | "timeout" | "no answer";

export interface Outcome {
  readonly task: string;
  readonly arm: Arm;
  readonly repository: string;
  /** Names the contents of the working tree. */
  readonly tree: string;
  readonly kind: Kind;
  readonly first: "conceptual" | "literal";
  readonly isRight: boolean;
  /** Share of the right places that the answer has. */
  readonly recall: number;
  /** Share of the answer's places that are right. */
  readonly precision: number;
  readonly fault?: Fault;
  /** Its exit code, or the end of its output. */
  readonly detail?: string;
  readonly places: readonly AnsweredPlace[];
  readonly calls: readonly Call[];
  readonly ms: number;
}

export function readOutcomes(file: string): Outcome[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as Outcome | object)
    .filter((line): line is Outcome => "isRight" in line);
}
