/** Protocol messages as they reach the other side. */

import { PassThrough, Writable } from "node:stream";
import { expect, it } from "vitest";
import { StreamWriter } from "../../server/messages/message-writer.ts";

it("writes each message at once, in order", async () => {
  const writes: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString());
      setImmediate(done);
    },
  });
  const writer = new StreamWriter(stream);
  await Promise.all([
    writer.write({ jsonrpc: "2.0", method: "first", params: ["\u00e4"] } as never),
    writer.write({ jsonrpc: "2.0", method: "second" } as never),
  ]);
  const [first, second] = [
    '{"jsonrpc":"2.0","method":"first","params":["\u00e4"]}',
    '{"jsonrpc":"2.0","method":"second"}',
  ];
  expect(writes).toEqual([
    `Content-Length: ${Buffer.byteLength(first ?? "")}\r\n\r\n${first}`,
    `Content-Length: ${Buffer.byteLength(second ?? "")}\r\n\r\n${second}`,
  ]);
});

it("says where nothing can be written", async () => {
  const stream = new PassThrough();
  const writer = new StreamWriter(stream);
  const errors: unknown[] = [];
  writer.onError(([error]) => errors.push(error.message));
  stream.destroy(new Error("gone"));
  await expect(writer.write({ jsonrpc: "2.0" })).rejects.toThrow(/destroyed/);
  expect(errors).toContain("gone");
});
