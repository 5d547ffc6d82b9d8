/** A reranker and a query rewriter in the whole program: their settings, the data sent to them, and their place in answers. */

import { afterEach, expect, it, onTestFinished } from "vitest";
import { testEngine } from "../support/engine.ts";
import { modelServer, type Received } from "../support/model-server.ts";
import { SMALL_SHOP } from "../support/shops.ts";
import { workspace, write } from "../support/workspace.ts";

let dispose: () => Promise<void> = async () => undefined;
afterEach(() => dispose());

/** Reranks by length, longest first; rewrites every question into one about tokens. */
function answer({ path, body }: Received): unknown {
  if (path === "/api/chat") return { message: { role: "assistant", content: "token refresh" } };
  const documents = body["documents"] as string[];
  const results = documents.map((text, index) => ({ index, relevance_score: text.length }));
  return { results };
}

async function started() {
  const server = await modelServer(answer);
  onTestFinished(() => server.close());
  const engine = testEngine();
  dispose = () => engine.dispose();
  return { server, session: engine.session() };
}

it("shows both in analyze and doctor, and masks a secret that was written after indexing", async () => {
  const { server, session } = await started();
  await session.configure({
    "rerank.url": `${server.url}/v2/rerank`,
    "rewrite.provider": "ollama",
    "rewrite.baseUrl": server.url,
    "indexing.enabled": true,
  });
  const root = workspace(SMALL_SHOP);
  await session.openFolders([root]);
  await session.whenIdle();
  await session.pause();
  const token = ["ghp", "aB3d".repeat(9)].join("_");
  write(root, `//- src/token.py\nTOKEN = "${token}"\ndef refresh_token():\n    pass\n`);
  const { stages, hits, warnings } = await session.analyze({
    query: "where is the token refreshed",
  });
  const of = (name: string) => stages.find((stage) => stage.name === name);
  expect(warnings).toEqual([]);
  expect(of("rerank")?.notes?.["model"]).toContain("standard:default@127.0.0.1");
  expect(of("rewrite")?.notes?.["text"]).toBe("token refresh");
  expect(hits[0]?.why?.map(({ name }) => name)).toContain("rerank");
  const sent = JSON.stringify(server.received);
  expect(sent).toContain("src/token.py");
  expect(sent).not.toContain(token);
  const findings = await session.doctor();
  expect(findings.find(({ what }) => what === "reranker")).toMatchObject({ ok: true });
  expect(findings.find(({ what }) => what === "query rewriting")).toMatchObject({ ok: true });
});
