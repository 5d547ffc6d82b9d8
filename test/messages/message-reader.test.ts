/** Messages in a stream of bytes, however it is cut, and what is between them. */

import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { BrokenMessage, refusalOf, StreamReader } from "../../server/messages/message-reader.ts";
import { type Random, random } from "../support/random.ts";

const MESSAGE = { jsonrpc: "2.0", id: 1, method: "shutdown" };

function framed(body: string, more = ""): string {
  return `${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** What comes out of a stream: messages as they are, what is broken as a response. */
function read(pieces: readonly Buffer[]): unknown[] {
  const stream = new PassThrough();
  const reader = new StreamReader(stream, 1_000);
  const out: unknown[] = [];
  reader.onError((error) => out.push(error instanceof BrokenMessage ? refusalOf(error) : error));
  reader.listen((message) => out.push(message));
  // What a stream of the system does: one call for each piece that came.
  for (const piece of pieces) stream.emit("data", piece);
  return out;
}

function piecesOf(bytes: Buffer, chance: Random): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + chance.int(40);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

const broken = (message: string, code = -32_700, id: string | number | null = null) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});
const inPieces = (...parts: readonly string[]) => read(parts.map((part) => Buffer.from(part)));
const texts = (...parts: readonly string[]) => inPieces(parts.join(""));

describe("messages made by chance", () => {
  it.each(Array.from({ length: 30 }, (_, seed) => seed))("seed %i", (seed) => {
    const chance = random(seed);
    const expected: unknown[] = [];
    const parts: string[] = [];
    for (let i = 0; i < 12; i++) {
      const message = {
        jsonrpc: "2.0",
        method: `m${i}`,
        params: "ä\r\n\r\n".repeat(chance.int(9)),
      };
      const header = chance.pick(["", "Content-Type: x\r\n", "content-length: 7\r\n"]);
      parts.push(framed(JSON.stringify(message), header));
      expected.push(message);
      const noise = chance.int(4);
      if (noise === 0) {
        parts.push("noise without a header\r\n\r\n");
        expected.push(broken("a header without Content-Length"));
      } else if (noise === 1) {
        parts.push(framed("not JSON"));
        // The wrong body is looked through for the next header, whose message is not lost.
        expected.push(broken("a message that is not JSON"));
      }
    }
    const bytes = Buffer.from(parts.join(""));
    expect(read([bytes])).toEqual(expected);
    expect(read(piecesOf(bytes, chance))).toEqual(expected);
  });
});

describe("what is no message", () => {
  const next = framed(JSON.stringify(MESSAGE));
  it("is told once, until the next header", () =>
    expect(texts("a\r\n\r\nb\r\n\r\nc\r\n\r\n", next)).toEqual([
      broken("a header without Content-Length"),
      MESSAGE,
    ]));
  it("is told again after a message", () => {
    const said = broken("a header without Content-Length");
    expect(texts("a\r\n\r\n", next, "b\r\n\r\n", next)).toEqual([said, MESSAGE, said, MESSAGE]);
  });
  it("is bytes in front of a header", () =>
    expect(texts("noise\r\n", next)).toEqual([broken("bytes before a header"), MESSAGE]));
  it("is more than a header without its end", () => {
    expect(texts("x".repeat(8_192))).toEqual([]);
    expect(texts("x".repeat(8_193))).toEqual([broken("bytes without a header")]);
    const [long, said] = ["x".repeat(20_000), broken("bytes without a header")];
    expect(inPieces(long, "x", "\r\n", next)).toEqual([said, MESSAGE]);
    expect(texts(long, "\r\n", next)).toEqual([broken("bytes before a header"), MESSAGE]);
  });
  it("is a length beyond every file", () => {
    const header = (bytes: number) => `Content-Length: ${bytes}\r\n\r\n`;
    expect(texts(header(1_001), next)).toEqual([broken("a message of 1001 bytes"), MESSAGE]);
    expect(texts(header(1_000), next)).toEqual([]);
  });
  it("is a length that is no number", () =>
    expect(texts("Content-Length: 1x\r\n\r\n", next)).toEqual([
      broken("a header without Content-Length"),
      MESSAGE,
    ]));
  it("is a body that is cut off before the next header", () => {
    const cut = framed(JSON.stringify({ ...MESSAGE, id: 2 })).slice(0, -5);
    expect(texts(cut, next, next)).toContainEqual(MESSAGE);
  });
});

describe("what JSON is refused", () => {
  const INVALID = -32_600;
  const ID = "id: expected an integer or a string";
  const refused: readonly { value: unknown; why: string; id?: string | number }[] = [
    { value: [], why: "a message is one object" },
    { value: null, why: "a message is one object" },
    { value: 1, why: "a message is one object" },
    { value: { jsonrpc: "1.0", id: 3, method: "a" }, why: 'jsonrpc: expected "2.0"', id: 3 },
    { value: { id: "x" }, why: "method: expected a string", id: "x" },
    { value: { id: 1, method: 2 }, why: "method: expected a string", id: 1 },
    { value: { id: 1.5, method: "a" }, why: ID },
    { value: { id: null, method: "a" }, why: ID },
    { value: { id: {}, result: 1 }, why: ID },
    { value: { result: 1 }, why: ID },
  ];
  it.each(refused)("$value", ({ value, why, id = null }) => {
    expect(texts(framed(JSON.stringify(value)))).toEqual([broken(why, INVALID, id)]);
  });
  it.each([
    { id: 1, result: null },
    { id: null, error: { code: 1, message: "" } },
    { method: "a" },
    { id: "a", method: "b", result: 1 },
    { jsonrpc: "2.0", id: 0, method: "a" },
  ])("not %j", (value) => {
    expect(texts(framed(JSON.stringify(value)))).toEqual([value]);
  });
});

it("goes on after a message at which its reader throws", () => {
  const stream = new PassThrough();
  const reader = new StreamReader(stream);
  const errors: unknown[] = [];
  const failure = new Error("no such request");
  let calls = 0;
  reader.onError((error) => errors.push(error));
  const listening = reader.listen(() => {
    if (++calls === 1) throw failure;
  });
  const bytes = Buffer.from(framed(JSON.stringify(MESSAGE)));
  stream.emit("data", Buffer.concat([bytes, bytes]));
  expect([calls, errors]).toEqual([2, [failure]]);
  listening.dispose();
  stream.emit("data", bytes);
  expect(calls).toBe(2);
});
