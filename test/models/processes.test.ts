/** The process of a model: it starts on demand, ends when idle, and its crash costs only the requests that wait for it. */

import { truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { removeModel } from "../../server/models/install.ts";
import { MANIFEST_FILE } from "../../server/models/manifest.ts";
import { ProviderError } from "../../server/transport/http.ts";
import { eventually } from "../support/eventually.ts";
import { failure } from "../support/failure.ts";
import {
  HAS_LOCAL_MODEL,
  installedIn,
  LOCAL_MODEL,
  modelsIn,
  NAME,
  readyInstaller,
} from "../support/local-model.ts";

const FOREVER = new AbortController().signal;

const embedding = (...texts: string[]) => ({ texts, isQuery: false, dimensions: 0 });

/** Keeps the process busy for seconds. */
const MANY = Array.from({ length: 200 }, (_, i) =>
  `def function_${i}(argument): pass\n`.repeat(40),
);

async function ready(options: Parameters<typeof modelsIn>[1] = {}) {
  const installer = await readyInstaller();
  return { installer, models: modelsIn(installer, options) };
}

describe.skipIf(!HAS_LOCAL_MODEL)(`The process ${LOCAL_MODEL}`, () => {
  it("starts with the first request, and ends when it is idle", async () => {
    const { models } = await ready({ idleMs: 50 });
    expect(models.pidOf(NAME)).toBeUndefined();
    await models.embed(NAME, embedding("a"), FOREVER);
    expect(models.pidOf(NAME)).toBeGreaterThan(0);
    await eventually(() => expect(models.pidOf(NAME)).toBeUndefined());
    expect(await models.embed(NAME, embedding("a"), FOREVER)).toHaveLength(1);
  });

  it("fails the requests that wait for it when it is killed, and then starts again", async () => {
    const { models } = await ready({ firstDelayMs: 200 });
    await models.embed(NAME, embedding("a"), FOREVER);
    const waiting = failure(models.embed(NAME, embedding(...MANY), FOREVER));
    process.kill(models.pidOf(NAME) ?? 0, "SIGSEGV");
    const error = await waiting;
    expect(error).toBeInstanceOf(ProviderError);
    expect(error.message).toContain("its process ended (SIGSEGV)");
    const early = await failure(models.embed(NAME, embedding("a"), FOREVER));
    expect((early as ProviderError).retryAfterMs).toBeGreaterThan(0);
    await eventually(async () =>
      expect(await models.embed(NAME, embedding("a"), FOREVER)).toHaveLength(1),
    );
  });

  it("answers a query before the documents that wait", async () => {
    const { models } = await ready();
    const order: string[] = [];
    const ended = async (name: string, request: Promise<unknown>) => {
      await request;
      order.push(name);
    };
    const documents = MANY.slice(0, 4).map((text) =>
      ended("document", models.embed(NAME, embedding(text), FOREVER)),
    );
    const query = models.embed(NAME, { ...embedding("a"), isQuery: true }, FOREVER);
    await Promise.all([...documents, ended("query", query)]);
    expect(order).toEqual(["query", "document", "document", "document", "document"]);
  });

  it("drops a request that is cancelled", async () => {
    const { models } = await ready();
    const stop = new AbortController();
    const documents = failure(models.embed(NAME, embedding(...MANY), stop.signal));
    stop.abort(new Error("not needed"));
    expect((await documents).message).toBe("not needed");
    expect(await models.embed(NAME, embedding("a"), FOREVER)).toHaveLength(1);
  });

  it("scores as many documents as the time allows", async () => {
    const { models } = await ready();
    await models.embed(NAME, embedding("a"), FOREVER);
    const request = { query: "a", documents: MANY, budgetMs: 1_000 };
    const scores = await models.score(NAME, request, undefined);
    expect(scores.length).toBeGreaterThan(0);
    expect(scores.length).toBeLessThan(MANY.length);
  });

  it("refuses a model whose file has changed since it was installed, until it is installed again", async () => {
    const { installer, models } = await ready();
    truncateSync(join(installer.models, NAME, "onnx/model_quantized.onnx"), 1_000);
    const error = await failure(models.embed(NAME, embedding("a"), FOREVER));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toMatch(/onnx\/model_quantized\.onnx has changed since.*model remove/);
    await installedIn(installer);
    expect(await models.embed(NAME, embedding("a"), FOREVER)).toHaveLength(1);
  });

  it("is another one after the model was installed again", async () => {
    const { installer, models } = await ready();
    await models.embed(NAME, embedding("a"), FOREVER);
    const first = models.pidOf(NAME);
    utimesSync(join(installer.models, NAME, MANIFEST_FILE), 1, 1);
    await models.embed(NAME, embedding("a"), FOREVER);
    expect(models.pidOf(NAME)).not.toBe(first);
  });

  it("refuses more dimensions than the model has", async () => {
    const { models } = await ready();
    const error = await failure(
      models.embed(NAME, { ...embedding("a"), dimensions: 768 }, FOREVER),
    );
    expect(error.message).toContain("the model has 384 dimensions");
  });

  it("is not started for a model that was removed, and the last one takes the runtime along", async () => {
    const { installer, models } = await ready();
    expect(removeModel(installer.models, NAME)).toBe(true);
    expect(removeModel(installer.models, NAME)).toBe(false);
    const error = await failure(models.embed(NAME, embedding("a"), FOREVER));
    expect(error.message).toBe(
      `the model ${NAME} is not installed: run cocosearch-lsp model install ${NAME}`,
    );
  });
});
