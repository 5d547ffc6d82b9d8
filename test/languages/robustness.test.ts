/**
 * Every grammar on damaged text and text in other languages: a result within the budget, the right health, and no broken thread.
 * @module-tag slow
 */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGrammars } from "../../server/languages/grammar-files.ts";
import { type Grammar, grammarOf } from "../../server/languages/grammars.ts";
import { createLanguages } from "../../server/languages/languages.ts";
import { startBudget, withTree } from "../../server/languages/parse.ts";
import { LANGUAGES } from "../../server/languages/table.ts";

/** Each round makes two inputs per grammar; 150 rounds make 10,000 inputs. */
const ROUNDS = Number(process.env["COCOSEARCH_TEST_ROUNDS"] ?? 25);
const GRAMMARS = resolve(import.meta.dirname, "../../grammars");
const IDS = [...LANGUAGES.values()].filter((one) => one.hasGrammar).map(({ id }) => id);
const samples = IDS.map(sampleOf);
const languages = createLanguages();

function sampleOf(id: string): string {
  const folder = join(GRAMMARS, id);
  const name = readdirSync(folder).find((file) => file.startsWith("sample.")) ?? "";
  return readFileSync(join(folder, name), "utf8");
}

function healthOf(text: string, id: string): Promise<string> {
  return languages.withSyntax(text, id, ({ health, definitions }) => {
    for (const { start, nodeStart, end } of definitions) {
      expect(start <= nodeStart && nodeStart <= end && end <= text.length).toBe(true);
    }
    return health.status;
  });
}

it("The built grammars match the table of languages", () => {
  expect(Object.keys(readGrammars()).toSorted()).toEqual(IDS.toSorted());
});

describe.each(IDS)("%s", (id) => {
  const own = sampleOf(id);

  it("The tree of its own sample has no errors", async () =>
    expect(await healthOf(own, id)).toBe("ok"));

  it("Samples of all other languages are parsed without a crash", async () => {
    for (const text of samples) expect(await healthOf(text, id)).not.toBe("no_grammar");
  });

  it("Truncated and mutated samples are parsed without a crash", async () => {
    const place = fc.nat(own.length - 1);
    const isParsed = fc.asyncProperty(
      place,
      place,
      place,
      fc.nat(19),
      async (cut, from, to, gap) => {
        await healthOf(own.slice(0, cut), id);
        await healthOf(own.slice(0, from) + own.slice(to, to + 30) + own.slice(from + gap), id);
      },
    );
    await fc.assert(isParsed, { seed: id.length, numRuns: ROUNDS });
    expect(languages.broken).toBe(false);
  });

  it("Deep nesting, a long line, unusual characters and empty text are parsed without a crash", async () => {
    for (const text of [
      "(".repeat(50_000),
      "{".repeat(2_000) + "}".repeat(2_000),
      `${"a.b(".repeat(2_000)}${")".repeat(2_000)};`,
      `x = "${"y".repeat(50_000)}"`,
      "\u0000\ufffd\ud800\udfff\u2028",
      own.replaceAll("\n", "\r\n"),
      "",
    ]) {
      await healthOf(text, id);
    }
    expect(languages.broken).toBe(false);
  });
});

describe("health", () => {
  it("A tree with few errors is partial and used", () =>
    languages.withSyntax(
      `${sampleOf("javascript")}\nconst = ;\n`,
      "javascript",
      ({ health, root }) => {
        expect(health.status).toBe("partial");
        expect(health.message).toMatch(
          /^\d+ % of the text could not be parsed, first in line \d+$/,
        );
        expect(root).toBeDefined();
      },
    ));
  it("A tree with a missing token names it in its health", () =>
    languages.withSyntax("<p>{{ name }}\n", "html", ({ health }) => {
      expect(health.message).toBe("0 % of the text could not be parsed, a token is missing");
    }));
  it("Text in another language is an error, and patterns find definitions", () =>
    languages.withSyntax(
      "<<<< ==== >>>> ;;;; ((((\ndef run():\n  pass\n",
      "python",
      ({ health, root, definitions }) => {
        expect(health.status).toBe("error");
        expect(root).toBeUndefined();
        expect(definitions.map(({ symbol }) => symbol.name)).toEqual(["run"]);
      },
    ));
  it("The reason why a file is not parsed is kept", () =>
    languages.withSyntax(
      "def run(): pass",
      "python",
      ({ health }) => expect(health).toEqual({ status: "error", message: "it hung" }),
      { unparsed: "it hung" },
    ));
  it("A language without a grammar has the health no_grammar", async () =>
    expect(await healthOf("a", "text")).toBe("no_grammar"));
});

describe("a grammar that fails", () => {
  const failing = (): Promise<Grammar> => Promise.reject(new Error("resolved is not a function"));

  it("breaks its thread, and the file is cut by patterns", async () => {
    const own = createLanguages(failing);
    const names = await own.withSyntax("def run(): pass", "python", ({ health, definitions }) => {
      expect(health).toEqual({
        status: "error",
        message: "the grammar crashed: resolved is not a function",
      });
      return definitions.map(({ symbol }) => symbol.name);
    });
    expect(names).toEqual(["run"]);
    expect(own.broken).toBe(true);
  });
  it("is not blamed for errors of the callback", async () => {
    const failure = new Error("mine");
    const throwing = () => {
      throw failure;
    };
    await expect(languages.withSyntax("a", "python", throwing)).rejects.toBe(failure);
    expect(languages.broken).toBe(false);
  });
  it("The budget measures CPU time up to a wall-clock limit", async () => {
    let cpu = 0;
    const cpuMs = () => cpu;
    const isSpent = startBudget(5, { cpuMs, maxWallMs: 60_000 });
    const isLate = startBudget(5, { cpuMs, maxWallMs: 10 });
    await new Promise((done) => setTimeout(done, 30));
    expect([isSpent(), isLate()]).toEqual([false, true]);
    cpu = 6;
    await new Promise((done) => setTimeout(done, 30));
    expect(isSpent()).toBe(true);
  });
  it("A parse stops at the end of its budget, and the next file is parsed from its start", async () => {
    const { parser } = await grammarOf("python");
    const long = "a = (1 + 2)\n".repeat(20_000);
    expect(withTree(parser, long, startBudget(0), () => "parsed")).toBeUndefined();
    const text = withTree(parser, "b = 1\n", startBudget(), ({ rootNode }) => rootNode.text);
    expect(text).toBe("b = 1\n");
  });
});
