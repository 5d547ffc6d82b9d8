/** A reporter for vitest that names each test that passed only when it was tried again: what is flaky stays seen. */

import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

export default class ReportRetries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const testModule of modules) {
      for (const test of testModule.children.allTests()) {
        if (!test.diagnostic()?.flaky) continue;
        const errors = test.result().errors ?? [];
        const [{ message } = { message: "" }] = errors;
        console.log(
          `Passed only when tried again: ${relative("", testModule.moduleId)}: ${test.fullName}\n  ${message}`,
        );
      }
    }
  }
}
