/** graph.standardRequests: what is offered to clients that can take less. */

import { expect, it } from "vitest";
import { connectClient, fakeSession } from "./test-client.ts";

const LATE = { dynamicRegistration: true };
const WANTED = { "graph.standardRequests": ["lua"] };

it("offers nothing by default, and refuses the requests", async () => {
  const client = connectClient(fakeSession());
  await client.start({ capabilities: { textDocument: { definition: LATE } } });
  await client.request("cocosearch/status");
  expect(client.told.map(({ method }) => method)).not.toContain("client/registerCapability");
  const asked = client.request("textDocument/definition", {
    textDocument: { uri: "file:///tmp/a.lua" },
    position: { line: 0, character: 0 },
  });
  await expect(asked).rejects.toThrow("textDocument/definition is not served");
});

it("offers only what the editor can take late, and says what it cannot", async () => {
  const client = connectClient(fakeSession());
  await client.start({
    capabilities: {
      textDocument: { definition: LATE, references: { dynamicRegistration: false } },
    },
    initializationOptions: WANTED,
  });
  expect(await client.next("client/registerCapability")).toEqual({
    registrations: [
      {
        id: "cocosearch-definition",
        method: "textDocument/definition",
        registerOptions: { documentSelector: [{ scheme: "file", language: "lua" }] },
      },
    ],
  });
  const logged = client.told.filter(({ method }) => method === "window/logMessage");
  expect(JSON.stringify(logged)).toContain("references callHierarchy documentLink");
});

it("asks for nothing before the client is initialized", async () => {
  const client = connectClient(fakeSession());
  const capabilities = { textDocument: { definition: LATE } };
  await client.initialize({ capabilities, initializationOptions: WANTED });
  await client.request("workspace/symbol", { query: "x" });
  expect(client.told.map(({ method }) => method)).not.toContain("client/registerCapability");
  await client.notify("initialized", {});
  await client.next("client/registerCapability");
});
