/** Replaces a function of a Node.js module in all modules that import it, until the test ends. */

import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

/** `module` is the default export. Nothing is loaded again, as it would be with a mocked module. */
export function replaceFunction<M extends object, K extends keyof M>(
  module: M,
  name: K,
  replacement: (original: M[K]) => M[K],
): void {
  const original = module[name];
  const put = (value: M[K]) => {
    module[name] = value;
    syncBuiltinESMExports();
  };
  put(replacement(original));
  onTestFinished(() => put(original));
}
