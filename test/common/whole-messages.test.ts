/** A message leaves in one write, and errors of the stream reach the writer. */

import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { WholeMessages } from "../../server/common/whole-messages.ts";

/** A real stream that notes the bytes of each call of the system. */
class Noting extends Writable {
  readonly written: string[] = [];

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.written.push(chunk.toString());
    done();
  }

  override _writev(chunks: { readonly chunk: Buffer }[], done: () => void): void {
    this.written.push(Buffer.concat(chunks.map(({ chunk }) => chunk)).toString());
    done();
  }
}

describe("whole messages", () => {
  it("are written at once, header and content", async () => {
    const stream = new Noting();
    const messages = new WholeMessages(stream);
    for (const content of ["{}", "[]"]) {
      await messages.write(`Content-Length: 2\r\n\r\n`);
      await messages.write(Buffer.from(content));
    }
    expect(stream.written).toEqual(["Content-Length: 2\r\n\r\n{}", "Content-Length: 2\r\n\r\n[]"]);
  });

  it("reject when the stream cannot be written", async () => {
    const stream = new Noting();
    const messages = new WholeMessages(stream);
    const errors: unknown[] = [];
    messages.onError((error) => errors.push(error));
    stream.destroy(new Error("gone"));
    await messages.write("Content-Length: 2\r\n\r\n");
    await expect(messages.write(Buffer.from("{}"))).rejects.toThrow("destroyed");
    expect(errors).toHaveLength(1);
  });

  it("call a listener until it is disposed of", async () => {
    const stream = new Noting();
    const messages = new WholeMessages(stream);
    let closed = 0;
    const kept = messages.onClose(() => closed++);
    messages.onClose(() => closed++).dispose();
    stream.destroy();
    await new Promise((done) => stream.once("close", done));
    expect(closed).toBe(1);
    kept.dispose();
  });
});
