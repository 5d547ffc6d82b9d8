/** Runs test files when its parent process says so, in a test runner that stays loaded. Argument: the folder of the tree. */

import { resolve } from "node:path";
import { createVitest } from "vitest/node";

export interface TestRequest {
  /** Sources that may have been changed since the last run. */
  readonly changed: readonly string[];
  readonly test: string;
}

export interface TestAnswer {
  readonly ok: boolean;
  readonly ms: number;
}

const root = resolve(process.argv[2] ?? ".");
process.chdir(root);
const vitest = await createVitest("test", {
  root,
  config: resolve(root, "test/vitest.config.ts"),
  watch: false,
  fileParallelism: false,
  maxWorkers: 1,
  reporters: [{}],
});
await vitest.standalone();

process.on("message", (request: TestRequest) => {
  void run(request).then((answer) => process.send?.(answer));
});
process.on("disconnect", () => process.exit());
process.send?.({ ok: true, ms: 0 } satisfies TestAnswer);

async function run({ changed, test }: TestRequest): Promise<TestAnswer> {
  for (const path of changed) vitest.invalidateFile(resolve(root, path));
  const start = performance.now();
  const specifications = await vitest.globTestSpecifications([test]);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // The modules of earlier runs are listed too.
  const module = testModules.find(({ moduleId }) => moduleId === resolve(root, test));
  const ok = module !== undefined && module.state() !== "failed" && unhandledErrors.length === 0;
  return { ok, ms: Math.round(performance.now() - start) };
}
