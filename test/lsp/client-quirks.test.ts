/** What is known of a client by its name. */

import { expect, it } from "vitest";
import { clientOf } from "../../server/lsp/client-quirks.ts";

function optionsFrom(name: string, initializationOptions: unknown): unknown {
  const clientInfo = { name };
  const rest = { processId: null, rootUri: null, capabilities: {} };
  return clientOf({ ...rest, clientInfo, initializationOptions }).initializationOptions;
}

it.each(["Zed", "Zed Preview"])("takes only its own section of what %s sends", (name) => {
  const borrowed = { hostInfo: "zed", preferences: {} };
  expect(optionsFrom(name, { ...borrowed, cocosearch: { indexName: "x" } })).toEqual({
    indexName: "x",
  });
  expect(optionsFrom(name, borrowed)).toBeUndefined();
  expect(optionsFrom(name, undefined)).toBeUndefined();
});

it("takes all that another client sends, so that a mistyped setting is named", () => {
  expect(optionsFrom("Neovim", { serch: 1 })).toEqual({ serch: 1 });
});
