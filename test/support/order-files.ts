/** Runs test files that wait for processes first, so that the workers end together. */

import { relative, sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders of test/ by the time that one of their files takes, longest first; the others follow. */
const LONGEST_FIRST = [
  "e2e",
  "editors",
  "engine",
  "store",
  "ranking",
  "languages",
  "daemon",
  "scripts",
];

export class OrderFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}

function rankOf(file: string): number {
  const [folder = ""] = relative(`${import.meta.dirname}/..`, file).split(sep);
  const rank = LONGEST_FIRST.indexOf(folder);
  return rank === -1 ? LONGEST_FIRST.length : rank;
}
