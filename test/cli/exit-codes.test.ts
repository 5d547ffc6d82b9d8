/** How commands end when something is wrong, and how they are left. */

import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { BadRequest, Unavailable } from "../../server/common/errors.ts";
import { ANSWER, run } from "./run-cli.ts";

const SEARCH = ["search", "x", "--root", import.meta.dirname];
const failing = (problem: unknown) => ({ session: { search: () => Promise.reject(problem) } });

it.each([
  [["--lang", "x"], 'error: --lang: unknown language "x"\n'],
  [["--lang=x"], 'error: --lang: unknown language "x"\n'],
  // An inline filter can cause this: no such option was given.
  [[], 'error: languages: unknown language "x"\n'],
])("a BadRequest of the engine exits with 2 and names the option: %j", async (options, said) => {
  const problem = new BadRequest('unknown language "x"', { parameter: "languages" });
  const { code, err } = await run([...SEARCH, ...options], failing(problem));
  expect([code, err]).toEqual([2, said]);
});

it.each(["--min-score", "--limit"])(
  "names the option of a number out of range: %s",
  async (name) => {
    const { code, err } = await run([...SEARCH, name, "1000"]);
    expect([code, err]).toEqual([2, expect.stringMatching(`^error: ${name}: `)]);
  },
);

it("an unavailable service exits with 3 and a remedy", async () => {
  const error = new Unavailable("the database does not answer", "start it");
  const { code, err } = await run(SEARCH, failing(error));
  expect([code, err]).toEqual([3, "error: the database does not answer\nstart it\n"]);
});

it("a bug exits with 70, without a stack, and names the log", async () => {
  const { code, err } = await run(SEARCH, {
    ...failing(new TypeError("x is undefined")),
    logFile: "/log",
  });
  expect(code).toBe(70);
  expect(err).toBe("error: x is undefined\nThis is a bug. The log may show the cause: /log\n");
});

it.each([
  ["an answer", SEARCH],
  ["help", ["--help"]],
  ["help of a command", ["help", "search"]],
  ["the version", ["--version"]],
])("a full disk exits with 3 for %s", async (_, args) => {
  const writeError = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
  });
  const session = { search: () => Promise.resolve(ANSWER) };
  const { code, err } = await run(args, { session, writeError });
  expect([code, err]).toEqual([
    3,
    "error: the answer cannot be written: ENOSPC: no space left on device, write\nfree some space, or write it elsewhere\n",
  ]);
});

it("the session is closed after success and failure", async () => {
  for (const search of [() => Promise.resolve(ANSWER), () => Promise.reject(new Error("no"))]) {
    let closed = 0;
    const dispose = () => Promise.resolve(void closed++);
    await run(SEARCH, { session: { search, dispose } });
    expect(closed).toBe(1);
  }
});

it.each(["SIGINT", "SIGTERM"] as const)(
  "stops waiting at %s, and listens to no signal afterwards",
  async (sent) => {
    const signals = ["SIGINT", "SIGTERM"] as const;
    for (const signal of signals) {
      const others = process.rawListeners(signal);
      process.removeAllListeners(signal);
      onTestFinished(() => {
        for (const listener of others) process.on(signal, listener as NodeJS.SignalsListener);
      });
    }
    const whenIdle = async () => {
      process.emit(sent);
      await delay(60_000, undefined, { ref: false });
    };
    const { code, out } = await run(SEARCH, { session: { whenIdle } });
    expect([code, out]).toEqual([130, ""]);
    expect(signals.map((signal) => process.listenerCount(signal))).toEqual([0, 0]);
  },
);

it("invalid variables are reported as warnings", async () => {
  const session = { search: () => Promise.resolve(ANSWER) };
  const { err } = await run(SEARCH, { session, env: { COCOSEARCH_WORKERS: "many" } });
  expect(err).toMatch(/^warning: COCOSEARCH_WORKERS is ignored/);
});

it("--version and --help print to stdout", async () => {
  expect(await run(["--version"])).toEqual({ code: 0, out: "1.2.3\n", err: "" });
  const { code, out } = await run(["--help"]);
  expect(code).toBe(0);
  for (const command of ["index", "search", "analyze", "status", "list", "clear", "doctor"]) {
    expect(out).toContain(`\n  ${command} `);
  }
});

it("a call without a command prints help to stderr", async () => {
  const { code, out, err } = await run([]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("Usage: cocosearch-lsp");
});

it.each([["help", "serch"], ["serch", "--help"], ["serch"]])(
  "an unknown command is reported: %s %s",
  async (...args) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error: unknown command 'serch'\n\(Did you mean search\?\)/);
  },
);

it.each([
  ["help", "deps", "show"],
  ["deps", "help", "show"],
  ["deps", "show", "--help"],
])("help of a subcommand is printed: %s %s %s", async (...args) => {
  const { code, out } = await run(args);
  expect(code).toBe(0);
  expect(out).toContain("Usage: cocosearch-lsp deps show [options] <file>");
});
