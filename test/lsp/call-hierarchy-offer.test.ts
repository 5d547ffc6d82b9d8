/** graph.standardRequests: when the server registers the call hierarchy. */

import { expect, it } from "vitest";
import { connectClient, fakeSession } from "./test-client.ts";

const CAPABILITIES = { textDocument: { callHierarchy: { dynamicRegistration: true } } };
const LUA = { "graph.standardRequests": ["lua"] };

it("the server registers nothing by default, and refuses the requests", async () => {
  const client = connectClient(fakeSession());
  await client.start({ capabilities: CAPABILITIES });
  await client.request("cocosearch/status");
  expect(client.told.map(({ method }) => method)).not.toContain("client/registerCapability");
  const answer = client.request("textDocument/prepareCallHierarchy", {
    textDocument: { uri: "file:///tmp/a.lua" },
    position: { line: 0, character: 0 },
  });
  await expect(answer).rejects.toThrow("textDocument/prepareCallHierarchy is not served");
});

it("the server registers the call hierarchy for the named languages", async () => {
  const client = connectClient(fakeSession());
  await client.start({ capabilities: CAPABILITIES, initializationOptions: LUA });
  expect(await client.next("client/registerCapability")).toEqual({
    registrations: [
      {
        id: "cocosearch-callHierarchy",
        method: "textDocument/prepareCallHierarchy",
        registerOptions: { documentSelector: [{ scheme: "file", language: "lua" }] },
      },
    ],
  });
});

it("the server logs that an editor without dynamic registration gets no call hierarchy", async () => {
  const client = connectClient(fakeSession());
  await client.start({
    capabilities: { textDocument: { callHierarchy: { dynamicRegistration: false } } },
    initializationOptions: LUA,
  });
  await client.request("cocosearch/status");
  expect(client.told.map(({ method }) => method)).not.toContain("client/registerCapability");
  const logged = client.told.filter(({ method }) => method === "window/logMessage");
  expect(JSON.stringify(logged)).toContain("the editor cannot register callHierarchy");
});

it("the server registers nothing before the client is initialized", async () => {
  const client = connectClient(fakeSession());
  await client.initialize({ capabilities: CAPABILITIES, initializationOptions: LUA });
  await client.request("workspace/symbol", { query: "x" });
  expect(client.told.map(({ method }) => method)).not.toContain("client/registerCapability");
  await client.notify("initialized", {});
  await client.next("client/registerCapability");
});
