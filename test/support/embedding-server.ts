/**
 * A local server that speaks the embedding protocols, with their errors and failures on demand. The shapes follow
 * https://docs.ollama.com/api/embed, https://developers.openai.com/api/reference/resources/embeddings,
 * https://api.jina.ai/redoc, https://docs.voyageai.com/reference/embeddings-api and https://docs.cohere.com/reference/embed.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** How the next answers go wrong; "none" answers properly, "silence" never, "too long" where a text is. */
export type Fault =
  | "none"
  | "model not found"
  | "unauthorized"
  | "rate limit"
  | "rest of a minute"
  | "server error"
  | "cut connection"
  | "silence"
  | "too long"
  | "wrong count"
  | "wrong dimension"
  | "not a number"
  | "too large a number"
  | "NaN"
  | "all zero"
  | "no JSON"
  | "no entries"
  | "error in an answer"
  | "long echo"
  | "redirect";

export interface EmbeddingServer {
  readonly url: string;
  /** Every text that was sent to be embedded. */
  readonly texts: string[];
  /** The Authorization headers of the requests, in order. */
  readonly keys: (string | undefined)[];
  /** The bodies of the requests, in order. */
  readonly bodies: Readonly<Record<string, unknown>>[];
  /** Where the fault "redirect" leads. */
  redirectTo: string;
  /** How many requests were under way when each one came. */
  readonly concurrent: number[];
  /** How long each answer takes. */
  delayMs: number;
  requests: number;
  /** Answers requests with such a text only once the function is called. */
  hold(text: RegExp): () => void;
  /** The fault of the next `times` requests. */
  fail(fault: Fault, times?: number): void;
  close(): Promise<void>;
}

const DIMENSION = 8;
/** The limit of a text with the fault "too long". */
const MAX_TEXT_LENGTH = 300;

export async function embeddingServer(): Promise<EmbeddingServer> {
  let fault: Fault = "none";
  let left = 0;
  let active = 0;
  let held: { readonly text: RegExp; readonly released: Promise<void> } | undefined;
  const server = createServer((request, response) => {
    void respond(request, response);
  });
  const own: EmbeddingServer = {
    url: "",
    texts: [],
    keys: [],
    bodies: [],
    redirectTo: "",
    concurrent: [],
    delayMs: 0,
    requests: 0,
    hold: (text) => {
      let release = () => {};
      held = { text, released: new Promise((resolve) => (release = resolve)) };
      return release;
    },
    fail: (what, times = Number.POSITIVE_INFINITY) => {
      fault = what;
      left = times;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    own.requests++;
    own.concurrent.push(++active);
    response.on("close", () => active--);
    own.keys.push(request.headers.authorization);
    const body = JSON.parse(await textOf(request)) as Record<string, unknown>;
    own.bodies.push(body);
    const texts = [(body["input"] ?? body["texts"] ?? []) as string | string[]].flat();
    own.texts.push(...texts);
    let now = left-- > 0 ? fault : "none";
    if (now === "too long" && texts.every((text) => text.length <= MAX_TEXT_LENGTH)) now = "none";
    if (own.delayMs > 0) await delay(own.delayMs);
    if (held !== undefined && texts.some((text) => held?.text.test(text))) await held.released;
    if (now === "silence") return;
    if (now === "cut connection") request.socket.destroy();
    else if (now === "no JSON") response.end("<html>");
    else if (now === "NaN") response.end('{"embeddings": [[NaN]], "data": [{"embedding": [NaN]}]}');
    else if (now === "no entries") {
      send(response, 200, { data: [null, null], embeddings: [null, null] });
    } else if (now === "error in an answer") {
      send(response, 200, {
        error: { message: `No endpoint for ${request.headers.authorization}` },
      });
    } else if (now === "long echo") {
      // The key is where the text is cut.
      send(response, 401, { message: `${"x".repeat(185)} ${request.headers.authorization}` });
    } else if (now === "redirect") response.writeHead(307, { location: own.redirectTo }).end();
    else if (request.url === "/api/embed") answerAsOllama(response, texts, now);
    else if (request.url === "/v1/embeddings") answerAsOpenAi(request, response, texts, now);
    else if (request.url === "/v2/embed") answerAsCohere(response, texts, now);
    else send(response, 404, { error: "no such path" });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(own, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

const STATUS: Partial<Record<Fault, number>> = {
  "model not found": 404,
  unauthorized: 401,
  "rate limit": 429,
  "rest of a minute": 429,
  "server error": 500,
  "too long": 400,
};

function answerAsOllama(response: ServerResponse, texts: readonly string[], fault: Fault): void {
  const said: Partial<Record<Fault, string>> = {
    "model not found": 'model "nomic-embed-text" not found, try pulling it first',
    unauthorized: "unauthorized",
    "rate limit": "too many requests",
    "rest of a minute": "too many requests",
    "server error": "llama runner terminated",
    "too long": "the input length exceeds the context length",
  };
  const status = STATUS[fault];
  if (fault === "rest of a minute") response.setHeader("retry-after", "60");
  if (status !== undefined) send(response, status, { error: said[fault] });
  else {
    const embeddings = vectorsOf(texts, fault);
    send(response, 200, {
      model: "nomic-embed-text",
      embeddings,
      prompt_eval_count: tokensOf(texts),
    });
  }
}

function answerAsCohere(response: ServerResponse, texts: readonly string[], fault: Fault): void {
  const status = STATUS[fault];
  if (fault === "rest of a minute") response.setHeader("retry-after", "60");
  if (status !== undefined) {
    send(response, status, { id: "x", message: fault });
    return;
  }
  const billed = { input_tokens: tokensOf(texts) };
  send(response, 200, {
    id: "x",
    embeddings: { float: vectorsOf(texts, fault) },
    texts,
    meta: { api_version: { version: "2" }, billed_units: billed },
    response_type: "embeddings_by_type",
  });
}

/** Seven for each text: a number that no estimate gives. */
function tokensOf(texts: readonly string[]): number {
  return texts.length * 7;
}

function answerAsOpenAi(
  request: IncomingMessage,
  response: ServerResponse,
  texts: readonly string[],
  fault: Fault,
): void {
  const said: Partial<Record<Fault, [message: string, type: string, code: string | null]>> = {
    "model not found": ["The model `x` does not exist", "invalid_request_error", "model_not_found"],
    unauthorized: [
      `Incorrect API key provided: ${request.headers.authorization}`,
      "invalid_request_error",
      "invalid_api_key",
    ],
    "rate limit": ["Rate limit reached", "requests", "rate_limit_exceeded"],
    "rest of a minute": ["Rate limit reached", "requests", "rate_limit_exceeded"],
    "server error": ["The server had an error", "server_error", null],
    "too long": ["maximum context length is 100 tokens", "invalid_request_error", null],
  };
  const status = STATUS[fault];
  const [message, type, code] = said[fault] ?? [];
  if (fault === "rate limit") response.setHeader("retry-after", "0");
  if (fault === "rest of a minute") {
    response.setHeader("retry-after", new Date(Date.now() + 60_000).toUTCString());
  }
  if (status !== undefined) {
    send(response, status, { error: { message, type, param: null, code } });
    return;
  }
  const data = vectorsOf(texts, fault).map((embedding, index) => ({
    object: "embedding",
    index,
    embedding,
  }));
  // The order is not promised; `index` is.
  const usage = { prompt_tokens: tokensOf(texts), total_tokens: tokensOf(texts) };
  send(response, 200, { object: "list", data: data.toReversed(), model: "x", usage });
}

function vectorsOf(texts: readonly string[], fault: Fault): unknown[][] {
  const vectors: unknown[][] = texts.map((text) => vectorOf(text));
  if (fault === "wrong count") return vectors.slice(1);
  if (fault === "wrong dimension") return vectors.map((vector) => vector.slice(1));
  if (fault === "not a number") return vectors.map((vector) => [null, ...vector.slice(1)]);
  if (fault === "too large a number") return vectors.map((vector) => [1e300, ...vector.slice(1)]);
  if (fault === "all zero") return vectors.map((vector) => vector.map(() => 0));
  return vectors;
}

/** Texts that share letters are close, which is enough to distinguish a right answer from a wrong one. */
export function vectorOf(text: string): number[] {
  const vector = Array.from({ length: DIMENSION }, () => 0.01);
  for (const letter of text) {
    const slot = (letter.codePointAt(0) ?? 0) % DIMENSION;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  return vector;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
