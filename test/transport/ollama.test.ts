/** Requests through Ollama's npm package: their address and headers, and that the package prints nothing. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Address, type ProviderError, parseAddress } from "../../server/transport/http.ts";
import { chatWithOllama, embedWithOllama } from "../../server/transport/ollama.ts";

let respond: (response: ServerResponse, request: IncomingMessage) => void = () => undefined;
const asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  respond(response, request);
});
const urlOf = (rest = "") => `http://127.0.0.1:${(server.address() as AddressInfo).port}${rest}`;

beforeEach(() => {
  asked.length = 0;
  return new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

type Ask = (address: Address, signal?: AbortSignal) => Promise<unknown>;
const never = new AbortController().signal;
const embed: Ask = (address, signal = never) =>
  embedWithOllama(address, { model: "m", input: ["text"] }, signal);
const chat: Ask = (address, signal = never) =>
  chatWithOllama(address, { model: "m", messages: [], stream: false }, signal);

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: ProviderError) => error,
  );

describe.each<[string, Ask, string]>([
  ["embed", embed, "/api/embed"],
  ["chat", chat, "/api/chat"],
])("%s", (_, ask, path) => {
  it.each([
    ["", path],
    ["/", path],
    ["/behind/", `/behind${path}`],
    ["/behind?key=a-key-in-the-address", `/behind${path}?key=a-key-in-the-address`],
  ])("sends the request to …%s", async (rest, expected) => {
    respond = (response) => response.end('{"answer": 1}');
    expect(await ask(parseAddress(urlOf(rest)))).toEqual({ answer: 1 });
    expect(asked.map(({ url }) => url)).toEqual([expected]);
  });

  it("sends the login of the address and no header of the package", async () => {
    respond = (response) => response.end("{}");
    await ask(parseAddress(urlOf().replace("//", "//me:word@")));
    expect(asked[0]?.headers).toMatchObject({
      authorization: `Basic ${btoa("me:word")}`,
      "content-type": "application/json",
    });
    expect(asked[0]?.headers["user-agent"]).not.toContain("ollama");
  });

  it("does not send a key from the environment", async () => {
    vi.stubEnv("OLLAMA_API_KEY", "key-from-the-environment");
    const fetch = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response("{}"));
    await ask(parseAddress("https://ollama.com"));
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toEqual(new URL(`https://ollama.com${path}`));
    expect([...new Headers(init?.headers)]).toEqual([["content-type", "application/json"]]);
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ["no JSON", (response) => response.end("<html>")],
    ["a failure in words", (response) => response.writeHead(500).end("words")],
    [
      "a failure that is called JSON and is not",
      (response) => response.writeHead(400, { "content-type": "application/json" }).end("<html>"),
    ],
    ["a redirect", (response) => response.writeHead(307, { location: "/elsewhere" }).end()],
    ["a cut connection", (response) => response.destroy()],
  ])("prints nothing and sends one request after: %s", async (name, fault) => {
    respond = fault;
    const written = (["stdout", "stderr"] as const).map((stream) =>
      vi.spyOn(process[stream], "write").mockReturnValue(true),
    );
    const said = (["log", "warn", "error"] as const).map((level) => vi.spyOn(console, level));
    const error = await failure(ask(parseAddress(urlOf())));
    expect([...written, ...said].flatMap(({ mock }) => mock.calls)).toEqual([]);
    expect(error?.name).toBe(name === "no JSON" ? undefined : "ProviderError");
    expect(asked).toHaveLength(1);
  });

  it("stops reading an endless answer", async () => {
    const closed = new Promise<void>((resolve) => {
      respond = (response) => {
        const piece = "[".repeat(1_000_000);
        const more = () => {
          while (response.write(piece));
        };
        response.on("drain", more).on("close", resolve);
        more();
      };
    });
    const error = await failure(ask(parseAddress(urlOf())));
    expect(error?.message).toBe("the answer is longer than 64 MB");
    await closed;
  });

  it("aborts the request when it is cancelled", async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      respond = (response) => {
        response.on("close", resolve);
        controller.abort();
      };
    });
    const error = await failure(ask(parseAddress(urlOf()), controller.signal));
    expect(error?.name).toBe("AbortError");
    await closed;
  });
});
