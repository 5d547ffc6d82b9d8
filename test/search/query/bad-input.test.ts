/** Pasted text that is not a bug report: the answer names the problem, or uses the readable part. */

import { describe, expect, it } from "vitest";
import { search } from "../../../server/search/search.ts";
import { contextOf, embedded, indexOf, lanesOf } from "../support.ts";

const LANES = () =>
  lanesOf(
    embedded("src/load.py", "load the value and check it", "load"),
    embedded("src/store.py", "store python version platform", "store"),
    embedded("src/describe.py", "describe the expected behavior and version", "describe"),
  );

const ask = (query: string) => search(contextOf(indexOf("app", LANES())), { query });

const NOTHING = "the text says nothing of a place in the code";

const BOILERPLATE = `**Describe the bug**
A clear and concise description of what the bug is.

**To Reproduce**
Steps to reproduce the behavior:
1. Go to '...'
2. Click on '....'
3. Scroll down to '....'
4. See error

**Expected behavior**
A clear and concise description of what you expected to happen.

**Desktop (please complete the following information):**
 - OS: [e.g. iOS]
 - Browser [e.g. chrome, safari]
 - Version [e.g. 22]

**Additional context**
Add any other context about the problem here.
`;

const ENVIRONMENT = `Python: 3.8.1
platform linux -- Python 3.8.1, pytest-6.0.0, py-1.9.0, pluggy-0.13.1
Package    Version
---------- -------
attrs      19.3.0
pluggy     0.13.1
store      1.2.0
OS: Ubuntu 22.04
`;

describe("a text without a place", () => {
  it.each([
    ["an empty issue form", BOILERPLATE],
    ["the same with other line ends", BOILERPLATE.replaceAll("\n", "\r\n")],
    ["versions and nothing else", ENVIRONMENT],
    ["versions below their heading", `### Environment\n\n${ENVIRONMENT}`],
  ])("finds nothing and says why: %s", async (_name, query) => {
    const { hits, warnings } = await ask(query);
    expect(hits).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(NOTHING)]);
  });

  it("is searched by its title where it has one", async () => {
    const { hits, warnings } = await ask(`Cannot load the value\n\n${BOILERPLATE}\n${ENVIRONMENT}`);
    expect(hits[0]?.path).toBe("src/load.py");
    expect(warnings).toEqual([]);
  });
});

describe("a text that is too long", () => {
  const line = "2024-01-05 10:00:01 INFO request served in 12 ms\n";

  it("is read to its end, where a log says what went wrong", async () => {
    const log = `${line.repeat(20_000)}2024-01-05 10:00:02 ERROR /srv/app/src/load.py:1: refused\n`;
    expect(log.length).toBeGreaterThan(900_000);
    const { hits, warnings } = await ask(log);
    expect(hits[0]?.path).toBe("src/load.py");
    expect(warnings).toEqual([expect.stringContaining("10,000 characters and was cut")]);
  });

  it("a long text is read to its end in a report, too", async () => {
    const trace = 'Traceback (most recent call last):\n  File "src/load.py", line 1, in load\n';
    const report = `It fails at night\n\nAll I have is this log:\n\n${line.repeat(20_000)}\n${trace}`;
    const { hits, warnings } = await ask(report);
    expect(hits[0]?.path).toBe("src/load.py");
    expect(warnings).toEqual([expect.stringContaining("100,000 characters and was cut")]);
  });
});

describe("a paste of binary data", () => {
  const bytes = Array.from({ length: 4_000 }, (_, i) => (i * 7919) % 256);
  it.each([
    ["bytes as characters", String.fromCharCode(...bytes)],
    ["bytes as UTF-8", Buffer.from(bytes).toString("utf8")],
    ["UTF-16 as bytes", Buffer.from("load the value\n".repeat(50), "utf16le").toString("latin1")],
  ])("finds nothing and says why: %s", async (_name, query) => {
    const { hits, warnings } = await ask(query);
    expect(hits).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("the query is binary")]);
  });

  it("differs from text with a few letters in another encoding", async () => {
    const { hits, warnings } = await ask("l\uFFFDd: load the value\uFFFD and check it again");
    expect(hits[0]?.path).toBe("src/load.py");
    expect(warnings).toEqual([]);
  });

  it("differs from text with terminal colors", async () => {
    const colored = `Wrong value\n\n${"\u001B[31mnight after night\u001B[0m\n".repeat(6)}\u001B[1msrc/load.py\u001B[0m:1: \u001B[31mrefused\u001B[0m\n`;
    const { hits, warnings } = await ask(colored);
    expect(hits[0]?.path).toBe("src/load.py");
    expect(warnings).toEqual([]);
  });
});
