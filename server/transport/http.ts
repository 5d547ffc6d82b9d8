/** Sends one JSON request to a model service. A failure becomes a ProviderError, whose message contains no secret. */

import { isObject } from "../common/is-object.ts";
import { decodeEscapes } from "../common/text.ts";

/** A longer error message of a service is cut, in characters. */
const MAX_MESSAGE_LENGTH = 200;

/** The maximum size of an answer. The answer to a batch has some megabytes. */
const MAX_ANSWER_BYTES = 64_000_000;

/** The maximum size of an error response that is read. */
const MAX_FAILURE_BYTES = 64_000;

/** The upper limit for Retry-After. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/** A reserved top-level domain (RFC 2606). The settings replace an invalid address by a host in it. */
const INVALID_DOMAIN = ".invalid";

/** A shorter query parameter is a version or a region and not a key. */
const MIN_KEY_LENGTH = 12;

interface Failure {
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

export class ProviderError extends Error {
  override readonly name = "ProviderError";
  /** Undefined if the service did not answer. */
  readonly status: number | undefined;
  /** The delay that the provider requested with Retry-After. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { status, retryAfterMs, cause }: Failure) {
    super(message, { cause });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The address of a provider. A user name and password in the URL are moved to a header. */
export interface Address {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Values that are masked in messages. */
  readonly secrets: readonly string[];
}

export function parseAddress(text: string, apiKey = ""): Address {
  const url = new URL(text);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  const login = `${decodeEscapes(username)}:${decodeEscapes(password)}`;
  const encoded = Buffer.from(login).toString("base64");
  const authorization =
    apiKey === "" ? (username === "" ? undefined : `Basic ${encoded}`) : `Bearer ${apiKey}`;
  // Some services take their key as a query parameter.
  const parameters = [...url.searchParams.values()].filter(
    (value) => value.length >= MIN_KEY_LENGTH,
  );
  return {
    url,
    headers: authorization === undefined ? {} : { authorization },
    secrets: [
      ...(password === "" ? [] : [encoded, password, decodeEscapes(password)]),
      ...(apiKey === "" ? [] : [apiKey]),
      ...parameters.flatMap((value) => [value, encodeURIComponent(value)]),
    ],
  };
}

/** Posts a JSON body and resolves to the parsed answer, or undefined if the answer is not JSON. */
export async function postJson(
  address: Address,
  body: unknown,
  signal: AbortSignal,
  maxBytes: number = MAX_ANSWER_BYTES,
): Promise<unknown> {
  return parsed(await postText(address, JSON.stringify(body), signal, maxBytes));
}

/** Posts a serialized JSON body and resolves to the text of the answer. Rejects if the answer exceeds `maxBytes`. */
export async function postText(
  address: Address,
  body: string,
  signal: AbortSignal,
  maxBytes: number = MAX_ANSWER_BYTES,
): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await send(address, { method: "POST", headers, body, signal });
  const text = await wrapFetchErrors(() => beginningOf(response, maxBytes + 1));
  if (Buffer.byteLength(text) <= maxBytes) return text;
  throw new ProviderError(`the answer is longer than ${maxBytes / 1_000_000} MB`, {
    status: response.status,
  });
}

/**
 * Resolves to a successful response, and rejects with a ProviderError otherwise. Redirects are not followed, not even on
 * the same host: a request contains code and a key, and only the user decides where they are sent.
 */
async function send({ url, headers: own, secrets }: Address, init: RequestInit): Promise<Response> {
  if (url.hostname.endsWith(INVALID_DOMAIN)) {
    throw new ProviderError("the address is not an http or https URL", {});
  }
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  const response = await wrapFetchErrors(() =>
    fetch(url, { ...init, headers, redirect: "manual" }),
  );
  if (response.ok) return response;
  const detail =
    redirectIn(response, url) ??
    messageIn(
      parsed(await wrapFetchErrors(() => beginningOf(response, MAX_FAILURE_BYTES))),
      secrets,
    );
  const message = [`status ${response.status}`, ...(detail === undefined ? [] : [detail])].join(
    ": ",
  );
  throw new ProviderError(message, {
    status: response.status,
    retryAfterMs: retryAfterOf(response),
  });
}

/** The message for a redirect. It names only the host, because the rest of the location may contain a token. */
function redirectIn(response: Response, url: URL): string | undefined {
  if (response.status < 300 || response.status > 399) return undefined;
  void response.body?.cancel();
  const location = response.headers.get("location") ?? "";
  const host = URL.canParse(location, url.href) ? new URL(location, url).host : "another address";
  return `it redirects to ${host}, which is not followed`;
}

/** Reads at most this many bytes of the body and cancels the rest. */
async function beginningOf(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    parts.push(part.subarray(0, maxBytes - bytes));
    bytes += part.length;
    // Leaving the loop cancels the body.
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Converts the TypeError of `fetch` for a failed connection into a ProviderError. Other errors are bugs. */
async function wrapFetchErrors<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof TypeError) || error.cause === undefined) throw error;
    throw new ProviderError(rootMessage(error), { cause: error });
  }
}

/** The message of the innermost cause, because `fetch failed` alone does not help. */
function rootMessage(error: Error): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (cause instanceof Error) return rootMessage(cause);
  // A TLS error has a readable reason; its message is in OpenSSL's format.
  return "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
}

function retryAfterOf(response: Response): number | undefined {
  const header = response.headers.get("retry-after");
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS) : undefined;
}

/** The error message in an answer; services use different fields. Secrets are masked before the text is cut. */
export function messageIn(answer: unknown, secrets: readonly string[]): string | undefined {
  const { error, message, detail } = isObject(answer) ? answer : {};
  const candidates = [isObject(error) ? error["message"] : error, message, detail];
  const text = candidates.find((each) => typeof each === "string");
  if (typeof text !== "string") return undefined;
  return withoutSecrets(text, secrets).slice(0, MAX_MESSAGE_LENGTH);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
}

/** The parsed JSON, or undefined if the text is not JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
