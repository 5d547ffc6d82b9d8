/** How the tests run: against the sources, with worker threads and child processes from what was built. */

import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { buildOnDemand } from "./support/build.ts";

export default defineConfig({
  plugins: [buildOnDemand()],
  test: {
    root: resolve(import.meta.dirname, ".."),
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    // Local times are written.
    env: { TZ: "UTC" },
    tags: [
      {
        name: "slow",
        description:
          "Kills, damages and restarts again and again, waits, or goes through a whole repository: seconds, in test/e2e 15 s or more. Also what resets modules: without isolation it leaves the parser's runtime, which starts once a thread, unusable to later files.",
      },
    ],
    strictTags: true,
  },
});
