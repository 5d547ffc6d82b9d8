/** One JSON request to a model service. A failure becomes a ProviderError, which repeats no secret. */

import { isObject } from "../common/is-object.ts";

/** The length at which a service's description of a failure is cut, in characters. */
const MAX_MESSAGE_LENGTH = 200;

/** An answer to a whole batch has some megabytes; more is not read. */
const MAX_ANSWER_BYTES = 64_000_000;

/** Of a failure only its beginning is shown. */
const MAX_FAILURE_BYTES = 64_000;

/** No service asks to be left alone for longer than that. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1000;

/** The domain that no host can have (RFC 2606): of the address that stands in for one that cannot be used. */
const NOWHERE = ".invalid";

/** A shorter parameter of an address is not a key, but a version or a region. */
const MIN_KEY_LENGTH = 12;

interface Failure {
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

export class ProviderError extends Error {
  override readonly name = "ProviderError";
  /** Absent when no answer came. */
  readonly status: number | undefined;
  /** How long the provider asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { status, retryAfterMs, cause }: Failure) {
    super(message, { cause });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Where a provider is. A name and password in its address travel in a header, and stay out of messages. */
export interface Address {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Never part of a message. */
  readonly secrets: readonly string[];
}

export function parseAddress(text: string, apiKey = ""): Address {
  const url = new URL(text);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  const login = `${decoded(username)}:${decoded(password)}`;
  const encoded = Buffer.from(login).toString("base64");
  const authorization =
    apiKey === "" ? (username === "" ? undefined : `Basic ${encoded}`) : `Bearer ${apiKey}`;
  // Some services take their key as a parameter of the address.
  const parameters = [...url.searchParams.values()].filter(
    (value) => value.length >= MIN_KEY_LENGTH,
  );
  return {
    url,
    headers: authorization === undefined ? {} : { authorization },
    secrets: [
      ...(password === "" ? [] : [encoded, password, decoded(password)]),
      ...(apiKey === "" ? [] : [apiKey]),
      ...parameters.flatMap((value) => [value, encodeURIComponent(value)]),
    ],
  };
}

/** As it is written, where a percent sign stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Posts a JSON body and resolves to the answer's JSON; undefined when the answer is not JSON. */
export async function postJson(
  address: Address,
  body: unknown,
  signal: AbortSignal,
  maxBytes: number = MAX_ANSWER_BYTES,
): Promise<unknown> {
  return parsed(await postText(address, JSON.stringify(body), signal, maxBytes));
}

/** Posts a body that is JSON already and resolves to the answer's text. Rejects where it is too long. */
export async function postText(
  address: Address,
  body: string,
  signal: AbortSignal,
  maxBytes: number = MAX_ANSWER_BYTES,
): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await send(address, { method: "POST", headers, body, signal });
  const text = await asked(() => beginningOf(response, maxBytes + 1));
  if (Buffer.byteLength(text) <= maxBytes) return text;
  throw new ProviderError(`the answer is longer than ${maxBytes / 1_000_000} MB`, {
    status: response.status,
  });
}

/**
 * Resolves to an answer that is not a failure. Redirects are not followed, not even within one host: a request
 * carries code and a key, and only the user decides where those go.
 */
async function send({ url, headers: own, secrets }: Address, init: RequestInit): Promise<Response> {
  if (url.hostname.endsWith(NOWHERE)) {
    throw new ProviderError("its address is no http or https URL", {});
  }
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  const response = await asked(() => fetch(url, { ...init, headers, redirect: "manual" }));
  if (response.ok) return response;
  const said =
    redirectIn(response, url) ??
    messageIn(parsed(await asked(() => beginningOf(response, MAX_FAILURE_BYTES))), secrets);
  const message = [`status ${response.status}`, ...(said === undefined ? [] : [said])].join(": ");
  throw new ProviderError(message, {
    status: response.status,
    retryAfterMs: waitOf(response),
  });
}

/** Names only the host: the rest of the location may hold a token. */
function redirectIn(response: Response, url: URL): string | undefined {
  if (response.status < 300 || response.status > 399) return undefined;
  void response.body?.cancel();
  const location = response.headers.get("location") ?? "";
  const host = URL.canParse(location, url.href) ? new URL(location, url).host : "another address";
  return `it redirects to ${host}, which is not followed`;
}

/** At most this many bytes of the body; the connection is closed instead of reading the rest. */
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

/** A connection that fails or is cut is an Error with a cause that names it; anything else is a bug. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof TypeError) || error.cause === undefined) throw error;
    throw new ProviderError(rootMessage(error), { cause: error });
  }
}

/** `fetch failed` says nothing; its cause does. */
function rootMessage(error: Error): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (cause instanceof Error) return rootMessage(cause);
  // Of a failure of TLS, in words; its message is a line of OpenSSL's own.
  return "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
}

function waitOf(response: Response): number | undefined {
  const header = response.headers.get("retry-after");
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS) : undefined;
}

/** What a service says of a failure; services differ in where. Secrets are taken out before the text is cut. */
export function messageIn(answer: unknown, secrets: readonly string[]): string | undefined {
  const { error, message, detail } = isObject(answer) ? answer : {};
  const said = [isObject(error) ? error["message"] : error, message, detail];
  const text = said.find((each) => typeof each === "string");
  if (typeof text !== "string") return undefined;
  return withoutSecrets(text, secrets).slice(0, MAX_MESSAGE_LENGTH);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
}

/** Undefined for anything but JSON, which no check takes for vectors. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
