/** Repeats of messages: states repeat after a while, settings never. */

import { PassThrough } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";
import {
  createConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { silent } from "../../server/common/log.ts";
import { Notices } from "../../server/lsp/notices.ts";

const MINUTE_MS = 60_000;

afterEach(() => vi.useRealTimers());

function started() {
  vi.useFakeTimers({ toFake: ["performance"] });
  const output = new PassThrough();
  const connection = createConnection(
    new StreamMessageReader(new PassThrough()),
    new StreamMessageWriter(output),
  );
  let written = "";
  output.on("data", (piece: Buffer) => (written += piece.toString()));
  const timesShown = async (text: string) => {
    await new Promise((done) => setImmediate(done));
    return written.split(`cocosearch: ${text}`).length - 1;
  };
  return { notices: new Notices(connection, silent), timesShown };
}

it("now() repeats a state message after a while", async () => {
  const { notices, timesShown } = started();
  notices.now("warning", "the model is down");
  notices.now("warning", "the model is down");
  expect(await timesShown("the model is down")).toBe(1);
  vi.advanceTimersByTime(9 * MINUTE_MS);
  notices.now("warning", "the model is down");
  expect(await timesShown("the model is down")).toBe(1);
  vi.advanceTimersByTime(2 * MINUTE_MS);
  notices.now("warning", "the model is down");
  expect(await timesShown("the model is down")).toBe(2);
});

it("once() shows each settings message once", async () => {
  const { notices, timesShown } = started();
  notices.once("warning", "unknown setting a");
  vi.advanceTimersByTime(60 * MINUTE_MS);
  notices.once("warning", "unknown setting a");
  notices.once("warning", "unknown setting b");
  expect(await timesShown("unknown setting a")).toBe(1);
  expect(await timesShown("unknown setting b")).toBe(1);
});
