/** The call hierarchy: the name at each position of a buffer with its receiver, and the answers, in each encoding. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { CallEnd, NamePlace } from "../../server/contracts/navigation.ts";
import type { Session } from "../../server/contracts/session.ts";
import { workspace } from "../support/workspace.ts";
import { connectClient, fakeSession } from "./test-client.ts";

const LINES = [
  "pool.open(url).then",
  "x?.y ?. z",
  "A::B::c a->b",
  "m:n(1) m:n o::p:q(",
  "größe.x = \u{1f600}.y + 用户.名",
  "@note f? g! $v.w _u #t",
  "",
  "1.2 a1.b2",
];
const LATE = { dynamicRegistration: true };

async function started(
  root: string,
  encoding: string,
  session: Partial<Session>,
  file = "a.lua",
  text = LINES.join("\r\n"),
) {
  const fake = fakeSession(session);
  const client = connectClient(fake);
  await client.start({
    rootUri: pathToFileURL(root).href,
    capabilities: {
      general: { positionEncodings: [encoding] },
      textDocument: { callHierarchy: LATE },
    },
    initializationOptions: { "graph.standardRequests": ["lua"] },
  });
  await client.next("client/registerCapability");
  const uri = pathToFileURL(join(root, file)).href;
  await client.notify("textDocument/didOpen", {
    textDocument: { uri, languageId: "lua", version: 1, text },
  });
  return { client, fake, uri };
}

it("prepareCallHierarchy asks for the name at the position, with its receiver", async () => {
  const root = workspace("//- a.lua\n");
  const shown: string[] = [];
  for (const encoding of ["utf-8", "utf-16", "utf-32"]) {
    const asked: string[] = [];
    const { client, uri } = await started(root, encoding, {
      callEnds: async ({ line, column, chain }) => {
        asked.push(`${line}:${column} ${chain}`);
        return [];
      },
    });
    for (const [line, text] of [...LINES, ""].entries()) {
      let last = "";
      for (let character = 0; character <= Buffer.byteLength(text) + 1; character++) {
        asked.length = 0;
        const position = { line, character };
        await client.request("textDocument/prepareCallHierarchy", {
          textDocument: { uri },
          position,
        });
        const answer = asked.join(", ");
        // Only where the name changes; before the first name, nothing is asked.
        if (answer !== last) shown.push(`${encoding} ${line}:${character} ${answer}`.trimEnd());
        last = answer;
      }
    }
  }
  await expect(`${shown.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "golden/names-at.txt"),
  );
});

it.each([
  ["a.ts", "pool?.open", "pool"],
  ["a.ts", "pool!.open", "pool"],
  ["a.rb", "pool?.open", "pool?"],
  ["a.ex", "pool!.open", "pool!"],
  ["a.rs", "open!(pool)", "open!"],
])(
  "prepareCallHierarchy keeps the mark at the end of a name only in languages that allow it: %s %s",
  async (file, text, name) => {
    const asked: string[] = [];
    const callEnds: Session["callEnds"] = async ({ chain }) => {
      asked.push(chain);
      return [];
    };
    const root = workspace(`//- ${file}\n`);
    const { client, uri } = await started(root, "utf-16", { callEnds }, file, text);
    const position = { line: 0, character: 1 };
    await client.request("textDocument/prepareCallHierarchy", { textDocument: { uri }, position });
    expect(asked).toEqual([name]);
  },
);

const place = (root: string, more: Partial<NamePlace> = {}): NamePlace => ({
  root,
  path: "b.lua",
  line: 3,
  lead: "größe.\u{1f600}",
  name: "n\u00e4me",
  ...more,
});
const end = (root: string, kind: CallEnd["kind"], more: Partial<CallEnd> = {}): CallEnd => ({
  ...place(root),
  kind,
  qualifiedName: "A.name",
  endLine: 7,
  ...more,
});

it("the answers carry ranges in the encoding of the client", async () => {
  const root = workspace("//- a.lua\n");
  const shown: string[] = [];
  for (const encoding of ["utf-8", "utf-16", "utf-32"]) {
    const { client, fake, uri } = await started(root, encoding, {
      callEnds: async ({ chain }) =>
        chain === "z"
          ? []
          : [
              end(root, "class"),
              end(root, "interface"),
              end(root, "function", { endLine: 1 }),
              end(root, "method"),
              end(root, "file", { name: "", endLine: 0, line: 0, lead: "" }),
            ],
      callsOfOne: async () => [{ other: end(root, "method"), places: [place(root)] }],
    });
    const textDocument = { uri };
    const at = (line: number, character = 0) => ({
      textDocument,
      position: { line, character },
    });
    const data = { root, path: "b.lua", line: 3, name: "n" };
    const questions: readonly (readonly [string, unknown])[] = [
      ["textDocument/prepareCallHierarchy", at(0)],
      ["textDocument/prepareCallHierarchy", at(6)],
      ["textDocument/prepareCallHierarchy", { textDocument }],
      ["textDocument/prepareCallHierarchy", { textDocument, position: { line: 1 } }],
      [
        "textDocument/prepareCallHierarchy",
        { textDocument: { uri: "untitled:1" }, position: at(0).position },
      ],
      [
        "textDocument/prepareCallHierarchy",
        { textDocument: { uri: `${uri}x` }, position: at(0).position },
      ],
      ["textDocument/prepareCallHierarchy", at(1)],
      ["callHierarchy/incomingCalls", { item: { data } }],
      ["callHierarchy/outgoingCalls", { item: { data } }],
      ["callHierarchy/outgoingCalls", { item: { data: { ...data, line: "3" } } }],
      ["callHierarchy/outgoingCalls", { item: { data: { ...data, root: 3 } } }],
      ["callHierarchy/outgoingCalls", { item: { data: { ...data, path: undefined } } }],
      ["callHierarchy/outgoingCalls", { item: { data: { ...data, name: null } } }],
      ["callHierarchy/incomingCalls", {}],
    ];
    for (const [method, params] of questions) {
      const before = fake.calls.length;
      const answer = await client.request(method, params).catch((error: Error) => error.message);
      // `buffer` is sent at some moment after the buffer was opened.
      const asked = fake.calls.slice(before).filter(([name]) => name !== "buffer");
      const calls = asked.map((call) => `\n  asks ${JSON.stringify(call)}`);
      const line = `${method} ${JSON.stringify(params)}${calls.join("")}\n  ${JSON.stringify(answer)}`;
      shown.push(`${encoding} ${line}`.replaceAll(root, "/code"));
    }
  }
  await expect(`${shown.join("\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "golden/answers-at.txt"),
  );
});
