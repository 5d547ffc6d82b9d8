/**
 * A client of the context server cancels a call, and the real engine looks through no further files.
 * @module-tag slow
 */

import { setTimeout } from "node:timers/promises";
import { afterAll, expect, it, onTestFinished } from "vitest";
import type { SessionEvent } from "../../server/contracts/session.ts";
import { RootedSession } from "../../server/mcp/rooted-session.ts";
import { engineInProcess, openedIn } from "../support/engine-in-process.ts";
import { connectClient } from "../support/linked-mcp-client.ts";
import { random } from "../support/random.ts";
import { workspace } from "../support/workspace.ts";

const engine = engineInProcess();
afterAll(() => engine.dispose());

/** Each character of the letters leads to another state of the automaton, so that a scan takes seconds. */
const SLOW_PATTERN = "[ab]*a[ab]{30}a";

function lettersIn(files: number): string {
  const bytes = random(1).bytes(20_000);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = bits.replaceAll("0", "a").replaceAll("1", "b");
  const text = (letters.match(/.{80}/g) ?? []).join("\n");
  return Array.from({ length: files }, (_, i) => `//- letters-${i}.txt\n${i}\n${text}\n`).join("");
}

it("A client that cancels a scan stops it in the engine", { timeout: 300_000 }, async () => {
  const root = workspace(lettersIn(40));
  const session = await openedIn(engine, root);
  const searched: Extract<SessionEvent, { kind: "searched" }>[] = [];
  session.onEvent((event) => {
    if (event.kind === "searched") searched.push(event);
  });
  const rooted = new RootedSession({
    connect: async () => session,
    env: {},
    folder: root,
    isNamed: true,
    note: () => undefined,
  });
  const client = await connectClient(rooted);
  onTestFinished(() => client.close());
  const controller = new AbortController();
  const call = client.callTool(
    { name: "search_code", arguments: { pattern: SLOW_PATTERN } },
    {
      signal: controller.signal,
      timeout: 120_000,
      onprogress: ({ message }) => {
        if (message?.startsWith("searched")) controller.abort();
      },
    },
  );
  await expect(call).rejects.toThrow("aborted");
  const before = searched.length;
  // A scan reports every quarter of a second.
  await setTimeout(2_000);
  expect(searched).toHaveLength(before);
  expect(searched.at(-1)?.searched).toBeLessThan(searched.at(-1)?.total ?? 0);
});
