/** Requests to a hostile service: its answers are read within limits. */

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ProviderError, parseAddress, postJson } from "../../server/transport/http.ts";

let respond: (response: ServerResponse) => void = () => undefined;
const server = createServer((_, response) => respond(response));
const address = () => parseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

beforeEach(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const ask = (maxBytes?: number) => postJson(address(), {}, new AbortController().signal, maxBytes);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: ProviderError) => error,
  );

/** Writes until the client stops reading. Resolves to the number of bytes that the client took. */
function writeForEver(response: ServerResponse): Promise<number> {
  let bytes = 0;
  const piece = "[".repeat(100_000);
  const more = () => {
    while (response.write(piece)) bytes += piece.length;
  };
  response.on("drain", more);
  more();
  return new Promise((resolve) => response.on("close", () => resolve(bytes)));
}

it("postJson stops reading an endless answer", async () => {
  const taken = new Promise<number>((resolve) => {
    respond = (response) => resolve(writeForEver(response));
  });
  const error = await failure(ask(1_000_000));
  expect(error?.message).toBe("the answer is longer than 1 MB");
  // The buffers of the sockets add to the limit.
  expect(await taken).toBeLessThan(50_000_000);
});

it("postJson stops reading an endless error response", async () => {
  const taken = new Promise<number>((resolve) => {
    respond = (response) => {
      response.statusCode = 500;
      resolve(writeForEver(response));
    };
  });
  expect((await failure(ask()))?.message).toBe("status 500");
  expect(await taken).toBeLessThan(50_000_000);
});

it("postJson reads an answer of the maximum length", async () => {
  respond = (response) => response.end(JSON.stringify("x".repeat(98)));
  expect(await ask(100)).toBe("x".repeat(98));
});

it.each([
  ["999999999", 3_600_000],
  ["Fri, 01 Jan 2100 00:00:00 GMT", 3_600_000],
  ["60", 60_000],
  ["-1", 0],
])("Retry-After: %s is limited to an hour", async (header, expected) => {
  respond = (response) => response.writeHead(429, { "retry-after": header }).end();
  const error = await failure(ask());
  expect(error?.retryAfterMs).toBe(expected);
});

it("The error names a service without TLS in words", async () => {
  const plain = address().url.host;
  const asked = postJson(parseAddress(`https://${plain}`), {}, new AbortController().signal);
  expect((await failure(asked))?.message).toBe("wrong version number");
});
