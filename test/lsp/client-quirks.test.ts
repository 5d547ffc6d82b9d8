/** Quirks of clients, by name. */

import { expect, it } from "vitest";
import { type Client, clientOf, messageAbove } from "../../server/lsp/client-quirks.ts";

function called(name: string, initializationOptions?: unknown): Client {
  const clientInfo = { name };
  const rest = { processId: null, rootUri: null, capabilities: {} };
  return clientOf({ ...rest, clientInfo, initializationOptions });
}

function optionsFrom(name: string, initializationOptions: unknown): unknown {
  return called(name, initializationOptions).initializationOptions;
}

it.each(["Zed", "Zed Preview"])("clientOf reads only the cocosearch section of %s", (name) => {
  const borrowed = { hostInfo: "zed", preferences: {} };
  expect(optionsFrom(name, { ...borrowed, cocosearch: { indexName: "x" } })).toEqual({
    indexName: "x",
  });
  expect(optionsFrom(name, borrowed)).toBeUndefined();
  expect(optionsFrom(name, undefined)).toBeUndefined();
});

it("clientOf keeps all options of other clients, so that misspelled settings are reported", () => {
  expect(optionsFrom("Neovim", { serch: 1 })).toEqual({ serch: 1 });
});

it.each([
  ["helix", ["1. short", "2. longer"], "question "],
  ["helix", ["1. a"], "question"],
  ["helix", [`1. ${"long ".repeat(40)}`], "question".padEnd(80)],
  ["Neovim", ["1. short", "2. longer"], "question"],
])("messageAbove pads the message for %s", (name, choices, expected) => {
  expect(messageAbove(called(name), "question", choices)).toBe(expected);
});
