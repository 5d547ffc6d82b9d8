/** Asks an Ollama through its own package, which gets the transport of this folder instead of its own. */

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
 * For one request, because the package takes no signal. Of what it asks, only path and body are used: it would add
 * headers of its own, with a key from the environment, and drop the parameters of the address. It never sees a
 * failure, of which it would write to standard output.
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

/** Undefined when the answer is not JSON. */
async function answerOf(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
