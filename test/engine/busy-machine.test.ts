/**
 * A process with a fifth of a processor, as on a busy machine, parses its files as on a quiet one.
 * @module-tag slow
 */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { workspace } from "../support/workspace.ts";

const SCRIPT = join(import.meta.dirname, "../support/prepare-one.ts");
/** More than the processor time of the file, and much less than its wall-clock time here. */
const PROCESSOR_MS = 4_000;
const [RUN_MS, STOP_MS] = [10, 40];

const CODE = Array.from(
  { length: 4_000 },
  (_, i) => `int step${i}(const Window& window, int key) {\n  return window.get(key) * ${i};\n}\n`,
).join("");

/** Suspends the process repeatedly until it ends. */
function throttle(child: ReturnType<typeof spawn>): void {
  const run = () => {
    if (child.exitCode !== null) return;
    child.kill("SIGCONT");
    setTimeout(stop, RUN_MS);
  };
  const stop = () => {
    if (child.exitCode !== null) return;
    child.kill("SIGSTOP");
    setTimeout(run, STOP_MS);
  };
  stop();
}

it.skipIf(process.platform === "win32")(
  "A busy machine parses a file that needs little processor time",
  async () => {
    const root = workspace(`//- window.cpp\n${CODE}`);
    const began = performance.now();
    const child = spawn(
      process.execPath,
      ["--import", "tsx", SCRIPT, root, "window.cpp", `${PROCESSOR_MS}`],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (text.includes("ready")) throttle(child);
    });
    await new Promise((resolve) => child.once("exit", resolve));
    expect(performance.now() - began).toBeGreaterThan(PROCESSOR_MS);
    expect(JSON.parse(out.split("\n")[1] ?? "")).toEqual({ status: "ok" });
  },
);
