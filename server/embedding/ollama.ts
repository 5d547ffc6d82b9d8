/** Embeds with a model in an Ollama. */

import { Ollama } from "ollama";
import type { Log } from "../common/log.ts";
import type { Embedder } from "../contracts/embedding.ts";
import { jsonOf, parseAddress, send } from "./http.ts";
import { createRemoteEmbedder, type Patiences } from "./remote.ts";

const DEFAULT_MODEL = "nomic-embed-text";

export function createOllamaEmbedder(
  baseUrl: string,
  model: string,
  log: Log,
  patiences?: Patiences,
): Embedder {
  const name = model || DEFAULT_MODEL;
  const address = parseAddress(baseUrl);
  const host = address.url.href.replace(/\/+$/, "");
  return createRemoteEmbedder(
    {
      name: `the Ollama at ${address.url.origin}${address.url.pathname.replace(/\/+$/, "")}`,
      model: name,
      modelId: `ollama:${name}`,
      log,
      remedyFor: (status) => remedyFor(status, name),
      request: async (texts, signal) => {
        // The library cannot cancel a request, and writes to standard output when one fails: both are done here.
        const client = new Ollama({
          host,
          fetch: async (url, init) => {
            const response = await send(address, url, { ...init, signal });
            return Response.json((await jsonOf(response)) ?? {});
          },
        });
        const { embeddings } = await client.embed({ model: name, input: [...texts] });
        return embeddings;
      },
    },
    patiences,
  );
}

function remedyFor(status: number | undefined, model: string): string {
  if (status === undefined) return 'start it with "ollama serve", or check its address';
  if (status === 404) return `run "ollama pull ${model}"`;
  if (status === 401 || status === 403) return "check the name and password in its address";
  return `check that "${model}" is a model for embeddings, and see the log of the Ollama`;
}
