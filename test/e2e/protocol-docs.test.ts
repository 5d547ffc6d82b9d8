/** server/docs/protocol.md against a real server: its list of methods and parameters is complete, and its examples are answered as it says. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorCodes, LSPErrorCodes } from "vscode-languageserver/node";
import { DEFAULT_TOKEN_BUDGET } from "../../server/contracts/context-request.ts";
import {
  DEFAULT_OCCURRENCES,
  OCCURRENCES_PARAMETERS,
} from "../../server/contracts/occurrences-request.ts";
import { REQUEST_DEFAULTS } from "../../server/contracts/request-defaults.ts";
import { SEARCH_PARAMETERS } from "../../server/contracts/search-request.ts";
import { capabilities } from "../../server/lsp/commands.ts";
import { type TestEngine, testEngine } from "../support/engine.ts";
import { commitAll, initRepository } from "../support/git.ts";
import { type LspClient, startServer, until } from "../support/lsp-client.ts";
import { SHOP } from "../support/shops.ts";
import { temporaryWorkspace } from "../support/workspace.ts";

const SERVER = resolve(import.meta.dirname, "../../server");
/** The root of the workspace in the examples. */
const DOCUMENTED_ROOT = "/home/me/shop";
/** Objects whose keys are data: names of boosts, rules, what a stage has to say. */
const MAPS = ["evidence", "ranks", "notes", "excluded"];

interface Section {
  readonly name: string;
  readonly level: number;
  /** Names in the first column of a table, by the table's heading. */
  readonly parameters: readonly string[];
  /** The row of its table by the bare name of each parameter. */
  readonly rows: ReadonlyMap<string, string>;
  readonly answer: readonly string[];
  readonly request: string | undefined;
  readonly example: unknown;
}

const sections = read(readFileSync(join(SERVER, "docs/protocol.md"), "utf8"));
const named = (name: string) => sections.find((section) => section.name === name);
const commands = sections.filter(({ level }) => level === 3);
const requests = sections.filter(
  ({ name, level }) => level === 2 && name !== "cocosearch/statusChanged",
);

function read(text: string): Section[] {
  return text
    .split(/^(?=##+ `)/m)
    .slice(1)
    .map((body) => {
      const [, marks = "", name = ""] = /^(##+) `([^`]+)`/.exec(body) ?? [];
      const blocks = new Map(
        [...body.matchAll(/^```json (\w+)\n(.*?)^```$/gms)].map(([, kind, json]) => [kind, json]),
      );
      return {
        name,
        level: marks.length,
        parameters: rowsIn(body, "parameter").flatMap(namesOf),
        rows: new Map(
          rowsIn(body, "parameter").flatMap((row) => namesOf(row).map((one) => [bare(one), row])),
        ),
        answer: rowsIn(body, "answer").flatMap(namesOf),
        request: blocks.get("request"),
        example: JSON.parse(blocks.get("answer") ?? "null"),
      };
    });
}

function rowsIn(body: string, heading: string): string[] {
  const table = new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, "m").exec(
    body,
  )?.[1];
  return (table ?? "").trim().split("\n");
}

/** Names of the first column; `name?` is optional. */
function namesOf(row: string): string[] {
  const cell = row.split(" | ", 1)[0] ?? "";
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

/** The smallest and the largest value that a row gives of a number, and how many values of a list: `integer, 1 to 1,000`. */
function boundsIn(row: string): readonly [number, number] | undefined {
  const [, low, high] = /^\|[^|]+\| [^|]*, ([\d,]+) to ([\d,]+) \|/.exec(row) ?? [];
  if (low === undefined || high === undefined) return undefined;
  return [Number(low.replaceAll(",", "")), Number(high.replaceAll(",", ""))];
}

function bare(name: string): string {
  return name.replace("?", "");
}

/** The keys and types of a value; a list is described by its first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, MAPS.includes(key) ? "map" : shapeOf(each)]),
  );
}

it("documents every method of the server, and no other", () => {
  const lsp = join(SERVER, "lsp");
  const source = readdirSync(lsp)
    .map((file) => readFileSync(join(lsp, file), "utf8"))
    .join("\n");
  const served = new Set([...source.matchAll(/"(cocosearch\/\w+)"/g)].map(([, name]) => name));
  const documented = sections.filter(({ name }) => name.startsWith("cocosearch/"));
  expect(new Set(documented.map(({ name }) => name))).toEqual(served);
  expect(documented).toHaveLength(served.size);
});

it("documents every command, and no other", () => {
  const documented = commands.map(({ name }) => name);
  expect(documented).toEqual(capabilities.executeCommandProvider?.commands);
});

/** The request of each row of REQUEST_DEFAULTS, and what its parameters are called. */
const DEFAULTED: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
  ["cocosearch/related", REQUEST_DEFAULTS.related],
  ["cocosearch/impact", REQUEST_DEFAULTS.impact],
  ["cocosearch/callers", REQUEST_DEFAULTS.calls],
  ["cocosearch/callees", REQUEST_DEFAULTS.calls],
  ["cocosearch/history", REQUEST_DEFAULTS.history],
  ["cocosearch/occurrences", { limit: DEFAULT_OCCURRENCES }],
  ["cocosearch/context", { tokenBudget: DEFAULT_TOKEN_BUDGET }],
];

it.each(DEFAULTED)("says the defaults of %s", (method, defaults) => {
  const rows = named(method)?.rows;
  const said = Object.keys(defaults).map((name) => {
    const [, value = ""] = /default:? ([\d,]+)/.exec(rows?.get(name) ?? "") ?? [];
    return [name, Number(value.replaceAll(",", ""))];
  });
  expect(Object.fromEntries(said)).toEqual(defaults);
});

it("says the defaults of the files around hits", () => {
  const { hops, limit } = REQUEST_DEFAULTS.expand;
  const row = named("cocosearch/search")?.rows.get("expand");
  expect(row).toContain(`(1 to 3, default ${hops})`);
  expect(row).toContain(`(1 to 30, default ${limit})`);
});

it("documents every parameter of a search, and no other", () => {
  const documented = named("cocosearch/search")?.parameters ?? [];
  expect(documented.map(bare).toSorted()).toEqual([...SEARCH_PARAMETERS].toSorted());
});

it("documents every parameter of a request for occurrences, and no other", () => {
  const documented = named("cocosearch/occurrences")?.parameters ?? [];
  expect(documented.map(bare).toSorted()).toEqual([...OCCURRENCES_PARAMETERS].toSorted());
});

it.each(sections.filter(({ answer }) => answer.length > 0))(
  "describes each field of the answer to $name",
  ({ answer, example }) => {
    const fields = Object.keys(example as object);
    expect(answer.map(bare)).toEqual(expect.arrayContaining(fields));
    expect(fields).toEqual(expect.arrayContaining(answer.filter((name) => !name.endsWith("?"))));
  },
);

describe("a real server", () => {
  let engine: TestEngine;
  let server: LspClient;
  let root: string;
  const notified: unknown[] = [];
  const cleanups: (() => void)[] = [];

  beforeAll(async () => {
    engine = testEngine();
    server = startServer(engine.env);
    const made = temporaryWorkspace(SHOP);
    root = made.root;
    initRepository(root);
    commitAll(root, "Sell by mail\n\nCustomers asked for receipts.");
    cleanups.push(made.remove);
    server.connection.onNotification("cocosearch/statusChanged", (params: unknown) => {
      notified.push(params);
    });
    await server.initialize(root);
    await server.progressEnded();
  });
  afterAll(async () => {
    server.child.kill();
    await engine.dispose();
    for (const cleanup of cleanups) cleanup();
  });

  /** The documented parameters, about the workspace of this test. */
  async function paramsOf({ name, request }: Section): Promise<unknown> {
    if (request === undefined) return undefined;
    const text = request.replaceAll(`file://${DOCUMENTED_ROOT}`, pathToFileURL(root).href);
    const params = JSON.parse(text) as Record<string, unknown>;
    if (name !== "cocosearch/clear") return params;
    const { indexes } = await server.status();
    return { name: indexes[0]?.name };
  }

  async function send(method: string, params: unknown): Promise<unknown> {
    return params === undefined
      ? await server.connection.sendRequest(method)
      : await server.connection.sendRequest(method, params);
  }

  async function codeOf(answer: Promise<unknown>): Promise<unknown> {
    return await answer.then(
      () => "answered",
      (error: unknown) => (error as { code: number }).code,
    );
  }

  /** Ready when importers are counted, which no answer waits for. */
  const settled = () =>
    until("the end of indexing", async () => {
      const { state, indexes } = await server.status();
      const isReady = indexes.every(({ history }) => history.state === "ready");
      const { hits } = await server.connection.sendRequest<{ hits: { importers?: number }[] }>(
        "cocosearch/search",
        { query: "pool" },
      );
      const isCounted = hits.every(({ importers }) => importers !== undefined);
      return state !== "indexing" && isReady && hits.length > 0 && isCounted;
    });

  /** `clear` comes last, and a command is sent by its own example. */
  const repeatable = requests.filter(
    ({ name }) => !["cocosearch/clear", "workspace/executeCommand"].includes(name),
  );

  it.each(repeatable)("answers the example of $name as documented", async (section) => {
    await settled();
    const answer = await send(section.name, await paramsOf(section));
    expect(shapeOf(answer)).toEqual(shapeOf(section.example));
  });

  it.each(commands)("answers the example of the command $name as documented", async (section) => {
    await settled();
    const answer = await send("workspace/executeCommand", await paramsOf(section));
    expect(shapeOf(answer)).toEqual(shapeOf(section.example));
  });

  const parameters = requests.flatMap((section) =>
    section.parameters.map((name) => ({ section, method: section.name, parameter: bare(name) })),
  );

  it.each(parameters)("refuses a wrong $parameter of $method", async ({ section, parameter }) => {
    const given = (await paramsOf(section)) as object;
    const wrong = send(section.name, { ...given, [parameter]: { wrong: true } });
    await expect(wrong).rejects.toThrow(new RegExp(`^${parameter}(?:\\.[\\w.]+)?: `));
    expect(await codeOf(wrong)).toBe(ErrorCodes.InvalidParams);
  });

  it.each(parameters)(
    "takes $parameter of $method between its bounds, and nothing beyond",
    async ({ section, method, parameter }) => {
      const row = section.rows.get(parameter) ?? "";
      const bounds = boundsIn(row);
      const given = (await paramsOf(section)) as object;
      const problemOf = async (value: unknown) =>
        await send(method, { ...given, [parameter]: value }).then(
          () => "answered",
          ({ message }: Error) => message,
        );
      const isList = row.includes("string[]");
      const wrong = await problemOf(isList ? [7] : -1);
      for (const [, all = ""] of wrong.matchAll(/one of (.+) is expected/g)) {
        for (const one of all.split(", ")) expect(row).toContain(`\`${one}\``);
      }
      const [, from, to] = /from (-?\d+) to (\d+) is expected/.exec(wrong) ?? [];
      if (isList || row.includes("as in `cocosearch/search`")) return;
      expect(bounds?.map(String)).toEqual(from === undefined ? undefined : [from, to]);
      if (bounds === undefined) return;
      const [low, high] = bounds;
      expect(await problemOf(low - 1)).toMatch(/ is expected$/);
      expect(await problemOf(high + 1)).toMatch(/ is expected$/);
      expect(await problemOf(low)).toBe("answered");
      expect(await problemOf(high)).toBe("answered");
    },
  );

  it.each(requests.filter(({ name, rows }) => name.startsWith("cocosearch/") && rows.size > 0))(
    "takes exactly the documented parameters of $name",
    async (section) => {
      const given = (await paramsOf(section)) as object;
      const refused = send(section.name, { ...given, unknown: 1 });
      await expect(refused).rejects.toThrow(/^parameters: there is no "unknown", only /);
      const { message } = (await refused.catch((error: unknown) => error)) as Error;
      const taken = message.replace(/^.* only /, "").split(", ");
      expect(taken.toSorted()).toEqual(section.parameters.map(bare).toSorted());
    },
  );

  it("refuses an unknown command, arguments that are not an array, and another folder", async () => {
    const command = "cocosearch.status";
    const refused = [
      send("workspace/executeCommand", { command: "cocosearch.nothing" }),
      send("workspace/executeCommand", { command, arguments: {} }),
      send("cocosearch/search", { query: "q", unknown: 1 }),
      send("cocosearch/reindex", { folder: "/no/such/folder" }),
      send("cocosearch/reindex", { folder: dirname(root) }),
    ];
    const codes = await Promise.all(refused.map(codeOf));
    expect(codes).toEqual(refused.map(() => ErrorCodes.InvalidParams));
  });

  it("sends cocosearch/statusChanged as documented", () => {
    const section = named("cocosearch/statusChanged");
    expect(notified.map(shapeOf)).toContainEqual(shapeOf(section?.example));
    const allowed = section?.parameters.map(bare);
    for (const params of notified) {
      expect(allowed).toEqual(expect.arrayContaining(Object.keys(params as object)));
    }
  });

  it("clears an index as documented, and leaves its folder paused", async () => {
    const section = named("cocosearch/clear");
    const answer = section && (await send(section.name, await paramsOf(section)));
    expect(answer).toEqual(section?.example);
    await until("the pause", async () => (await server.status()).state === "paused");
  });

  it("has the codes of errors that the protocol names", () => {
    const text = readFileSync(join(SERVER, "docs/protocol.md"), "utf8");
    const { InvalidParams, InvalidRequest, ServerNotInitialized } = ErrorCodes;
    const codes = { InvalidParams, InvalidRequest, ServerNotInitialized, ...LSPErrorCodes };
    const documented = [...text.matchAll(/`(\w+)`[^`(]{0,3}\((-32\d+)\)/g)];
    expect(documented).toHaveLength(5);
    for (const [, name = "", code] of documented) {
      expect(codes[name as keyof typeof codes]).toBe(Number(code));
    }
  });
});
