/** How the tests run: against the sources, with worker threads and child processes from what was built. */

import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { buildOnDemand } from "./support/build.ts";
import { OrderFiles } from "./support/order-files.ts";

export default defineConfig({
  plugins: [buildOnDemand()],
  test: {
    root: resolve(import.meta.dirname, ".."),
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/keep-compiled.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Tests wait for children and for editors, so that three keep two cores busy.
    maxWorkers: 3,
    // A process of its own for each file would load the server and the grammars again: half of the processor time.
    isolate: false,
    sequence: { sequencer: OrderFiles },
    // Local times are written.
    env: { TZ: "UTC" },
    tags: [
      {
        name: "slow",
        description:
          "Kills, damages and restarts again and again, waits, or goes through a whole repository: seconds, in test/e2e 15 s or more.",
      },
    ],
    strictTags: true,
  },
});
