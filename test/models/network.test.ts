/** The only two steps that use the network: npm for the runtime, and the library for a model from the hub. */

import { existsSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Unavailable } from "../../server/common/errors.ts";
import { install, planInstall } from "../../server/models/install.ts";
import { failure } from "../support/failure.ts";
import {
  converted,
  emptyInstaller,
  HAS_LOCAL_MODEL,
  installedIn,
  LOCAL_MODEL,
  modelsIn,
  NAME,
  temporaryFolder,
} from "../support/local-model.ts";

const CLOSED = "http://127.0.0.1:1";

/** Serves the converted model as the hub does: /OWNER/NAME/resolve/main/FILE. */
async function hub() {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const [, path = ""] = /^\/[^/]+\/[^/]+\/resolve\/main\/([\w./-]+)$/.exec(url) ?? [];
    const file = join(converted("int8"), path);
    if (path === "" || path.includes("..") || !existsSync(file)) response.writeHead(404).end();
    else response.end(readFileSync(file));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const whenInstalled = (installer: ReturnType<typeof emptyInstaller>) =>
  install(installer, planInstall(installer, NAME, undefined), new AbortController().signal);

describe.skipIf(!HAS_LOCAL_MODEL)(`The network, ${LOCAL_MODEL}`, () => {
  it("is used once to download a model, and not to run it", async () => {
    const server = await hub();
    const installer = emptyInstaller({ ...process.env, HF_ENDPOINT: server.url });
    const { manifest } = await whenInstalled(installer);
    expect(manifest).toMatchObject({ dimension: 384, source: "Xenova/all-MiniLM-L6-v2" });
    expect(server.asked.some((url) => url.endsWith("/onnx/model_quantized.onnx"))).toBe(true);
    const count = server.asked.length;
    const request = { texts: ["a"], isQuery: false, dimensions: 0 };
    await modelsIn(installer).embed(NAME, request, new AbortController().signal);
    expect(server.asked).toHaveLength(count);
  });

  it("is reported when the hub does not answer, and nothing is installed", async () => {
    const installer = emptyInstaller({ ...process.env, HF_ENDPOINT: CLOSED });
    const error = await failure(whenInstalled(installer));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toMatch(/could not be downloaded \(fetch failed.*check the network/);
    expect(readdirSync(installer.models)).toEqual(["runtime"]);
  });

  it("is reported when the registry does not answer, and nothing is installed", async () => {
    const installer = emptyInstaller({
      ...process.env,
      npm_config_registry: CLOSED,
      npm_config_cache: temporaryFolder(),
      npm_config_fetch_retries: "0",
    });
    unlinkSync(join(installer.models, "runtime"));
    const error = await failure(installedIn(installer));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toMatch(/npm could not install the runtime .*ECONNREFUSED.*registry/);
    expect(readdirSync(installer.models)).toEqual([]);
  });

  it("is not used without npm, which is named", async () => {
    const installer = emptyInstaller({ ...process.env, PATH: temporaryFolder() });
    unlinkSync(join(installer.models, "runtime"));
    const error = await failure(installedIn(installer));
    expect(error.message).toContain("npm is missing: install it from");
  });
});
