/** A reporter for vitest that names each test that passed only when it was tried again: what is flaky stays seen. */

import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

export default class ReportRetries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const testModule of modules) {
      for (const test of testModule.children.allTests()) {
        if (!test.diagnostic()?.flaky) continue;
        const name = `${relative("", testModule.moduleId)}: ${test.fullName}`;
        const reasons = (test.result().errors ?? []).map(({ message }) => `  ${message}\n`);
        process.stdout.write(`Passed only when tried again: ${name}\n${reasons.join("")}`);
      }
    }
  }
}
