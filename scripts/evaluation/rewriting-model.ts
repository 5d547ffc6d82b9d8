/** A model server that rewrites the questions of a task file: some as a file says, all others into random words. */

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Task } from "./metrics.ts";
import { createRandom } from "./random.ts";

const RANDOM_WORDS = 8;

interface RewritingModel {
  /** The ids of the questions that are rewritten as the file says. */
  readonly byHand: ReadonlySet<string>;
  asked(): number;
  close(): Promise<void>;
}

/** Serves Ollama's /api/chat, and sets environment variables so that servers that are started later use it. */
export async function startRewritingModel(
  tasks: readonly Task[],
  file: string,
): Promise<RewritingModel> {
  const texts = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, string>>;
  const byQuery = new Map(tasks.map(({ id, query }) => [query, texts[id]]));
  const vocabulary = [...new Set(tasks.flatMap(({ query }) => query.match(/[a-z]{4,}/g) ?? []))];
  const random = createRandom(1);
  const anyWord = () => vocabulary[Math.floor(random() * vocabulary.length)];
  let asked = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      asked++;
      const { messages } = JSON.parse(Buffer.concat(parts).toString("utf8")) as {
        messages: { content: string }[];
      };
      const text = byQuery.get(messages.at(-1)?.content ?? "");
      const content = text ?? Array.from({ length: RANDOM_WORDS }, anyWord).join(" ");
      response.end(JSON.stringify({ message: { role: "assistant", content }, done: true }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  process.env["COCOSEARCH_REWRITE_PROVIDER"] = "ollama";
  process.env["COCOSEARCH_REWRITE_BASE_URL"] = `http://127.0.0.1:${port}`;
  return {
    byHand: new Set(tasks.filter(({ id }) => texts[id] !== undefined).map(({ id }) => id)),
    asked: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
