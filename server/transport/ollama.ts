/** Sends requests to Ollama through its npm package, with the HTTP transport of this folder. */

import { type ChatRequest, type EmbedRequest, Ollama } from "ollama/browser";
import { type Address, postText } from "./http.ts";

export async function embedWithOllama(
  address: Address,
  request: EmbedRequest,
  signal: AbortSignal,
): Promise<unknown> {
  return await answerOf(() => clientFor(address, signal).embed(request));
}

export async function chatWithOllama(
  address: Address,
  request: ChatRequest & { readonly stream: false },
  signal: AbortSignal,
): Promise<unknown> {
  return await answerOf(() => clientFor(address, signal).chat(request));
}

/**
 * Creates a client for one request, because the package does not take a signal. Only the path and body of its request are
 * used: the package would add headers, with a key from the environment, and drop query parameters. Failures bypass the
 * package, because it prints them to standard output.
 */
function clientFor(address: Address, signal: AbortSignal): Ollama {
  return new Ollama({
    host: `${address.url.origin}${address.url.pathname.replace(/\/+$/, "")}`,
    fetch: async (target, init) => {
      const url = new URL(address.url);
      url.pathname = new URL(target instanceof Request ? target.url : target).pathname;
      const body = typeof init?.body === "string" ? init.body : "";
      return new Response(await postText({ ...address, url }, body, signal));
    },
  });
}

/** Resolves to undefined if the answer is not JSON. */
async function answerOf(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
