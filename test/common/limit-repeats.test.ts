/** The limit on repeated warnings in the log. */

import { expect, it } from "vitest";
import { limitRepeats, MAX_REPEATS } from "../../server/common/limit-repeats.ts";
import { createLog } from "../../server/common/log.ts";

function limited() {
  const lines: string[] = [];
  // A start other than zero, because a time is not a duration.
  let now = 1_000_000;
  const log = limitRepeats(
    createLog((line) => lines.push((JSON.parse(line) as { message: string }).message), "debug"),
    () => now,
  );
  return { log, lines, wait: (ms: number) => (now += ms) };
}

it("limitRepeats writes MAX_REPEATS messages, then one notice that it drops others", () => {
  const { log, lines } = limited();
  for (let i = 0; i < 1_000; i++) log.warn("broken connection");
  expect(lines).toEqual([
    ...Array<string>(MAX_REPEATS).fill("broken connection"),
    "further entries with this message are dropped for a minute",
  ]);
});

it("limitRepeats reports the number of dropped messages in the next period", () => {
  const { log, lines, wait } = limited();
  for (let i = 0; i < MAX_REPEATS + 7; i++) log.error("bug");
  wait(60_000);
  log.error("bug");
  expect(lines.slice(-2)).toEqual(["entries were dropped", "bug"]);
  expect(lines).toHaveLength(MAX_REPEATS + 3);
});

it("limitRepeats counts each message separately and never drops info or debug", () => {
  const { log, lines } = limited();
  for (let i = 0; i < 2 * MAX_REPEATS; i++) log.info("indexed");
  for (let i = 0; i < MAX_REPEATS; i++) log.warn(i % 2 === 0 ? "one" : "two");
  expect(lines).toHaveLength(3 * MAX_REPEATS);
});
