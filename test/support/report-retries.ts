/** A vitest reporter that lists tests that passed only on a retry, so that flaky tests stay visible. */

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
